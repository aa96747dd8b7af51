import { operation, query, type RowOf } from '../engine/operation.ts'

export const claimedJobColumns = {
  id: 'text',
  kind: 'text',
  subject: 'text',
  account_id: 'text?',
  payload: 'text',
  attempts: 'int',
  claim: 'text',
} as const

export type ClaimedJob = RowOf<typeof claimedJobColumns>

/** `media` is served by account, each in turn; `main` in order of time. */
export type JobLane = 'main' | 'media'

const newJob = {
  id: 'text',
  lane: 'text',
  kind: 'text',
  subject: 'text',
  account_id: 'text?',
  payload: 'text',
  run_at: 'int',
  now: 'int',
} as const
const insertJob = `insert into jobs (id, lane, kind, subject, account_id, payload, run_at, attempts, lease_until, created_at)
        select id, lane, kind, subject, account_id, payload, run_at, 0, 0, now from rows where true
        on conflict (kind, subject)`

/**
 * One job per kind and subject: a second enqueue only moves it forward in time. A run that has begun may have read what was
 * there before, so a claimed job notes when it has to run again.
 */
export const enqueueJob = operation({
  name: 'jobs.enqueue',
  input: newJob,
  key: ['kind', 'subject'],
  wakes: 'jobs',
  sql: `${insertJob} do update set
          run_at = case when jobs.claim is null then excluded.run_at else jobs.run_at end,
          again_at = case when jobs.claim is null then null else excluded.run_at end
        where (jobs.claim is null and excluded.run_at < jobs.run_at)
          or (jobs.claim is not null and (jobs.again_at is null or excluded.run_at < jobs.again_at))`,
})

/** The same for a regular job, which nobody has news for: a claimed one gets its next time when its run ends. */
export const enqueueRegularJob = operation({
  name: 'jobs.enqueue_regular',
  input: newJob,
  key: ['kind', 'subject'],
  wakes: 'jobs',
  sql: `${insertJob} do update set run_at = excluded.run_at
        where excluded.run_at < jobs.run_at and jobs.claim is null`,
})

/**
 * A claimed job is due again when its lease ends: its holder is dead or too slow then, and is fenced off. What was noted
 * before is served by the run that begins now.
 */
const claimDue = `update jobs set claim = (select claim from rows), lease_until = (select lease_until from rows),
          run_at = (select lease_until from rows), again_at = null, attempts = attempts + 1
        where id {in:due}
        returning id, kind, subject, account_id, payload, attempts, claim`

/** Takes due jobs of the main lane for a while. */
export const claimJobs = operation({
  name: 'jobs.claim',
  input: { now: 'int', lease_until: 'int', claim: 'text', count: 'int' },
  returns: claimedJobColumns,
  alone: true,
  ctes: `due as (select id from jobs where lane = 'main' and run_at <= (select now from rows)
           order by run_at limit (select count from rows) {skip_locked})`,
  sql: claimDue,
})

/** Takes due jobs of the media lane, of one account. */
export const claimMediaJobs = operation({
  name: 'jobs.claim_media',
  input: { account_id: 'text', now: 'int', lease_until: 'int', claim: 'text', count: 'int' },
  returns: claimedJobColumns,
  alone: true,
  ctes: `due as (select id from jobs where lane = 'media' and account_id = (select account_id from rows)
             and run_at <= (select now from rows)
           order by run_at limit (select count from rows) {skip_locked})`,
  sql: claimDue,
})

/** Accounts with jobs in the media lane from the one after `after` on, hopping from one to the next in the index. */
const mediaAccounts = (after: string) => `with recursive hop(account_id) as (
          select (select j.account_id from jobs j where j.lane = 'media' and j.account_id > ${after}
            order by j.account_id limit 1)
          union all
          select (select j.account_id from jobs j where j.lane = 'media' and j.account_id > hop.account_id
            order by j.account_id limit 1) from hop where hop.account_id is not null
        )`

/** Those of them with a job that is due. */
export const accountsWithMediaJobs = query({
  name: 'jobs.accounts_with_media',
  params: { after: 'text', now: 'int', count: 'int' },
  returns: { account_id: 'text' },
  sql: `${mediaAccounts(':after')}
        select account_id from hop where account_id is not null and exists (
          select 1 from jobs j where j.lane = 'media' and j.account_id = hop.account_id and j.run_at <= :now)
        limit :count`,
})

/** Ends a job, if it is still ours and nobody enqueued it meanwhile. `repeatJob` comes next in its unit. */
export const finishJob = operation({
  name: 'jobs.finish',
  input: { id: 'text', claim: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `delete from jobs where id in (select id from rows)
          and exists (select 1 from rows where rows.id = jobs.id and rows.claim = jobs.claim)
          and again_at is null
        returning id`,
})

/**
 * Has a job that was enqueued while it ran wait for its next run, as a new one does. It follows `finishJob`: the other way
 * round, what is enqueued between the two would keep the job from being deleted, and claimed until its lease ends.
 */
export const repeatJob = operation({
  name: 'jobs.repeat',
  input: { id: 'text', claim: 'text' },
  key: ['id'],
  sql: `update jobs set claim = null, lease_until = 0, run_at = again_at, again_at = null, attempts = 0, last_error = null
        from rows where jobs.id = rows.id and jobs.claim = rows.claim and jobs.again_at is not null`,
})

/** Holds on to a job that takes longer than its lease. */
export const renewJob = operation({
  name: 'jobs.renew',
  input: { id: 'text', claim: 'text', lease_until: 'int' },
  key: ['id'],
  sql: `update jobs set lease_until = rows.lease_until, run_at = rows.lease_until from rows
        where jobs.id = rows.id and jobs.claim = rows.claim`,
})

/** Gives a job back for later, another run or another try; for earlier if it was enqueued for then while it ran. */
export const rescheduleJob = operation({
  name: 'jobs.reschedule',
  input: { id: 'text', claim: 'text', run_at: 'int', attempts: 'int', last_error: 'text?' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `update jobs set claim = null, lease_until = 0, attempts = rows.attempts, last_error = rows.last_error,
          run_at = {min}(rows.run_at, coalesce(jobs.again_at, rows.run_at)), again_at = null
        from rows where jobs.id = rows.id and jobs.claim = rows.claim
        returning jobs.id`,
})

/** When the next job of the main lane is due, a claimed one at the end of its lease. */
export const nextMainJobAt = query({
  name: 'jobs.next_main_at',
  params: {},
  returns: { at: 'int?' },
  sql: `select min(run_at) as at from jobs where lane = 'main'`,
})

/** The same of the media lane, which has no index by time alone: a claim could use it, and read the jobs of all accounts. */
export const nextMediaJobAt = query({
  name: 'jobs.next_media_at',
  params: {},
  returns: { at: 'int?' },
  sql: `${mediaAccounts("''")}
        select min((select min(j.run_at) from jobs j where j.lane = 'media' and j.account_id = hop.account_id)) as at
        from hop where account_id is not null`,
})

/** Of each lane, when its next job is due. */
export const nextJobAt = { main: nextMainJobAt, media: nextMediaJobAt }

/** Whether a job is still to be done, and how its last try ended. */
export const findJob = query({
  name: 'jobs.find',
  params: { kind: 'text', subject: 'text' },
  returns: { id: 'text', attempts: 'int', last_error: 'text?' },
  sql: 'select id, attempts, last_error from jobs where kind = :kind and subject = :subject',
})

/**
 * Notes the time, and pauses retention when it is far from when it was noted last: ahead by more than `ahead_ms`, or
 * behind by more than `behind_ms`. The row exists once for all nodes; the first note trusts the clock. It counts only
 * while the time read before it stands: a node that was suspended on the way would seem to have a clock that went back.
 */
export const noteTime = operation({
  name: 'retention_clock.note',
  input: { now: 'int', last_seen_at: 'int?', ahead_ms: 'int', behind_ms: 'int', pause_ms: 'int' },
  returns: { paused_until: 'int' },
  alone: true,
  sql: `insert into retention_clock (id, seen_at, paused_until) select 1, now, 0 from rows where true
        on conflict (id) do update set
          paused_until = case
            when excluded.seen_at - retention_clock.seen_at > (select ahead_ms from rows)
              or retention_clock.seen_at - excluded.seen_at > (select behind_ms from rows)
            then excluded.seen_at + (select pause_ms from rows)
            else {min}(retention_clock.paused_until, excluded.seen_at + (select pause_ms from rows)) end,
          seen_at = excluded.seen_at
        where retention_clock.seen_at = (select last_seen_at from rows)
        returning paused_until`,
})
