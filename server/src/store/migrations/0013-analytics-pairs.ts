import type { Migration } from './migration.ts'

const dimensions = ['type', 'template', 'category', 'country', 'phone_number', 'api_key']
const pairs = dimensions.flatMap((one, index) => dimensions.slice(index + 1).map((other) => [one, other]))
const counters = ['created', 'sent', 'delivered', 'read', 'failed', 'received']

/** Days by two dimensions, made of those by all of them (series 12). Levels 8 to 22 in the order of the pairs. */
function daysOf(pair: readonly string[], index: number): string {
  const kept = dimensions.map((name) => (pair.includes(name) ? name : "''"))
  return `insert into message_rollups (account_id, series, start, direction, ${dimensions.join(', ')}, error_code,
      ${counters.join(', ')})
    select account_id, ${(index + 8) * 10 + 2}, start, direction, ${kept.join(', ')}, error_code,
      ${counters.map((name) => `sum(${name})`).join(', ')}
    from message_rollups where series = 12 group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`
}

/** A quarter of a day, made of hours, at the levels 0 to 7. */
const sixHours = `insert into message_rollups (account_id, series, start, direction, ${dimensions.join(', ')}, error_code,
    ${counters.join(', ')})
  select account_id, series + 2, (start / 21600000) * 21600000, direction, ${dimensions.join(', ')}, error_code,
    ${counters.map((name) => `sum(${name})`).join(', ')}
  from message_rollups where series in (1, 11, 21, 31, 41, 51, 61, 71) group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`

/** Questions about two dimensions and from other time zones get roll-ups of their own, and figures an end. */
export const analyticsPairs: Migration = {
  id: 13,
  name: 'analytics pairs',
  statements: [
    ...pairs.map(daysOf),
    sixHours,
    // Latencies and prices by category and by country: nobody can ask for them.
    'delete from rollup_values where series in (40, 41, 42, 50, 51, 52)',
    'create index recipient_days_age on recipient_days (day)',
    'create index recipient_gaps_age on recipient_gaps (day)',
  ],
}
