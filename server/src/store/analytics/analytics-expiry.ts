import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'
import { countSeries, failuresBeside } from './rollups-series.ts'

const series = countSeries
  .flatMap((one) => [one.series, one.series + failuresBeside])
  .map((number) => `select ${number} as series`)
  .join(' union all ')

/** Series of accounts with rows from before a time, found with one look into each: rows stand in the order of time. */
export const outdatedSeries = query({
  name: 'message_rollups.outdated',
  params: { before: 'int', count: 'int' },
  returns: { account_id: 'text', series: 'int' },
  lane: 'list',
  sql: `select a.id as account_id, s.series from accounts a cross join (${series}) s
        where exists (select 1 from message_rollups r
            where r.account_id = a.id and r.series = s.series and r.start < :before)
          or exists (select 1 from rollup_values r
            where r.account_id = a.id and r.series = s.series and r.start < :before)
        limit :count`,
})

const input = { account_id: 'text', series: 'int', before: 'int', count: 'int' } as const
const key = 'account_id, series, start, direction, type, template, category, country, phone_number, api_key'

export const deleteOldCounts = operation({
  name: 'message_rollups.expire',
  input,
  returns: { series: 'int' },
  alone: true,
  ...deletion('message_rollups', `${key}, error_code`),
})

export const deleteOldValues = operation({
  name: 'rollup_values.expire',
  input,
  returns: { series: 'int' },
  alone: true,
  ...deletion('rollup_values', `${key}, kind, value`),
})

function deletion(table: string, columns: string) {
  return {
    ctes: `old as (select {row:${columns}} from ${table}
             where account_id = (select account_id from rows) and series = (select series from rows)
               and start < (select before from rows)
             order by start limit (select count from rows))`,
    sql: `delete from ${table} where ({row:${columns}}) {in:old} returning series`,
  }
}

/** A later day of the same person then counts as their first, which it is in every range that can still be asked for. */
export const deleteOldRecipientDays = expireBefore({
  table: 'recipient_days',
  key: ['account_id', 'recipient', 'day'],
  time: 'day',
})

export const deleteOldRecipientGaps = expireBefore({
  table: 'recipient_gaps',
  key: ['account_id', 'day', 'previous_day'],
  time: 'day',
})
