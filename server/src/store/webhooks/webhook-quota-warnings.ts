import { operation, query } from '../engine/operation.ts'

/** Accounts that have used at least `used_min` of this day and were not warned of it yet. */
export const listUnwarned = query({
  name: 'quota_warnings.unwarned',
  params: { day_start: 'int', used_min: 'int' },
  returns: { account_id: 'text', plan: 'text', day_used: 'int' },
  lane: 'list',
  sql: `select q.account_id, a.plan, q.day_used from quotas q join accounts a on a.id = q.account_id
        where q.day_start = :day_start and q.day_used >= :used_min and not exists (
          select 1 from quota_warnings w where w.account_id = q.account_id and w.day_start >= :day_start)`,
})

/** Claimed by the process that sets it first, so that each window is warned of once. */
export const markQuotaWarned = operation({
  name: 'quota_warnings.mark',
  input: { account_id: 'text', day_start: 'int' },
  key: ['account_id'],
  returns: { account_id: 'text' },
  required: true,
  sql: `insert into quota_warnings (account_id, day_start) select account_id, day_start from rows where true
        on conflict (account_id) do update set day_start = excluded.day_start
        where quota_warnings.day_start < excluded.day_start
        returning account_id`,
})
