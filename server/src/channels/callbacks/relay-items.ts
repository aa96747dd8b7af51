import { createHash } from 'node:crypto'
import { relaysOf } from '../../events/publish-event.ts'
import type { ToRelay } from '../../events/publish-relay.ts'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { RelayPiece } from '../../platform/relay-dialect.ts'
import type { Runtime } from '../../runtime.ts'
import type { CallbackContext, DispatchOutcome } from './callback-items.ts'

type Outcome = DispatchOutcome | 'no_place'
type Placed = {
  item: CallbackItem
  callback: { id: string; body: Uint8Array }
  context: CallbackContext | null
}

type Round<Entry> = {
  /** All of the callbacks, repeats too. */
  entries: readonly Entry[]
  fresh: readonly Entry[]
  outcomes: readonly Outcome[]
}

type RelayRound<Entry> = {
  items: ToRelay[]
  /** What waits for its message keeps its own words: whose it is is known later. */
  waiting: ReadonlyMap<Entry, RelayPiece>
}

/**
 * What of these callbacks goes on to tools, each thing as it came. What no handler understood or could apply goes on too; a
 * repeat, what belongs to nobody and what is about a person who was erased does not.
 */
export async function relayRound<Entry extends Placed>(
  rt: Runtime,
  { entries, fresh, outcomes }: Round<Entry>,
): Promise<RelayRound<Entry>> {
  const round = { items: [] as ToRelay[], waiting: new Map<Entry, RelayPiece>() }
  const accounts = await accountsWithRelays(rt, fresh)
  if (accounts.size === 0) return round
  const outcomeOf = new Map(fresh.map((entry, index) => [entry, outcomes[index] ?? 'failed']))
  const byCallback = Map.groupBy(entries, ({ callback }) => callback)
  for (const [callback, own] of byCallback) {
    if (!own.some(({ context }) => context && accounts.has(context.accountId))) continue
    const pieces = rt.platform.relay.split(Buffer.from(callback.body).toString('utf8'), `${rt.urls.base}/graph/media`)
    const byKey = Map.groupBy(own, ({ item }) => item.dedupeKey)
    for (const piece of pieces) {
      const found = pieces.length === 1 ? own : entriesOf(rt, piece, byKey)
      const news = found.filter((entry) => outcomeOf.has(entry))
      const [first] = news.length > 0 ? news : found.length > 0 ? [] : own.filter((entry) => isBeside(entry, piece))
      const outcome = first && outcomeOf.get(first)
      if (!first?.context || !accounts.has(first.context.accountId) || outcome === 'erased') continue
      if (outcome === 'unmatched' && first.item.kind === 'status') round.waiting.set(first, piece)
      else round.items.push(toRelay(piece, found, first.context, { id: callback.id, size: pieces.length }))
    }
  }
  return round
}

/** The same for something that has waited for its message until now. */
export function relayLater(item: CallbackItem, context: CallbackContext | null): ToRelay[] {
  if (item.kind !== 'status' || !item.wire || !context) return []
  return [toRelay(item.wire, [{ item }], context)]
}

async function accountsWithRelays(rt: Runtime, entries: readonly Placed[]): Promise<Set<string>> {
  const ids = [...new Set(entries.flatMap(({ context }) => context?.accountId ?? []))]
  const relays = await Promise.all(ids.map((id) => relaysOf(rt, id)))
  return new Set(ids.filter((_, index) => relays[index]?.length))
}

/** One part of a callback, within the whole. */
function entriesOf<Entry>(rt: Runtime, piece: RelayPiece, byKey: ReadonlyMap<string, readonly Entry[]>): Entry[] {
  const keys = new Set(rt.platform.parseCallback(piece.body).map(({ dedupeKey }) => dedupeKey))
  return [...keys].flatMap((key) => byKey.get(key) ?? [])
}

function isBeside({ item }: Placed, { wabaId, phoneNumberId }: RelayPiece): boolean {
  return item.wabaId === wabaId && item.phoneNumberId === phoneNumberId
}

function toRelay(
  piece: RelayPiece,
  found: readonly { item: CallbackItem }[],
  { accountId, channel, number }: CallbackContext,
  group?: ToRelay['group'],
): ToRelay {
  const named = found.map(({ item }) => item.dedupeKey).join(' ')
  const key = createHash('sha256')
    .update(`${channel.id} ${named === '' ? piece.body : named}`)
    .digest('base64url')
  return { accountId, channelId: channel.id, numberId: number?.id ?? null, key, piece, ...(group && { group }) }
}
