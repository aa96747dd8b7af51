import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

/** Stores a body as it came; a repeat of the same bytes changes nothing. */
export const insertCallback = operation({
  name: 'callbacks.insert',
  input: {
    id: 'text',
    channel_id: 'text',
    account_id: 'text',
    body_hash: 'text',
    body: 'blob',
    received_at: 'int',
  },
  key: ['channel_id', 'body_hash'],
  wakes: 'callbacks',
  sql: `insert into callbacks (id, channel_id, account_id, body_hash, body, received_at, attempts, lease_until)
        select id, channel_id, account_id, body_hash, body, received_at, 0, 0 from rows where true
        on conflict (channel_id, body_hash) do nothing`,
})

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
          select (select c.account_id from callbacks c where c.applied_at is null and c.account_id > :after
            order by c.account_id limit 1)
          union all
          select (select c.account_id from callbacks c where c.applied_at is null and c.account_id > hop.account_id
            order by c.account_id limit 1) from hop where hop.account_id is not null
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
          select (select c.account_id from callbacks c where c.applied_at is null order by c.account_id limit 1)
          union all
          select (select c.account_id from callbacks c where c.applied_at is null and c.account_id > hop.account_id
            order by c.account_id limit 1) from hop where hop.account_id is not null
        )
        select min((select c.received_at from callbacks c where c.applied_at is null and c.account_id = hop.account_id
          order by c.id limit 1)) as at
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
  ctes: `open as (select id, length(body) as size from callbacks
           where account_id = (select account_id from rows) and applied_at is null
             and lease_until <= (select now from rows)
           order by id limit (select count from rows) {skip_locked}),
         sized as (select id, sum(size) over (order by id) - size as before from open),
         due as (select id from sized where before < (select bytes from rows))`,
  sql: `update callbacks set claim = (select claim from rows), lease_until = (select lease_until from rows),
          attempts = attempts + 1
        where id {in:due}
        returning id, channel_id, account_id, body, received_at, attempts, claim`,
})

/** Ends a callback, if it is still ours. */
export const finishCallback = operation({
  name: 'callbacks.finish',
  input: { id: 'text', claim: 'text', now: 'int' },
  key: ['id'],
  sql: `update callbacks set applied_at = rows.now, claim = null, lease_until = 0
        from rows where callbacks.id = rows.id and callbacks.claim = rows.claim`,
})

/** Holds on to a callback, or with `claim_after` null gives it back for later. */
export const leaseCallback = operation({
  name: 'callbacks.lease',
  input: { id: 'text', claim: 'text', claim_after: 'text?', lease_until: 'int' },
  key: ['id'],
  sql: `update callbacks set claim = rows.claim_after, lease_until = rows.lease_until
        from rows where callbacks.id = rows.id and callbacks.claim = rows.claim`,
})

/** Whether callbacks of an account are stored and not applied yet. */
export const findUnappliedCallback = query({
  name: 'callbacks.find_unapplied',
  params: { account_id: 'text' },
  returns: { id: 'text' },
  sql: 'select id from callbacks where account_id = :account_id and applied_at is null limit 1',
})

/** Whether there is anything to do, so that an idle process writes nothing. */
export const dueCallbackWork = query({
  name: 'callbacks.due_work',
  params: { now: 'int' },
  returns: { callbacks: 'int', items: 'int' },
  sql: `select
          case when exists (select 1 from callbacks where applied_at is null and lease_until <= :now)
            then 1 else 0 end as callbacks,
          case when exists (select 1 from callback_items where state = 'waiting' and due_at <= :now)
            then 1 else 0 end as items`,
})

/** Deletes a bounded number of applied ones, so that one run never holds the writer for long. */
export const expireCallbacks = expireBefore({
  table: 'callbacks',
  key: ['id'],
  time: 'received_at',
  only: 'applied_at is not null',
})
