import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

/** `item` is JSON; `state` is applied, waiting (comes again at due_at) or unhandled, and `reason` says why. */
export const callbackItemColumns = {
  channel_id: 'text',
  key_hash: 'text',
  account_id: 'text',
  callback_id: 'text',
  kind: 'text',
  state: 'text',
  reason: 'text?',
  item: 'text',
  received_at: 'int',
  attempts: 'int',
  due_at: 'int',
  expires_at: 'int',
  updated_at: 'int',
} as const

export type CallbackItemRow = RowOf<typeof callbackItemColumns>
const columns = Object.keys(callbackItemColumns).join(', ')
const key = ['channel_id', 'key_hash'] as const

/** The unique key drops repeats; only one that waits can still change its state. */
export const recordCallbackItem = operation({
  name: 'callback_items.record',
  input: callbackItemColumns,
  key,
  wakes: 'callbacks',
  sql: `insert into callback_items (${columns}) select ${columns} from rows where true
        on conflict (channel_id, key_hash) do update set state = excluded.state, reason = excluded.reason,
          updated_at = excluded.updated_at
        where callback_items.state = 'waiting' and excluded.state <> 'waiting'`,
})

/** Those of the given items that were settled before. */
export const settledCallbackItems = query({
  name: 'callback_items.settled',
  params: { channel_ids: 'text[]', key_hashes: 'text[]' },
  returns: { channel_id: 'text', key_hash: 'text' },
  sql: `select channel_id, key_hash from callback_items
        where channel_id in {list:channel_ids} and key_hash in {list:key_hashes} and state <> 'waiting'`,
})

const claimedColumns = { ...callbackItemColumns, claim: 'text' } as const
export type ClaimedCallbackItem = RowOf<typeof claimedColumns>

/** Takes waiting items whose time has come; `due_at` is their lease meanwhile. */
export const claimCallbackItems = operation({
  name: 'callback_items.claim',
  input: { now: 'int', lease_until: 'int', claim: 'text', count: 'int' },
  returns: claimedColumns,
  alone: true,
  ctes: `due as (select channel_id, key_hash from callback_items
           where state = 'waiting' and due_at <= (select now from rows)
           order by due_at limit (select count from rows) {skip_locked})`,
  sql: `update callback_items set claim = (select claim from rows), due_at = (select lease_until from rows),
          attempts = attempts + 1
        where (channel_id, key_hash) in (select channel_id, key_hash from due)
        returning ${columns}, claim`,
})

/** What became of a claimed item: settled, or to come again at `due_at`. */
export const settleCallbackItem = operation({
  name: 'callback_items.settle',
  input: {
    channel_id: 'text',
    key_hash: 'text',
    claim: 'text',
    state: 'text',
    reason: 'text?',
    due_at: 'int',
    now: 'int',
  },
  key,
  sql: `update callback_items set state = rows.state, reason = rows.reason, due_at = rows.due_at, claim = null,
          updated_at = rows.now
        from rows where callback_items.channel_id = rows.channel_id and callback_items.key_hash = rows.key_hash
          and callback_items.claim = rows.claim`,
})

/** A message or status that found its place: its own table knows it from now on. */
export const dropCallbackItem = operation({
  name: 'callback_items.drop',
  input: { channel_id: 'text', key_hash: 'text', claim: 'text' },
  key,
  sql: `delete from callback_items where (channel_id, key_hash, claim) in (select channel_id, key_hash, claim from rows)`,
})

export const expireCallbackItems = expireBefore({
  table: 'callback_items',
  key: ['channel_id', 'key_hash'],
  time: 'updated_at',
  only: "state <> 'waiting'",
})
