import type { Engine } from '../engine/dialect.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'
import type { Unit } from '../engine/unit.ts'

const receivedColumns = {
  id: 'text',
  channel_id: 'text',
  account_id: 'text',
  hash: 'blob',
  body: 'blob',
  received_at: 'int',
} as const

type ReceivedCallback = RowOf<typeof receivedColumns>

const queued = 'account_id, id, channel_id, size, received_at, attempts, lease_until, body'
const toQueue = 'account_id, id, channel_id, length(body), received_at, 0, 0, body'
const noteSeen = `insert into callback_seen (hash, seen_at)
  select hash, received_at - received_at % 3600000 from rows where true on conflict do nothing`

/** PostgreSQL: in one statement, because a repeat may be on its way beside it. Only who notes the hash stores the body. */
const storeFresh = operation({
  name: 'callbacks.insert',
  input: receivedColumns,
  key: ['hash'],
  wakes: 'callbacks',
  ctes: `seen as (${noteSeen} returning hash)`,
  sql: `insert into callback_queue (${queued}) select ${toQueue} from rows where hash in (select hash from seen)`,
})

/** SQLite, which has one writer: what is new, and then that it is known. */
const isFresh = 'not exists (select 1 from callback_seen s where s.hash = rows.hash)'
export const insertCallback = {
  postgres: [storeFresh],
  sqlite: [
    operation({
      name: 'callbacks.insert',
      input: receivedColumns,
      key: ['hash'],
      wakes: 'callbacks',
      sql: `insert into callback_queue (${queued}) select ${toQueue} from rows where ${isFresh}`,
    }),
    operation({ name: 'callback_seen.insert', input: receivedColumns, key: ['hash'], sql: noteSeen }),
  ],
} satisfies Record<Engine, object>

/** Stores a body as it came; a repeat of the same bytes changes nothing. */
export function addCallback(unit: Unit, engine: Engine, callback: ReceivedCallback): void {
  for (const step of insertCallback[engine]) unit.add(step, callback)
}

const claimedColumns = {
  id: 'text',
  channel_id: 'text',
  account_id: 'text',
  body: 'blob',
  received_at: 'int',
  attempts: 'int',
  claim: 'text',
} as const

export type ClaimedCallback = RowOf<typeof claimedColumns>

/**
 * Accounts with something to apply, after `after` in the order of their ids. It hops from one account to the next in the
 * index, so one with a million callbacks costs as much as one with a single one.
 */
export const callbackAccounts = query({
  name: 'callbacks.accounts',
  params: { after: 'text', count: 'int' },
  returns: { account_id: 'text' },
  sql: `with recursive hop(account_id) as (
          select (select q.account_id from callback_queue q where q.account_id > :after order by q.account_id limit 1)
          union all
          select (select q.account_id from callback_queue q where q.account_id > hop.account_id
            order by q.account_id limit 1) from hop where hop.account_id is not null
        )
        select account_id from hop where account_id is not null limit :count`,
})

/** When the oldest one that is not applied came in; ids are ordered by time, so it is the first of some account. */
export const oldestUnappliedCallback = query({
  name: 'callbacks.oldest_unapplied',
  params: {},
  returns: { at: 'int?' },
  lane: 'list',
  sql: `with recursive hop(account_id) as (
          select (select q.account_id from callback_queue q order by q.account_id limit 1)
          union all
          select (select q.account_id from callback_queue q where q.account_id > hop.account_id
            order by q.account_id limit 1) from hop where hop.account_id is not null
        )
        select min((select q.received_at from callback_queue q where q.account_id = hop.account_id
          order by q.id limit 1)) as at
        from hop where account_id is not null`,
})

/**
 * Takes the oldest of one account for a while, as jobs are taken, until their bodies have `bytes`; the rows come in no
 * order.
 */
export const claimCallbacks = operation({
  name: 'callbacks.claim',
  input: { account_id: 'text', now: 'int', lease_until: 'int', claim: 'text', count: 'int', bytes: 'int' },
  returns: claimedColumns,
  alone: true,
  ctes: `open as (select id, size from callback_queue
           where account_id = (select account_id from rows) and lease_until <= (select now from rows)
           order by id limit (select count from rows) {skip_locked}),
         sized as (select id, sum(size) over (order by id) - size as before from open),
         due as (select id from sized where before < (select bytes from rows))`,
  sql: `update callback_queue set claim = (select claim from rows), lease_until = (select lease_until from rows),
          attempts = attempts + 1
        where account_id = (select account_id from rows) and id {in:due}
        returning id, channel_id, account_id, body, received_at, attempts, claim`,
})

const ours = { account_id: 'text', id: 'text', claim: 'text' } as const

/** Ends a callback, if it is still ours. */
export const finishCallback = operation({
  name: 'callbacks.finish',
  input: ours,
  key: ['id'],
  sql: `delete from callback_queue where (account_id, id, claim) in (select account_id, id, claim from rows)`,
})

/** Holds on to a callback, or with `claim_after` null gives it back for later. */
export const leaseCallback = operation({
  name: 'callbacks.lease',
  input: { ...ours, claim_after: 'text?', lease_until: 'int' },
  key: ['id'],
  sql: `update callback_queue set claim = rows.claim_after, lease_until = rows.lease_until
        from rows where callback_queue.account_id = rows.account_id and callback_queue.id = rows.id
          and callback_queue.claim = rows.claim`,
})

/** Whether callbacks of an account are stored and not applied yet. */
export const findUnappliedCallback = query({
  name: 'callbacks.find_unapplied',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: 'select id from callback_queue where account_id = :account_id limit 1',
})

/** Whether there is anything to do, so that an idle process writes nothing. */
export const dueCallbackWork = query({
  name: 'callbacks.due_work',
  params: { now: 'int' },
  returns: { callbacks: 'int', items: 'int' },
  sql: `select
          case when exists (select 1 from callback_queue where lease_until <= :now) then 1 else 0 end as callbacks,
          case when exists (select 1 from callback_items where state = 'waiting' and due_at <= :now)
            then 1 else 0 end as items`,
})

export const expireSeenCallbacks = expireBefore({ table: 'callback_seen', key: ['hash'], time: 'seen_at' })
