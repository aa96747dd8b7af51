import { createHash } from 'node:crypto'
import { publishRelays } from '../../events/publish-relay.ts'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { RelayPiece } from '../../platform/relay-dialect.ts'
import type { Runtime } from '../../runtime.ts'
import { type CallbackItemRow, recordCallbackItem, settledCallbackItems } from '../../store/channels/callback-items.ts'
import { type ClaimedCallback, finishCallback } from '../../store/channels/callbacks.ts'
import { noteChannelEvent } from '../../store/channels/channels.ts'
import { noteNumberInbound } from '../../store/channels/numbers.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { CallbackContext, ItemHandlers, ItemInContext } from './callback-items.ts'
import {
  countItems,
  countRepeats,
  type DispatchOutcome,
  dispatchItems,
  isDone,
  isRecorded,
  settle,
} from './callback-items.ts'
import { readRoutes } from './receive-callback.ts'
import { relayRound } from './relay-items.ts'

type Entry = { item: CallbackItem; callback: ClaimedCallback; context: CallbackContext | null }
type Outcome = DispatchOutcome | 'no_place'

/**
 * Applies stored callbacks. The order is: handlers write what they understand, then one unit records the rest and marks
 * the callbacks as applied, with what goes on to tools. After a crash in between everything runs again, and handlers find
 * their work done.
 */
export async function applyCallbacks(
  rt: Runtime,
  handlers: ItemHandlers,
  callbacks: readonly ClaimedCallback[],
): Promise<void> {
  const entries = await split(rt, callbacks)
  const fresh = await withoutRepeats(rt, entries)
  const outcomes = await outcomesOf(rt, handlers, fresh)
  const relayed = await relayRound(rt, { entries, fresh, outcomes })
  const addRelays = await publishRelays(rt, relayed.items)
  const now = rt.clock.now()
  const unit = new Unit()
  const rows = fresh.flatMap((entry, index) =>
    recordOf(entry, outcomes[index] ?? 'failed', now, relayed.waiting.get(entry)),
  )
  if (rows.length > 0) unit.add(recordCallbackItem, ...rows)
  noteSigns(unit, entries)
  addRelays(unit)
  unit.add(finishCallback, ...callbacks.map(({ account_id, id, claim }) => ({ account_id, id, claim })))
  await rt.store.write(unit)
  countItems(rt, fresh, outcomes)
  countRepeats(rt, entries.length - fresh.length)
}

async function split(rt: Runtime, callbacks: readonly ClaimedCallback[]): Promise<Entry[]> {
  const routes = await readRoutes(rt, new Set(callbacks.map(({ account_id }) => account_id)))
  const inOrder = [...callbacks].sort((a, b) => (a.id < b.id ? -1 : 1))
  return inOrder.flatMap((callback) =>
    rt.platform.parseCallback(Buffer.from(callback.body).toString('utf8')).map((item) => ({
      item,
      callback,
      context: routes(callback.account_id, item, callback.received_at),
    })),
  )
}

/**
 * Within one round by memory; across rounds by the unique key of what is recorded. Applied messages and statuses are
 * not recorded here: the unique indexes of their own tables tell their repeats.
 */
async function withoutRepeats(rt: Runtime, entries: readonly Entry[]): Promise<Entry[]> {
  const settled = await settledEvents(
    rt,
    entries.filter(({ item }) => isRecorded(item)),
  )
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const key = repeatKey(entry)
    if (seen.has(key) || (isRecorded(entry.item) && settled.has(keyOf(entry)))) return false
    seen.add(key)
    return true
  })
}

function repeatKey(entry: Entry): string {
  return `${channelIdOf(entry)} ${entry.item.dedupeKey}`
}

async function settledEvents(rt: Runtime, events: readonly Entry[]): Promise<Set<string>> {
  if (events.length === 0) return new Set()
  const rows = await rt.store.read(settledCallbackItems, {
    channel_ids: [...new Set(events.map(channelIdOf))],
    key_hashes: [...new Set(events.map(({ item }) => hashOf(item)))],
  })
  return new Set(rows.map(({ channel_id, key_hash }) => `${channel_id} ${key_hash}`))
}

function keyOf(entry: Entry): string {
  return `${channelIdOf(entry)} ${hashOf(entry.item)}`
}

/** Keys reach 300 characters; their hash keeps the index small. */
function hashOf({ dedupeKey }: CallbackItem): string {
  return createHash('sha256').update(dedupeKey).digest('base64url')
}

async function outcomesOf(rt: Runtime, handlers: ItemHandlers, entries: readonly Entry[]): Promise<Outcome[]> {
  const placed = entries.flatMap(({ item, context }): ItemInContext[] => (context ? [{ item, context }] : []))
  const results = (await dispatchItems(rt, handlers, placed, false)).values()
  return entries.map(({ context }) => (context ? (results.next().value ?? 'failed') : 'no_place'))
}

const rawCharsMax = 65_536

function recordOf(entry: Entry, outcome: Outcome, now: number, wire?: RelayPiece): CallbackItemRow[] {
  const { item, callback } = entry
  if (isDone(outcome) && !isRecorded(item)) return []
  const shortened = item.kind === 'unhandled' ? { ...item, raw: item.raw.slice(0, rawCharsMax) } : item
  const kept = wire ? { ...shortened, wire } : shortened
  const expiresAt = now + waitingMs
  const row = {
    channel_id: channelIdOf(entry),
    key_hash: hashOf(item),
    account_id: entry.context?.accountId ?? callback.account_id,
    callback_id: callback.id,
    kind: item.kind,
    ...settle(item, outcome, { attempts: 0, now, expiresAt }),
    item: JSON.stringify(kept),
    received_at: callback.received_at,
    attempts: 0,
    expires_at: expiresAt,
    updated_at: now,
  }
  return [row]
}

/** A send's own record can lag behind its first status by as long as its answer takes; ten minutes is far beyond that. */
const waitingMs = 600_000

function channelIdOf({ context, callback }: Entry): string {
  return context?.channel.id ?? callback.channel_id
}

/** Signs of life for people: when a channel last said anything, and when a customer last wrote to a number. */
function noteSigns(unit: Unit, entries: readonly Entry[]): void {
  const channels = new Map<string, number>()
  const numbers = new Map<string, number>()
  for (const entry of entries) {
    const { received_at: at } = entry.callback
    channels.set(channelIdOf(entry), at)
    if (entry.item.kind === 'message' && entry.context?.number) numbers.set(entry.context.number.id, at)
  }
  if (channels.size > 0) unit.add(noteChannelEvent, ...toRows(channels))
  if (numbers.size > 0) unit.add(noteNumberInbound, ...toRows(numbers))
}

function toRows(times: ReadonlyMap<string, number>): { id: string; at: number }[] {
  return [...times].map(([id, at]) => ({ id, at }))
}
