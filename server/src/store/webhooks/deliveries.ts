import { operation, query, type RowOf } from '../engine/operation.ts'

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
 * The same for a row of `deliveries` that was on its way; without a webhook, or at one whose receiver said it is gone,
 * there is nothing left to wait for. An event that happens later is skipped there, so that a replay can send it.
 */
export const waitingStatus = `coalesce((
  select case when w.active = 0 and w.disabled_reason = 'gone' then 'cancelled' else ${waitingAt} end
  from webhooks w where w.id = deliveries.webhook_id), 'cancelled')`

/**
 * One delivery for each webhook that wants the event, in the transaction of the event itself. The id is that of the
 * event with two digits behind it, so that it is unique, sorts by time and needs nothing from outside.
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
    message_id: 'text?',
    now: 'int',
    due_at: 'int',
    enforce: 'int',
    except_webhook_id: 'text?',
  },
  wakes: 'deliveries',
  sql: `insert into deliveries (id, webhook_id, account_id, event_id, type, subject, message_id, status, due_at, attempts, step,
          cause, lease_until, created_at)
        select 'dlv_' || substr(event_id, 5) || case when place < 10 then '0' else '' end || cast(place as text),
          webhook_id, account_id, event_id, type, subject, message_id, status, due_at, 0, 0, 'schedule', 0, now
        from (
          select rows.event_id, rows.account_id, rows.type, rows.subject, rows.message_id, rows.now, rows.due_at, w.id as webhook_id,
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
  sql: `update deliveries set status = 'pending', due_at = rows.now
        from rows where deliveries.webhook_id = rows.webhook_id and deliveries.status = 'held'`,
})

/** In two parts, each with an index of its own; together they would read everything that ever went to the webhook. */
const waitingFor = `id in (select id from (
  select id from deliveries where webhook_id = (select webhook_id from rows) and status = 'pending'
  union all
  select id from deliveries where webhook_id = (select webhook_id from rows) and status = 'held') waiting)`

/** What waits for a webhook that is no more, or whose receiver is gone, comes to its end. */
export const cancelWaiting = operation({
  name: 'deliveries.cancel_waiting',
  input: { webhook_id: 'text' },
  returns: { type: 'text' },
  alone: true,
  sql: `update deliveries set status = 'cancelled' where ${waitingFor} returning type`,
})

/** What waits for a webhook changes its state with it: to be held again, or skipped. */
export const moveWaiting = operation({
  name: 'deliveries.move_waiting',
  input: { webhook_id: 'text', status: 'text' },
  key: ['webhook_id'],
  alone: true,
  sql: `update deliveries set status = (select status from rows) where ${waitingFor}`,
})

/** A webhook `w` that something can wait for: nothing will ever go to one that is off, or failed its check. */
export const sendable = `w.active = 1 and (rows.enforce = 0 or w.verification <> 'failed')`

/**
 * A retry by hand takes the place of the automatic one: a waiting delivery keeps its step, a finished one starts over.
 * One that is under way stays as it is, so ten retries at once make one attempt.
 */
export const retryDelivery = operation({
  name: 'deliveries.retry',
  input: { id: 'text', webhook_id: 'text', now: 'int', enforce: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'deliveries',
  sql: `update deliveries set
          status = case when deliveries.status = 'sending' then 'sending' else ${waitingStatus} end,
          due_at = case when deliveries.status = 'sending' then deliveries.due_at else rows.now end,
          step = case when deliveries.status in ('pending', 'sending', 'held') then deliveries.step else 0 end,
          cause = case when deliveries.status = 'sending' then deliveries.cause else 'manual' end
        from rows where deliveries.id = rows.id and deliveries.webhook_id = rows.webhook_id
          and exists (select 1 from webhooks w where w.id = rows.webhook_id and ${sendable})
        returning deliveries.id, deliveries.account_id`,
})

export const findDelivery = query({
  name: 'deliveries.find',
  params: { id: 'text', webhook_id: 'text' },
  returns: { ...deliveryColumns, body: 'text?' },
  sql: `select d.id, d.webhook_id, d.event_id, d.type, d.message_id, d.status, d.due_at, d.attempts, d.created_at,
          (select e.body from events e where e.id = d.event_id) as body
        from deliveries d where d.id = :id and d.webhook_id = :webhook_id`,
})

/** What still waits is never deleted, however old it is or the clock says it is. */
const finished = `status not in ('pending', 'sending', 'held')`

/** The oldest by primary key, behind `after`; a run without work costs nothing. */
export const listOldestDeliveries = query({
  name: 'deliveries.oldest',
  params: { after: 'text', count: 'int' },
  returns: { id: 'text', created_at: 'int', waits: 'int' },
  lane: 'list',
  sql: `select id, created_at, case when ${finished} then 0 else 1 end as waits
        from deliveries where id > :after order by id limit :count`,
})

export const deleteFinishedDelivery = operation({
  name: 'deliveries.delete_finished',
  input: { id: 'text' },
  key: ['id'],
  sql: `delete from deliveries where id in (select id from rows) and ${finished}`,
})

/** Held for too long: replay can still send it. */
export const skipOldHeld = operation({
  name: 'deliveries.skip_old_held',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `old as (select id from deliveries where status = 'held' and created_at < (select before from rows)
           order by created_at limit (select count from rows))`,
  sql: `update deliveries set status = 'skipped' where id {in:old} and status = 'held' returning id`,
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
          select (select d.webhook_id from deliveries d where d.status = 'held' and d.webhook_id > ''
            order by d.webhook_id limit 1)
          union all
          select (select d.webhook_id from deliveries d where d.status = 'held' and d.webhook_id > hop.webhook_id
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
  ctes: `held as (select id from deliveries where webhook_id = (select webhook_id from rows) and status = 'held'
           order by id limit (select count from rows))`,
  sql: `update deliveries set status = ${waitingStatus.replaceAll('rows.enforce', '(select enforce from rows)')},
          due_at = (select now from rows)
        where id {in:held} and status = 'held'
        returning id, account_id`,
})

/** Webhooks with more waiting than is allowed, and the oldest id that may stay. */
export const listOverfull = query({
  name: 'deliveries.overfull',
  params: { pending_max: 'int' },
  returns: { webhook_id: 'text', account_id: 'text', keep_from: 'text', overfull_since: 'int?' },
  lane: 'list',
  sql: `select w.id as webhook_id, w.account_id,
          (select d.id from deliveries d where d.webhook_id = w.id and d.status = 'pending'
             order by d.id desc limit 1 offset :pending_max - 1) as keep_from, s.overfull_since
        from webhooks w join webhook_states s on s.webhook_id = w.id
        where (select count(*) from (select 1 from deliveries d where d.webhook_id = w.id and d.status = 'pending'
          limit :pending_max + 1) found) > :pending_max`,
})

/** By the index of what is pending: that of the ids has everything that was ever sent too. */
export const expireOverfull = operation({
  name: 'deliveries.expire_overfull',
  input: { webhook_id: 'text', keep_from: 'text' },
  key: ['webhook_id'],
  sql: `update deliveries set status = 'expired'
        from rows where deliveries.webhook_id = rows.webhook_id and deliveries.status = 'pending'
          and (deliveries.id || '') < rows.keep_from`,
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
          (select count(*) from deliveries where status = 'sending') as leased,
          min(case when due_at <= :now and s.failing_since is null and coalesce(s.paused_until, 0) <= :now
            then due_at end) as oldest
        from deliveries left join webhook_states s on s.webhook_id = deliveries.webhook_id where status = 'pending'`,
})
