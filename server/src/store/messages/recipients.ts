import { folded, foldInput, isFolded } from '../analytics/analytics.ts'
import { operation, query } from '../engine/operation.ts'

const dayOfStep = '(s.quarter / 86400000) * 86400000'
const fold = '(select fold from rows)'

/** One row for each day on which a recipient was written to. */
export const addRecipientDays = operation({
  name: 'recipient_days.add',
  input: { ...foldInput, fold: 'int' },
  alone: true,
  ctes: folded,
  sql: `insert into recipient_days (account_id, recipient, day, fold)
        select distinct s.account_id, s.recipient, ${dayOfStep}, ${fold} from analytics_steps s
        where ${isFolded} and s.recipient is not null
        on conflict (account_id, recipient, day) do nothing`,
})

/**
 * Counts the new days by the distance to the recipient's day before. A range then has as many recipients as it has days
 * whose day before lies outside of it: a sum over a few hundred rows, however many people there are. A day that comes
 * between two known ones takes over the later one. `cross join` keeps SQLite from reading all days first.
 */
export const addRecipientGaps = operation({
  name: 'recipient_gaps.add',
  input: { ...foldInput, fold: 'int' },
  alone: true,
  ctes: `${folded},
    written as materialized (
      select distinct s.account_id, s.recipient, ${dayOfStep} as day from analytics_steps s
      where ${isFolded} and s.recipient is not null),
    fresh as (
      select r.account_id, r.recipient, r.day from written w cross join recipient_days r
      where r.account_id = w.account_id and r.recipient = w.recipient and r.day = w.day and r.fold = ${fold}),
    linked as (
      select f.account_id, f.recipient, f.day,
        coalesce((select max(b.day) from recipient_days b
          where b.account_id = f.account_id and b.recipient = f.recipient and b.day < f.day), 0) as previous_day,
        (select min(b.day) from recipient_days b
          where b.account_id = f.account_id and b.recipient = f.recipient and b.day > f.day) as next_day
      from fresh f),
    taken_over as (
      select l.account_id, l.day, l.next_day,
        coalesce((select max(b.day) from recipient_days b where b.account_id = l.account_id
          and b.recipient = l.recipient and b.day < l.next_day and b.fold <> ${fold}), 0) as previous_day
      from linked l join recipient_days a on a.account_id = l.account_id and a.recipient = l.recipient
        and a.day = l.next_day and a.fold <> ${fold}),
    changes(account_id, day, previous_day, n) as (
      select account_id, day, previous_day, 1 from linked
      union all select account_id, next_day, previous_day, -1 from taken_over
      union all select account_id, next_day, day, 1 from taken_over)`,
  sql: `insert into recipient_gaps (account_id, day, previous_day, n)
        select account_id, day, previous_day, sum(n) from changes where true group by 1, 2, 3
        on conflict (account_id, day, previous_day) do update set n = recipient_gaps.n + excluded.n`,
})

export const countRecipients = query({
  name: 'recipient_gaps.count',
  params: { account_id: 'text', from_day: 'int', to_day: 'int' },
  returns: { total: 'int' },
  lane: 'list',
  sql: `select coalesce(sum(n), 0) as total from recipient_gaps
        where account_id = :account_id and day >= :from_day and day < :to_day and previous_day < :from_day`,
})
