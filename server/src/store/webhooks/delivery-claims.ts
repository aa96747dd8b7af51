import type { Engine } from '../engine/dialect.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'
import { Unit } from '../engine/unit.ts'
import { endDeliveries, unclaimed, waitingStatus } from './deliveries.ts'
import { eventParts, eventPartsOf } from './events.ts'

/** Of one webhook, by all processes: 64 under way, and what is claimed ahead of them (`aheadMax`). */
const claimedMax = 1_600

/**
 * Webhooks with something waiting that nobody has claimed, after `after` in the order of their ids, and when their next
 * delivery is due. It hops from one webhook to the next in the index of what waits, so a webhook with 300,000 deliveries costs
 * as much as one with a single one.
 */
export const listWaiting = query({
  name: 'deliveries.waiting_webhooks',
  params: { after: 'text', count: 'int' },
  returns: {
    webhook_id: 'text',
    account_id: 'text?',
    next_due_at: 'int?',
    max_in_flight: 'int?',
    max_per_second: 'int?',
    revision: 'int?',
    paused_until: 'int?',
  },
  sql: `with recursive hop(webhook_id) as (
          select (select d.webhook_id from delivery_queue d where d.status = 'pending' and d.webhook_id > :after
            order by d.webhook_id limit 1)
          union all
          select (select d.webhook_id from delivery_queue d where d.status = 'pending' and d.webhook_id > hop.webhook_id
            order by d.webhook_id limit 1) from hop where hop.webhook_id is not null
        ), waiting as (select webhook_id from hop where webhook_id is not null limit :count)
        select waiting.webhook_id, w.account_id,
          (select first.due_at from (select d.id, d.due_at from delivery_queue d
              where d.webhook_id = waiting.webhook_id and d.status = 'pending'
              order by d.due_at, d.id limit ${claimedMax + 1}) first
            where ${unclaimed('first')} order by first.due_at, first.id limit 1) as next_due_at,
          w.max_in_flight, w.max_per_second, w.revision, s.paused_until
        from waiting left join webhooks w on w.id = waiting.webhook_id
          left join webhook_states s on s.webhook_id = waiting.webhook_id
        order by waiting.webhook_id`,
})

export type WaitingWebhook = RowOf<(typeof listWaiting)['returns']>

const claimedColumns = {
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
  /** As it is stored, see events/publish-event.ts. */
  body: 'text?',
  ...eventParts,
  /** Of what goes to relays, with what only one of them gets. */
  facts: 'text?',
  /** Of what caused the event. */
  traceparent: 'text?',
} as const

export type ClaimedDelivery = RowOf<typeof claimedColumns>

export const claimInput = {
  webhook_id: 'text',
  /** Free capacity of this process. */
  room: 'int',
  /** Requests that may be under way to the webhook, from all processes together. */
  cap: 'int',
  /** Maximum claims of the only process with this webhook: its capacity, and some to wait in memory. */
  ceiling: 'int',
  per_second: 'int?',
  now: 'int',
  lease_until: 'int',
  /** Names the process; every claim begins with it. */
  worker: 'text',
  claim: 'text',
} as const

/** No two deliveries of one message are under way to one webhook at a time, on whatever node. */
const laneFree = `(select 1 from delivery_claims other where other.webhook_id = waiting.webhook_id
  and other.subject = waiting.subject limit 1) is distinct from 1`

/** Claimable pending deliveries. Not `is null`: PostgreSQL takes that for a condition that few rows meet. */
const claimable = `waiting.status = 'pending' and ${unclaimed('waiting')} and ${laneFree}`

/**
 * What may be claimed beside what is held already, by all processes. While two hold some, all of it could be under way
 * at once, so nothing is claimed ahead: the sum stays at the cap.
 */
const left = `(select case when max(case when substr(held.claim, 1, length(rows.worker)) = rows.worker then 0 else 1 end) = 1
    then rows.cap else rows.ceiling end - count(*)
  from delivery_claims held where held.webhook_id = rows.webhook_id)`

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
 * PostgreSQL, where nodes compete; one per webhook on SQLite, which has no lateral join and one writer. `readClaimed` is
 * next.
 *
 * What another transaction holds is left for the next claim, with all that is due of its message: were it only skipped, the
 * next event of the message would overtake it.
 */
export const claimDeliveries = {
  sqlite: operation({
    name: 'deliveries.claim',
    input: claimInput,
    alone: true,
    sql: `insert into delivery_claims (delivery_id, webhook_id, subject, claim, lease_until)
          select waiting.id, waiting.webhook_id, waiting.subject, (select claim from rows), (select lease_until from rows)
          from delivery_queue waiting
          where waiting.webhook_id = (select webhook_id from rows) and waiting.due_at <= (select now from rows)
            and ${claimable}
          order by waiting.due_at, waiting.id
          limit (select max(0, min(rows.room, ${left})) from rows)`,
  }),
  postgres: operation({
    name: 'deliveries.claim',
    input: claimInput,
    alone: true,
    ctes: `due as materialized (
      select first.*, rows.webhook_id, rows.claim, rows.lease_until
      from rows cross join lateral (
        select waiting.ctid as place, waiting.id, waiting.subject as message from delivery_queue waiting
        where waiting.webhook_id = rows.webhook_id and waiting.due_at <= rows.now and ${claimable}
        order by waiting.due_at, waiting.id
        limit greatest(0, least(rows.room, ${tokens}, ${left}))) first
      where rows.webhook_id = any (string_to_array(current_setting('postern.locked'), ' '))),
    free as materialized (
      select due.* from due join delivery_queue waiting on waiting.ctid = due.place and waiting.status = 'pending'
      for update of waiting skip locked)`,
    sql: `insert into delivery_claims (delivery_id, webhook_id, subject, claim, lease_until)
          select id, webhook_id, message, claim, lease_until from free
          where message is null or message not in (
            select message from due where message is not null and place not in (select place from free))
          on conflict (delivery_id) do nothing`,
  }),
} satisfies Record<Engine, object>

/** The claimed deliveries, with the bodies of their events. */
export const readClaimed = operation({
  name: 'deliveries.claimed',
  input: { webhook_id: 'text', claim: 'text' },
  returns: claimedColumns,
  alone: true,
  sql: `select q.id, q.webhook_id, q.account_id, 'evt_' || substr(q.id, 5, 26) as event_id, q.type, q.subject, q.due_at,
          q.attempts, q.step, q.cause, q.created_at, c.claim, c.lease_until, coalesce(e.body, r.body) as body, ${eventPartsOf}, r.facts, e.traceparent
        from rows join delivery_claims c on c.webhook_id = rows.webhook_id and c.claim = rows.claim
          join delivery_queue q on q.webhook_id = c.webhook_id and q.id = c.delivery_id
          left join events e on e.id = 'evt_' || substr(q.id, 5, 26)
          left join relay_items r on r.id = case when q.type like 'relay.%' then 'evt_' || substr(q.id, 5, 26) end`,
})

/** PostgreSQL, last statement of a claim from webhooks with `max_per_second`: the starts are used up for all nodes. */
export const spendRate = operation({
  name: 'webhook_states.spend_pace',
  input: { webhook_id: 'text', per_second: 'int', now: 'int', claim: 'text' },
  alone: true,
  ctes: `taken as (
    select rows.webhook_id, rows.per_second, rows.now, count(*) as starts from rows
      join delivery_claims d on d.webhook_id = rows.webhook_id and d.claim = rows.claim
    group by rows.webhook_id, rows.per_second, rows.now order by rows.webhook_id)`,
  sql: `update webhook_states
        set paced_at = greatest(paced_at, taken.now - 1000) + taken.starts * 1000.0 / taken.per_second
        from taken where webhook_states.webhook_id = taken.webhook_id`,
})

/** The attempt failed at an address that is no longer the webhook's: the new one has not been asked yet. */
const moved = `rows.outcome = 'failed' and exists (
  select 1 from webhooks w where w.id = delivery_queue.webhook_id and w.url <> rows.url)`

/** Only the holder of the claim decides. By the id of the delivery: the claims of one are none or one. */
const held = `delivery_queue.webhook_id = rows.webhook_id and delivery_queue.id = rows.id
  and exists (select 1 from delivery_claims c where c.delivery_id = rows.id and c.claim = rows.claim)`

/** The effect of an attempt on its delivery. */
export const statusAfter = `case when rows.status = 'pending' or ${moved} then ${waitingStatus} else rows.status end`
export const finishChanges = `due_at = case when ${moved} then rows.now else rows.due_at end,
  step = case when ${moved} then delivery_queue.step else rows.step end,
  attempts = delivery_queue.attempts + 1, cause = 'schedule',
  last_outcome = rows.outcome, last_attempt_at = rows.started_at`

/**
 * SQLite. What became of an attempt, which counts only with the claim it was made under. Its topic wakes no engine: it
 * would spin.
 */
export const finishDelivery = operation({
  name: 'deliveries.finish',
  input: {
    id: 'text',
    webhook_id: 'text',
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
  sql: `update delivery_queue set status = ${statusAfter}, ${finishChanges} from rows where ${held}
        returning delivery_queue.id, delivery_queue.account_id, delivery_queue.status`,
})

const claimed = { id: 'text', webhook_id: 'text', claim: 'text' } as const

export const waitAgain = operation({
  name: 'deliveries.release',
  input: { ...claimed, due_at: 'int', enforce: 'int' },
  key: ['id'],
  sql: `update delivery_queue set status = ${waitingStatus}, due_at = rows.due_at from rows where ${held}
          and (delivery_queue.due_at <> rows.due_at or delivery_queue.status <> ${waitingStatus})`,
})

/** Its event is gone: nothing is left that could be sent. */
export const expireClaimed = operation({
  name: 'deliveries.drop',
  input: claimed,
  key: ['id'],
  sql: `update delivery_queue set status = 'expired' from rows where ${held}`,
})

export const endClaim = operation({
  name: 'delivery_claims.end',
  input: { id: 'text', claim: 'text' },
  key: ['id'],
  sql: 'delete from delivery_claims where (delivery_id, claim) in (select id, claim from rows)',
})

type ClaimedRow = RowOf<typeof claimed>

/** Gives claimed deliveries back without an attempt. */
export function releaseUnit(engine: Engine, rows: readonly RowOf<(typeof waitAgain)['input']>[]): Unit {
  const unit = new Unit()
  unit.add(waitAgain, ...rows)
  unit.add(endClaim, ...rows.map(claimOf))
  return endDeliveries(unit, engine)
}

export function dropUnit(engine: Engine, row: ClaimedRow): Unit {
  const unit = new Unit()
  unit.add(expireClaimed, row)
  unit.add(endClaim, claimOf(row))
  return endDeliveries(unit, engine)
}

function claimOf({ id, claim }: Pick<ClaimedRow, 'id' | 'claim'>) {
  return { id, claim }
}

export const listExpiredLeases = query({
  name: 'deliveries.expired_leases',
  params: { now: 'int', count: 'int' },
  returns: { id: 'text', webhook_id: 'text', claim: 'text', due_at: 'int' },
  lane: 'list',
  sql: `select c.delivery_id as id, c.webhook_id, c.claim, q.due_at
        from delivery_claims c join delivery_queue q on q.webhook_id = c.webhook_id and q.id = c.delivery_id
        where c.lease_until <= :now order by c.lease_until limit :count`,
})
