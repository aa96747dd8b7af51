import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const windows = {
  account_id: 'text',
  hour_start: 'int',
  hour_used: 'int',
  day_start: 'int',
  day_used: 'int',
} as const

export const readQuota = query({
  name: 'quotas.read',
  params: { account_id: 'text' },
  returns: windows,
  sql: 'select account_id, hour_start, hour_used, day_start, day_used from quotas where account_id = :account_id',
})

/** SQLite: one process counts in memory and puts its counts down here. */
export const saveQuota = operation({
  name: 'quotas.save',
  input: windows,
  key: ['account_id'],
  sql: `insert into quotas (account_id, hour_start, hour_used, day_start, day_used)
        select account_id, hour_start, hour_used, day_start, day_used from rows where true
        on conflict (account_id) do update set hour_start = excluded.hour_start, hour_used = excluded.hour_used,
          day_start = excluded.day_start, day_used = excluded.day_used`,
})

export const ensureQuota = operation({
  name: 'quotas.ensure',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `insert into quotas (account_id, hour_start, hour_used, day_start, day_used)
        select account_id, 0, 0, 0, 0 from rows where true on conflict (account_id) do nothing`,
})

/**
 * PostgreSQL only: takes up to `wanted` requests from both windows at once, as many as both have left, and says how many
 * were granted and in which windows. The row lock makes it exact across nodes. A window that has passed starts again at
 * zero; none ever moves back, so a statement that was late at the turn of the hour counts in the hour that has begun.
 */
export const takeQuota = operation({
  name: 'quotas.take',
  input: {
    account_id: 'text',
    wanted: 'int',
    hour_start: 'int',
    hour_quota: 'int',
    day_start: 'int',
    day_quota: 'int',
  },
  key: ['account_id'],
  returns: {
    account_id: 'text',
    granted: 'int',
    hour_start: 'int',
    hour_used: 'int',
    day_start: 'int',
    day_used: 'int',
  },
  ctes: `locked as (
      select q.account_id, r.wanted, r.hour_quota, r.day_quota,
        greatest(q.hour_start, r.hour_start) as hour_start, greatest(q.day_start, r.day_start) as day_start,
        case when q.hour_start >= r.hour_start then q.hour_used else 0 end as hour_used,
        case when q.day_start >= r.day_start then q.day_used else 0 end as day_used
      from quotas q join rows r on r.account_id = q.account_id order by q.account_id for update of q),
    granting as (
      select locked.*,
        greatest(0, least(wanted, least(hour_quota - hour_used, day_quota - day_used))) as granted from locked)`,
  sql: `update quotas set hour_start = g.hour_start, hour_used = g.hour_used + g.granted,
          day_start = g.day_start, day_used = g.day_used + g.granted
        from granting g where quotas.account_id = g.account_id
        returning quotas.account_id, g.granted, quotas.hour_start, quotas.hour_used, quotas.day_start, quotas.day_used`,
})

/** Gives one request back to the windows it was taken from; one that is over by now keeps nothing to give back to. */
export const refundQuota = operation({
  name: 'quotas.refund',
  input: { account_id: 'text', hour_start: 'int', day_start: 'int' },
  key: ['account_id'],
  sql: `update quotas set
          hour_used = case when quotas.hour_start = rows.hour_start then {max}(0, quotas.hour_used - 1)
            else quotas.hour_used end,
          day_used = case when quotas.day_start = rows.day_start then {max}(0, quotas.day_used - 1)
            else quotas.day_used end
        from rows where quotas.account_id = rows.account_id`,
})

export const addUsage = operation({
  name: 'quota_usage.add',
  input: { account_id: 'text', hour_start: 'int', used: 'int' },
  key: ['account_id', 'hour_start'],
  sql: `insert into quota_usage (account_id, hour_start, used) select account_id, hour_start, used from rows where true
        on conflict (account_id, hour_start) do update set used = quota_usage.used + excluded.used`,
})

export const readUsage = query({
  name: 'quota_usage.read',
  params: { account_id: 'text', since: 'int' },
  returns: { hour_start: 'int', used: 'int' },
  lane: 'list',
  sql: `select hour_start, used from quota_usage where account_id = :account_id and hour_start >= :since
        order by hour_start`,
})

export const expireUsage = expireBefore({ table: 'quota_usage', key: ['account_id', 'hour_start'], time: 'hour_start' })
