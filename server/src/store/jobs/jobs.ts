import { operation, query, type RowOf } from '../engine/operation.ts'

export const claimedJobColumns = {
  id: 'text',
  kind: 'text',
  subject: 'text',
  account_id: 'text?',
  payload: 'text',
  run_at: 'int',
  attempts: 'int',
  claim: 'text',
} as const

export type ClaimedJob = RowOf<typeof claimedJobColumns>

/** One job per kind and subject. A second enqueue only moves it forward in time, and never a claimed one. */
export const enqueueJob = operation({
  name: 'jobs.enqueue',
  input: { id: 'text', kind: 'text', subject: 'text', account_id: 'text?', payload: 'text', run_at: 'int', now: 'int' },
  key: ['kind', 'subject'],
  wakes: 'jobs',
  sql: `insert into jobs (id, kind, subject, account_id, payload, run_at, attempts, lease_until, created_at)
        select id, kind, subject, account_id, payload, run_at, 0, 0, now from rows where true
        on conflict (kind, subject) do update set run_at = excluded.run_at
        where excluded.run_at < jobs.run_at and jobs.claim is null`,
})

/** Takes due jobs for a while. An expired lease is as good as none: its holder is dead or too slow, and is fenced off. */
export const claimJobs = operation({
  name: 'jobs.claim',
  input: { now: 'int', lease_until: 'int', claim: 'text', count: 'int' },
  returns: claimedJobColumns,
  alone: true,
  ctes: `due as (select id from jobs where run_at <= (select now from rows) and lease_until <= (select now from rows)
           order by run_at limit (select count from rows) {skip_locked})`,
  sql: `update jobs set claim = (select claim from rows), lease_until = (select lease_until from rows),
          attempts = attempts + 1
        where id in (select id from due)
        returning id, kind, subject, account_id, payload, run_at, attempts, claim`,
})

/** Ends a job, if it is still ours. */
export const finishJob = operation({
  name: 'jobs.finish',
  input: { id: 'text', claim: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `delete from jobs where exists (select 1 from rows where rows.id = jobs.id and rows.claim = jobs.claim)
        returning id`,
})

/** Holds on to a job that takes longer than its lease. */
export const renewJob = operation({
  name: 'jobs.renew',
  input: { id: 'text', claim: 'text', lease_until: 'int' },
  key: ['id'],
  sql: `update jobs set lease_until = rows.lease_until from rows where jobs.id = rows.id and jobs.claim = rows.claim`,
})

/** Gives a job back for later: another turn of a regular job, or another try of a failed one. */
export const rescheduleJob = operation({
  name: 'jobs.reschedule',
  input: { id: 'text', claim: 'text', run_at: 'int', attempts: 'int', last_error: 'text?' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `update jobs set claim = null, lease_until = 0, run_at = rows.run_at, attempts = rows.attempts,
          last_error = rows.last_error
        from rows where jobs.id = rows.id and jobs.claim = rows.claim
        returning jobs.id`,
})

export const nextJobAt = query({
  name: 'jobs.next_at',
  params: { now: 'int' },
  returns: { at: 'int?' },
  sql: `select min(case when lease_until > :now and lease_until > run_at then lease_until else run_at end) as at from jobs`,
})

export const countJobs = query({
  name: 'jobs.count',
  params: { kind: 'text' },
  returns: { total: 'int' },
  sql: 'select count(*) as total from jobs where kind = :kind',
})
