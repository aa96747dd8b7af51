import { operation, query } from './operation.ts'

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
 * were granted. The row lock makes it exact across nodes. A window that has passed starts again at zero; a `wanted`
 * below zero gives back.
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
  returns: { account_id: 'text', granted: 'int', hour_used: 'int', day_used: 'int' },
  ctes: `locked as (
      select q.account_id, r.wanted, r.hour_start, r.day_start, r.hour_quota, r.day_quota,
        case when q.hour_start = r.hour_start then q.hour_used else 0 end as hour_used,
        case when q.day_start = r.day_start then q.day_used else 0 end as day_used
      from quotas q join rows r on r.account_id = q.account_id order by q.account_id for update of q),
    granting as (
      select locked.*, case when wanted < 0 then wanted
        else greatest(0, least(wanted, least(hour_quota - hour_used, day_quota - day_used))) end as granted from locked)`,
  sql: `update quotas set hour_start = g.hour_start, hour_used = greatest(0, g.hour_used + g.granted),
          day_start = g.day_start, day_used = greatest(0, g.day_used + g.granted)
        from granting g where quotas.account_id = g.account_id
        returning quotas.account_id, g.granted, quotas.hour_used, quotas.day_used`,
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

export const expireUsage = operation({
  name: 'quota_usage.expire',
  input: { before: 'int' },
  alone: true,
  sql: 'delete from quota_usage where hour_start < (select before from rows)',
})
