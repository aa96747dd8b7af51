import type { Engine } from '../engine/dialect.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'
import { waitingStatus } from './deliveries.ts'

/**
 * Webhooks with something waiting, after `after` in the order of their ids, and when their next delivery is due. It
 * hops from one webhook to the next in the index of waiting deliveries, so a webhook with 300,000 of them costs as much
 * as one with a single one.
 */
export const listWaiting = query({
  name: 'deliveries.waiting_webhooks',
  params: { after: 'text', count: 'int' },
  returns: {
    webhook_id: 'text',
    account_id: 'text?',
    next_due_at: 'int',
    max_in_flight: 'int?',
    max_per_second: 'int?',
    revision: 'int?',
    paused_until: 'int?',
  },
  sql: `with recursive hop(webhook_id) as (
          select (select d.webhook_id from deliveries d where d.status = 'pending' and d.webhook_id > :after
            order by d.webhook_id limit 1)
          union all
          select (select d.webhook_id from deliveries d where d.status = 'pending' and d.webhook_id > hop.webhook_id
            order by d.webhook_id limit 1) from hop where hop.webhook_id is not null
        ), waiting as (select webhook_id from hop where webhook_id is not null limit :count)
        select waiting.webhook_id, w.account_id,
          (select d.due_at from deliveries d where d.webhook_id = waiting.webhook_id and d.status = 'pending'
            order by d.due_at limit 1) as next_due_at,
          w.max_in_flight, w.max_per_second, w.revision, s.paused_until
        from waiting left join webhooks w on w.id = waiting.webhook_id
          left join webhook_states s on s.webhook_id = waiting.webhook_id
        order by waiting.webhook_id`,
})

export type WaitingWebhook = RowOf<(typeof listWaiting)['returns']>

export const claimedColumns = {
  id: 'text',
  webhook_id: 'text',
  account_id: 'text',
  event_id: 'text',
  type: 'text',
  subject: 'text?',
  due_at: 'int',
  attempts: 'int',
  step: 'int',
  cause: 'text',
  created_at: 'int',
  claim: 'text',
  lease_until: 'int',
  body: 'text?',
  /** Of what caused the event. */
  traceparent: 'text?',
} as const

export type ClaimedDelivery = RowOf<typeof claimedColumns>

export const claimInput = {
  webhook_id: 'text',
  /** How many this process can take. */
  room: 'int',
  /** Requests that may be under way to the webhook, from all processes together. */
  cap: 'int',
  /** What a process may hold that is alone with the webhook: the same and some to wait in memory. */
  ceiling: 'int',
  per_second: 'int?',
  now: 'int',
  lease_until: 'int',
  /** Names the process; every claim begins with it. */
  worker: 'text',
  claim: 'text',
} as const

const own = `deliveries.id, webhook_id, deliveries.account_id, event_id, deliveries.type, deliveries.subject, due_at, attempts,
  step, cause, deliveries.created_at, claim, lease_until`

/**
 * No two deliveries of one message are under way to one webhook at a time, on whatever node. Not an `exists`: PostgreSQL
 * would make it a join, and look through everything under way to the webhook for each delivery. Not `is null`: it takes
 * that for a condition that few rows meet, and then reads and sorts the whole backlog instead of its beginning.
 */
const laneFree = `(select 1 from deliveries other where other.webhook_id = waiting.webhook_id
  and other.status = 'sending' and other.subject = waiting.subject limit 1) is distinct from 1`

/**
 * What may be claimed beside what is held already, by all processes. While two hold some, all of it could be under way
 * at once, so nothing is claimed ahead: the sum stays at the cap.
 */
const left = `(select case when max(case when substr(held.claim, 1, length(rows.worker)) = rows.worker then 0 else 1 end) = 1
    then rows.cap else rows.ceiling end - count(*)
  from deliveries held where held.webhook_id = rows.webhook_id and held.status = 'sending')`

/**
 * PostgreSQL, first statement of a claim: locks each webhook named, or leaves it out if another process has its lock. A
 * statement sees what was committed before it began. Only because the lock was taken in the statement before, the claim
 * sees everything that is under way to its webhooks; without, two nodes would both count nothing and both send.
 */
export const lockWebhooks = operation({
  name: 'deliveries.take_turns',
  input: { webhook_id: 'text' },
  returns: { locked: 'text' },
  alone: true,
  sql: `select set_config('postern.locked', coalesce(string_agg(webhook_id, ' '), ''), true) as locked
        from rows where pg_try_advisory_xact_lock(hashtextextended(webhook_id, 0))`,
})

/** Starts that `max_per_second` leaves, all nodes together; what was not used adds up for one second. */
const tokens = `(select floor(least(rows.per_second, (rows.now - s.paced_at) * rows.per_second / 1000.0))::bigint
  from webhook_states s where s.webhook_id = rows.webhook_id and rows.per_second is not null)`

/**
 * Takes due deliveries, up to so many of each webhook named: nobody's backlog is in anybody's way. One statement on
 * PostgreSQL, where nodes compete; one per webhook on SQLite, which has no lateral join and one writer.
 *
 * What another transaction holds is left for the next claim, with all that is due of its message: of two that give back the
 * same delivery at once, the second changes nothing and still holds it. Were it only skipped, the next event of the
 * message would overtake it.
 */
export const claimDeliveries = {
  sqlite: operation({
    name: 'deliveries.claim',
    input: claimInput,
    returns: claimedColumns,
    alone: true,
    sql: `update deliveries set status = 'sending', claim = (select claim from rows),
            lease_until = (select lease_until from rows)
          where id in (
            select waiting.id from deliveries waiting
            where waiting.webhook_id = (select webhook_id from rows) and waiting.status = 'pending'
              and waiting.due_at <= (select now from rows) and ${laneFree}
            order by waiting.due_at, waiting.id
            limit (select max(0, min(rows.room, ${left})) from rows))
          returning ${own}, (select body from events where events.id = deliveries.event_id) as body,
            (select traceparent from events where events.id = deliveries.event_id) as traceparent`,
  }),
  postgres: operation({
    name: 'deliveries.claim',
    input: claimInput,
    returns: claimedColumns,
    alone: true,
    ctes: `due as materialized (
      select first.*, rows.claim as new_claim, rows.lease_until as new_lease_until
      from rows cross join lateral (
        select waiting.ctid as place, waiting.subject as message, waiting.event_id as event from deliveries waiting
        where waiting.webhook_id = rows.webhook_id and waiting.status = 'pending' and waiting.due_at <= rows.now
          and ${laneFree}
        order by waiting.due_at, waiting.id
        limit greatest(0, least(rows.room, ${tokens}, ${left}))) first
      where rows.webhook_id = any (string_to_array(current_setting('postern.locked'), ' '))),
    free as materialized (
      select due.* from due join deliveries waiting on waiting.ctid = due.place and waiting.status = 'pending'
      for update of waiting skip locked),
    picked as (
      select * from free
      where message is null or message not in (
        select message from due where message is not null and place not in (select place from free)))`,
    sql: `update deliveries set status = 'sending', claim = picked.new_claim, lease_until = picked.new_lease_until
          from picked left join events on events.id = picked.event where deliveries.ctid = picked.place
          returning ${own}, events.body, events.traceparent`,
  }),
} satisfies Record<Engine, object>

/** PostgreSQL, last statement of a claim from webhooks with `max_per_second`: the starts are used up for all nodes. */
export const spendRate = operation({
  name: 'webhook_states.spend_pace',
  input: { webhook_id: 'text', per_second: 'int', now: 'int', claim: 'text' },
  alone: true,
  ctes: `taken as (
    select rows.webhook_id, rows.per_second, rows.now, count(*) as starts from rows
      join deliveries d on d.webhook_id = rows.webhook_id and d.status = 'sending' and d.claim = rows.claim
    group by rows.webhook_id, rows.per_second, rows.now order by rows.webhook_id)`,
  sql: `update webhook_states
        set paced_at = greatest(paced_at, taken.now - 1000) + taken.starts * 1000.0 / taken.per_second
        from taken where webhook_states.webhook_id = taken.webhook_id`,
})

/** The attempt failed at an address that is no longer the webhook's: the new one has not been asked yet. */
const moved = `rows.outcome = 'failed'
  and exists (select 1 from webhooks w where w.id = deliveries.webhook_id and w.url <> rows.url)`

/**
 * By its id alone, and only what is under way has a claim: asked for its status as well, PostgreSQL would look through
 * everything under way, because at a quiet hour it learnt that this is nothing.
 */
const held = 'deliveries.id = rows.id and deliveries.claim = rows.claim'

/** What becomes of a delivery by an attempt. */
export const finishChanges = `status = case when rows.status = 'pending' or ${moved} then ${waitingStatus} else rows.status end,
  due_at = case when ${moved} then rows.now else rows.due_at end,
  step = case when ${moved} then deliveries.step else rows.step end,
  attempts = deliveries.attempts + 1, cause = 'schedule',
  last_outcome = rows.outcome, last_attempt_at = rows.started_at, claim = null, lease_until = 0`

/** What became of an attempt. Counts only with the claim it was made under. Its topic wakes no engine: it would spin. */
export const finishDelivery = operation({
  name: 'deliveries.finish',
  input: {
    id: 'text',
    claim: 'text',
    url: 'text',
    status: 'text',
    now: 'int',
    due_at: 'int',
    step: 'int',
    outcome: 'text',
    started_at: 'int',
    enforce: 'int',
  },
  key: ['id'],
  returns: { id: 'text', account_id: 'text', status: 'text' },
  wakes: 'attempts',
  sql: `update deliveries set ${finishChanges}
        from rows where ${held}
        returning deliveries.id, deliveries.account_id, deliveries.status`,
})

/** Gives a claimed delivery back without an attempt. */
export const releaseDelivery = operation({
  name: 'deliveries.release',
  input: { id: 'text', claim: 'text', due_at: 'int', enforce: 'int' },
  key: ['id'],
  sql: `update deliveries set status = ${waitingStatus}, due_at = rows.due_at, claim = null, lease_until = 0
        from rows where ${held}`,
})

export const listExpiredLeases = query({
  name: 'deliveries.expired_leases',
  params: { now: 'int', count: 'int' },
  returns: { id: 'text', claim: 'text', due_at: 'int' },
  lane: 'list',
  sql: `select id, claim, due_at from deliveries where status = 'sending' and lease_until <= :now
        order by lease_until limit :count`,
})

/** Its event is gone: nothing is left that could be sent. */
export const dropDelivery = operation({
  name: 'deliveries.drop',
  input: { id: 'text', claim: 'text' },
  key: ['id'],
  sql: `update deliveries set status = 'expired', claim = null, lease_until = 0
        from rows where ${held}`,
})
