import type { Engine } from '../engine/dialect.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'
import { Unit } from '../engine/unit.ts'
import { eventParts, eventPartsOf } from './events.ts'

export const deliveryColumns = {
  id: 'text',
  webhook_id: 'text',
  event_id: 'text',
  type: 'text',
  message_id: 'text?',
  status: 'text',
  due_at: 'int',
  attempts: 'int',
  created_at: 'int',
} as const

export type DeliveryRow = RowOf<typeof deliveryColumns>

/**
 * Where a delivery waits, by the state of its webhook `w`: nothing goes to an address whose owner has not answered the
 * challenge, and nothing to a webhook that is switched off. `rows.enforce` is 0 when the operator waived the check.
 */
const waitingAt = `case when w.active = 0 then 'skipped'
  when w.verification = 'verified' or rows.enforce = 0 then 'pending'
  when w.verification = 'pending' then 'held' else 'skipped' end`

/**
 * The same for a row of the queue that was on its way; without a webhook, or at one whose receiver said it is gone,
 * there is nothing left to wait for. An event that happens later is skipped there, so that a replay can send it.
 */
export const waitingStatus = `coalesce((
  select case when w.active = 0 and w.disabled_reason = 'gone' then 'cancelled' else ${waitingAt} end
  from webhooks w where w.id = delivery_queue.webhook_id), 'cancelled')`

/** Nobody has claimed row `q` of the queue. Not an `exists`: PostgreSQL would make it a join with all of the queue. */
export const unclaimed = (q: string) =>
  `(select 1 from delivery_claims c where c.delivery_id = ${q}.id limit 1) is distinct from 1`

/** The event of delivery `d`: its id is that of the event with two digits behind it, but for what listeners were handed. */
export const eventOf = (d: string) => `'evt_' || substr(${d}.id, 5, 26)`
export const messageOf = (d: string, event: string) => `case when ${d}.type like 'message.%'
  then (select e.subject from events e where e.id = ${event}) end`

/** Every delivery that meets a condition on `d`, waiting or ended, as one relation. */
export const anyDelivery = (where: string, join = '') => `(
    select d.id, d.webhook_id, d.account_id, ${eventOf('d')} as event_id, d.type,
      ${messageOf('d', eventOf('d'))} as message_id,
      case when d.status <> 'pending' or ${unclaimed('d')} then d.status else 'sending' end as status,
      d.due_at, d.attempts, d.step, d.cause, d.last_outcome, d.last_attempt_at, d.replay_id, d.created_at
    from delivery_queue d ${join} where ${where}
    union all
    select d.id, d.webhook_id, d.account_id, coalesce(d.event_id, ${eventOf('d')}) as event_id, d.type,
      ${messageOf('d', `coalesce(d.event_id, ${eventOf('d')})`)} as message_id,
      d.status, d.created_at as due_at, d.attempts, 0 as step, d.cause, d.last_outcome, d.last_attempt_at, d.replay_id,
      d.created_at
    from deliveries d ${join} where ${where})`

/**
 * One delivery for each webhook that wants the event, in the transaction of the event itself. The id is that of the
 * event with two digits behind it, so that it is unique, sorts by time and needs nothing from outside. What is skipped at
 * once is ended by the next `endDeliveries`: a send does not wait for it.
 */
export const fanOut = operation({
  name: 'deliveries.fan_out',
  input: {
    event_id: 'text',
    account_id: 'text',
    type: 'text',
    /** `message.*` for `message.sent`. */
    family: 'text',
    subject: 'text?',
    now: 'int',
    due_at: 'int',
    enforce: 'int',
    except_webhook_id: 'text?',
  },
  wakes: 'deliveries',
  sql: `insert into delivery_queue (id, webhook_id, account_id, type, subject, status, due_at, attempts, step, cause,
          created_at)
        select 'dlv_' || substr(event_id, 5) || case when place < 10 then '0' else '' end || cast(place as text),
          webhook_id, account_id, type, subject, status, due_at, 0, 0, 'schedule', now
        from (
          select rows.event_id, rows.account_id, rows.type, rows.subject, rows.now, rows.due_at, w.id as webhook_id,
            ${waitingAt} as status, row_number() over (partition by rows.event_id order by w.id) as place
          from rows join webhooks w on w.account_id = rows.account_id
          where (w.events = ' * ' or replace(w.events, ' ' || rows.type || ' ', '') <> w.events
              or replace(w.events, ' ' || rows.family || ' ', '') <> w.events)
            and (rows.except_webhook_id is null or w.id <> rows.except_webhook_id)
        ) wanted`,
})

/** Oldest first: all are due at once, and equal times go by id. */
export const releaseHeld = operation({
  name: 'deliveries.release_held',
  input: { webhook_id: 'text', account_id: 'text', now: 'int' },
  key: ['webhook_id'],
  wakes: 'deliveries',
  sql: `update delivery_queue set status = 'pending', due_at = rows.now
        from rows where delivery_queue.webhook_id = rows.webhook_id and delivery_queue.status = 'held'`,
})

/**
 * A change of the webhook moves at most so much of what waits with it; the rest, of a receiver that has been away for long,
 * follows as it is claimed and given back.
 */
const movedAtOnce = 10_000
const waitingFor = `waiting as (select q.id from delivery_queue q where q.webhook_id = (select webhook_id from rows)
  and q.status in ('pending', 'held') and ${unclaimed('q')} order by q.id limit ${movedAtOnce})`
const isWaiting = 'webhook_id = (select webhook_id from rows) and id {in:waiting}'

/** Ends the pending deliveries of a webhook that was deleted, or whose receiver returned 410. */
export const cancelWaiting = operation({
  name: 'deliveries.cancel_waiting',
  input: { webhook_id: 'text' },
  returns: { type: 'text' },
  alone: true,
  ctes: waitingFor,
  sql: `update delivery_queue set status = 'cancelled' where ${isWaiting} returning type`,
})

/** Pending deliveries change state with their webhook: they are held again, or skipped. */
export const moveWaiting = operation({
  name: 'deliveries.move_waiting',
  input: { webhook_id: 'text', status: 'text' },
  key: ['webhook_id'],
  alone: true,
  ctes: waitingFor,
  sql: `update delivery_queue set status = (select status from rows) where ${isWaiting}`,
})

const keptColumns =
  'webhook_id, id, account_id, type, subject, status, attempts, cause, last_outcome, last_attempt_at, replay_id, created_at'
const isOver = `status not in ('pending', 'held')`

/** Needs no input; a call has rows. */
const nothing = { _: 'int' } as const

/**
 * PostgreSQL in one statement, so that nothing can end between its two parts; SQLite has one writer, `dropEnded` is next.
 */
export const moveEnded = {
  postgres: operation({
    name: 'deliveries.end',
    input: nothing,
    alone: true,
    wakes: 'attempts',
    ctes: `ended as (delete from delivery_queue where ${isOver} returning ${keptColumns})`,
    sql: `insert into deliveries (${keptColumns}) select ${keptColumns} from ended where true on conflict do nothing`,
  }),
  sqlite: operation({
    name: 'deliveries.end',
    input: nothing,
    alone: true,
    wakes: 'attempts',
    sql: `insert into deliveries (${keptColumns}) select ${keptColumns} from delivery_queue where ${isOver}
          on conflict do nothing`,
  }),
} satisfies Record<Engine, object>

export const dropEnded = operation({
  name: 'delivery_queue.drop_ended',
  input: nothing,
  alone: true,
  sql: `delete from delivery_queue where ${isOver}`,
})

/**
 * Moves deliveries of the queue that ended without an attempt to where they stay. Until then they are shown as ended, and
 * nothing sends them; a regular job moves those that nobody moves at once.
 */
export function endDeliveries(unit: Unit, engine: Engine): Unit {
  unit.add(moveEnded[engine], { _: 0 })
  if (engine === 'sqlite') unit.add(dropEnded, { _: 0 })
  return unit
}

/** A webhook `w` that something can wait for: nothing will ever go to one that is off, or failed its check. */
export const sendable = `w.active = 1 and (rows.enforce = 0 or w.verification <> 'failed')`

/**
 * A retry by hand takes the place of the automatic one: a waiting delivery keeps its step, a finished one was put back at
 * the start. One that is under way stays as it is, so ten retries at once make one attempt.
 */
export const retryWaiting = operation({
  name: 'deliveries.retry',
  input: { id: 'text', webhook_id: 'text', now: 'int', enforce: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'deliveries',
  sql: `update delivery_queue set
          status = case when ${unclaimed('delivery_queue')} then ${waitingStatus} else delivery_queue.status end,
          due_at = case when ${unclaimed('delivery_queue')} then rows.now else delivery_queue.due_at end,
          cause = case when ${unclaimed('delivery_queue')} then 'manual' else delivery_queue.cause end
        from rows where delivery_queue.id = rows.id and delivery_queue.webhook_id = rows.webhook_id
          and exists (select 1 from webhooks w where w.id = rows.webhook_id and ${sendable})
        returning delivery_queue.id, delivery_queue.account_id`,
})

const backColumns = `webhook_id, id, account_id, type, subject, status, due_at, attempts, step, cause, last_outcome,
  last_attempt_at, replay_id, created_at`

/** An ended delivery `d` as a row of the queue again. */
export const backInQueue = (values: { status: string; due_at: string; cause: string; replay_id: string }) => ({
  columns: backColumns,
  values: `d.webhook_id, d.id, d.account_id, d.type, d.subject, ${values.status}, ${values.due_at}, d.attempts, 0,
    ${values.cause}, d.last_outcome, d.last_attempt_at, ${values.replay_id}, d.created_at`,
})

const back = backInQueue({ status: `'pending'`, due_at: 'rows.now', cause: `'manual'`, replay_id: 'd.replay_id' })

export const putBack = operation({
  name: 'deliveries.put_back',
  input: { id: 'text', webhook_id: 'text', now: 'int', enforce: 'int' },
  sql: `insert into delivery_queue (${back.columns}) select ${back.values}
        from rows join deliveries d on d.webhook_id = rows.webhook_id and d.id = rows.id and d.event_id is null
          join webhooks w on w.id = rows.webhook_id and ${sendable}
        where true on conflict do nothing`,
})

const putBackInput = { id: 'text', webhook_id: 'text' } as const
const isBack = `(d.webhook_id, d.id) in (select rows.webhook_id, rows.id from rows)
  and exists (select 1 from delivery_queue q where q.webhook_id = d.webhook_id and q.id = d.id)`

/** The attempt that an ended delivery held in its own row becomes one of the log. */
export const keptAttempt = `d.id as delivery_id, 'att_' || substr(d.id, 5) as id, d.webhook_id, 1 as number, d.cause,
  0 as late, d.url, d.last_attempt_at as started_at, d.duration_ms, d.status_code, d.remote_ip,
  '{}' as response_headers`
export const keptAttemptColumns = `delivery_id, id, webhook_id, number, cause, late, url, started_at, duration_ms, status_code, remote_ip,
  response_headers`

export const logKeptAttempt = operation({
  name: 'attempts.insert_kept',
  input: putBackInput,
  sql: `insert into attempts (${keptAttemptColumns}) select ${keptAttempt} from deliveries d
        where d.url is not null and ${isBack} on conflict do nothing`,
})

export const dropPutBack = operation({
  name: 'deliveries.drop_put_back',
  input: putBackInput,
  sql: `delete from deliveries where (webhook_id, id) in (select d.webhook_id, d.id from deliveries d where ${isBack})`,
})

/** Another attempt now, whatever became of the delivery. */
export function retryUnit(engine: Engine, retry: RowOf<(typeof retryWaiting)['input']>): Unit {
  const { id, webhook_id } = retry
  const unit = endDeliveries(new Unit(), engine)
  unit.add(putBack, retry)
  unit.add(logKeptAttempt, { id, webhook_id })
  unit.add(dropPutBack, { id, webhook_id })
  unit.add(retryWaiting, retry)
  return unit
}

export const findDelivery = query({
  name: 'deliveries.find',
  params: { id: 'text', webhook_id: 'text' },
  returns: { ...deliveryColumns, body: 'text?', ...eventParts, facts: 'text?' },
  lane: 'list',
  sql: `select d.id, d.webhook_id, d.event_id, d.type, d.message_id, d.status, d.due_at, d.attempts, d.created_at,
          coalesce(e.body, r.body) as body, ${eventPartsOf}, r.facts
        from ${anyDelivery('d.id = :id and d.webhook_id = :webhook_id')} d
          left join events e on e.id = d.event_id left join relay_items r on r.id = d.event_id`,
})

/** Held for too long: replay can still send it. */
export const skipOldHeld = operation({
  name: 'deliveries.skip_old_held',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `old as (select webhook_id, id from delivery_queue where status = 'held' and created_at < (select before from rows)
           order by created_at limit (select count from rows))`,
  sql: `update delivery_queue set status = 'skipped' where (webhook_id, id) in (select webhook_id, id from old)
          and status = 'held' returning id`,
})

/**
 * Webhooks with something held although nothing has to be proved: the event was committing while the challenge was
 * answered, or the operator waived the check. Hops from webhook to webhook in the index of what is held.
 */
export const listStranded = query({
  name: 'deliveries.stranded',
  params: { enforce: 'int' },
  returns: { webhook_id: 'text' },
  lane: 'list',
  sql: `with recursive hop(webhook_id) as (
          select (select d.webhook_id from delivery_queue d where d.status = 'held' and d.webhook_id > ''
            order by d.webhook_id limit 1)
          union all
          select (select d.webhook_id from delivery_queue d where d.status = 'held' and d.webhook_id > hop.webhook_id
            order by d.webhook_id limit 1) from hop where hop.webhook_id is not null
        )
        select webhook_id from hop where webhook_id is not null and not (:enforce = 1 and exists (
          select 1 from webhooks w where w.id = hop.webhook_id and w.active = 1 and w.verification = 'pending'))`,
})

/** The oldest first. `enforce` is looked at again: the webhook may have changed meanwhile. */
export const releaseStranded = operation({
  name: 'deliveries.release_stranded',
  input: { webhook_id: 'text', now: 'int', enforce: 'int', count: 'int' },
  returns: { id: 'text', account_id: 'text' },
  alone: true,
  wakes: 'deliveries',
  ctes: `held as (select id from delivery_queue where webhook_id = (select webhook_id from rows) and status = 'held'
           order by id limit (select count from rows))`,
  sql: `update delivery_queue set status = ${waitingStatus.replaceAll('rows.enforce', '(select enforce from rows)')},
          due_at = (select now from rows)
        where webhook_id = (select webhook_id from rows) and id {in:held} and status = 'held'
        returning id, account_id`,
})

/** Webhooks with something that has waited since before `oldest`, an id, hopping from one to the next. */
export const listOverdue = query({
  name: 'deliveries.overdue',
  params: { oldest: 'text' },
  returns: { webhook_id: 'text', account_id: 'text?', overfull_since: 'int?' },
  lane: 'list',
  sql: `with recursive hop(webhook_id) as (
          select (select d.webhook_id from delivery_queue d order by d.webhook_id limit 1)
          union all
          select (select d.webhook_id from delivery_queue d where d.webhook_id > hop.webhook_id
            order by d.webhook_id limit 1) from hop where hop.webhook_id is not null
        )
        select hop.webhook_id, w.account_id, s.overfull_since from hop
          left join webhooks w on w.id = hop.webhook_id left join webhook_states s on s.webhook_id = hop.webhook_id
        where hop.webhook_id is not null and exists (
          select 1 from delivery_queue d where d.webhook_id = hop.webhook_id and d.id < :oldest
            and d.status in ('pending', 'held') and ${unclaimed('d')})`,
})

/** A bounded number of them, the oldest first. */
export const expireOverdue = operation({
  name: 'deliveries.expire_overdue',
  input: { webhook_id: 'text', oldest: 'text', count: 'int' },
  returns: { id: 'text', type: 'text' },
  alone: true,
  ctes: `old as (select d.id from delivery_queue d where d.webhook_id = (select webhook_id from rows)
           and d.id < (select oldest from rows) and d.status in ('pending', 'held') and ${unclaimed('d')}
           order by d.id limit (select count from rows))`,
  sql: `update delivery_queue set status = 'expired'
        where webhook_id = (select webhook_id from rows) and id {in:old} returning id, type`,
})

/**
 * The oldest is that of webhooks that neither fail nor are paused: what waits for a receiver that is away says nothing about
 * this gateway.
 */
export const queueDepth = query({
  name: 'deliveries.depth',
  params: { now: 'int' },
  returns: { ready: 'int', scheduled: 'int', leased: 'int', oldest: 'int?' },
  lane: 'list',
  sql: `select coalesce(sum(case when due_at <= :now then 1 else 0 end), 0) as ready,
          coalesce(sum(case when due_at > :now then 1 else 0 end), 0) as scheduled,
          (select count(*) from delivery_claims) as leased,
          min(case when due_at <= :now and s.failing_since is null and coalesce(s.paused_until, 0) <= :now
            then due_at end) as oldest
        from delivery_queue d left join webhook_states s on s.webhook_id = d.webhook_id
        where status = 'pending' and ${unclaimed('d')}`,
})
