import type { CallbackItem } from '../../platform/callback-item.ts'
import type { ChannelKind } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import type { CallbackItemRow } from '../../store/channels/callback-items.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'

/** The owner of an item: found by its number, otherwise by its business account. */
export type CallbackContext = {
  readonly accountId: string
  readonly channel: {
    readonly id: string
    readonly kind: ChannelKind
    readonly wabaId: string
    readonly timeZone?: string | null
  }
  /** Null for what concerns the business account as a whole. */
  readonly number: { readonly id: string; readonly phoneNumber: string; readonly displayName: string | null } | null
  /** When the callback arrived, which may be long before it is applied. */
  readonly receivedAt: number
}

export type ItemInContext<Item extends CallbackItem = CallbackItem> = {
  readonly item: Item
  readonly context: CallbackContext
}

/**
 * - `applied`: done, or done before.
 * - `erased`: the same, about a message whose customer was erased: tools are not told.
 * - `unmatched`: what it is about is not there yet; it comes again for ten minutes, then it is recorded as unhandled.
 * - `unhandled`: nothing to do with it, now or later; recorded.
 * - `ask`: the platform has to be asked, and `mayAsk` is false; it comes again at once, where that is possible.
 */
export type ItemOutcome = 'applied' | 'erased' | 'unmatched' | 'unhandled' | 'ask'

type CallbackKind = CallbackItem['kind']
export type ItemOf<Kind extends CallbackKind> = Extract<CallbackItem, { kind: Kind }>

/**
 * Takes up to 500 items of one kind, of any accounts, in the order they came in, and answers with one outcome each.
 *
 * A handler writes by itself and must be idempotent: after a crash the same items come again, and the platform repeats
 * itself. When it throws, its items come again one by one, so that a bad one costs only itself.
 *
 * The statuses and messages of all accounts wait for it, so it calls the platform only where it `mayAsk`.
 */
export type ItemHandler<Kind extends CallbackKind = CallbackKind> = (
  rt: Runtime,
  batch: readonly ItemInContext<ItemOf<Kind>>[],
  mayAsk: boolean,
) => Promise<readonly ItemOutcome[]>

export type ItemHandlers = { readonly [Kind in CallbackKind]?: ItemHandler<Kind> }

const retryMs = { first: 1_000, max: 60_000 }

/** The recorded outcome of an item: done, to be retried, or given up with a reason. */
export function settle(
  item: CallbackItem,
  outcome: DispatchOutcome | 'no_place',
  { attempts, now, expiresAt }: { attempts: number; now: number; expiresAt: number },
): Pick<CallbackItemRow, 'state' | 'reason' | 'due_at'> {
  if (isDone(outcome)) return { state: 'applied', reason: null, due_at: now }
  if (outcome === 'ask') return { state: 'waiting', reason: outcome, due_at: now }
  const comesAgain = outcome === 'unmatched' || outcome === 'failed'
  if (comesAgain && now < expiresAt) {
    return { state: 'waiting', reason: outcome, due_at: now + Math.min(retryMs.first * 2 ** attempts, retryMs.max) }
  }
  return { state: 'unhandled', reason: item.kind === 'unhandled' ? item.reason : outcome, due_at: now }
}

export function isDone(outcome: DispatchOutcome | 'no_place' | undefined): boolean {
  return outcome === 'applied' || outcome === 'erased'
}

const ownTables: ReadonlySet<CallbackKind> = new Set(['message', 'status', 'echo', 'past_message', 'saved_contact'])

/** Events are few, and kept whatever became of them; messages and statuses only while they have no place. */
export function isRecorded({ kind }: CallbackItem): boolean {
  return !ownTables.has(kind)
}

type Outcome = DispatchOutcome | 'no_place'

/** Every received item ends in a countable state; what waits is counted when it is settled. */
export function countItems(
  rt: Runtime,
  entries: readonly { readonly item: CallbackItem }[],
  outcomes: readonly Outcome[],
): void {
  const now = rt.clock.now()
  const byKind = Map.groupBy(entries.entries(), ([, { item }]) => item.kind)
  for (const [kind, group] of byKind) {
    const settled = group.filter(([index]) => !waits(outcomes[index]))
    const ok = settled.filter(([index]) => isDone(outcomes[index])).length
    if (ok > 0) rt.metrics.channelEventsReceived.inc({ kind, outcome: 'ok' }, ok)
    const unknown = settled.length - ok
    if (unknown > 0) rt.metrics.channelEventsReceived.inc({ kind, outcome: 'unknown' }, unknown)
    for (const [, { item }] of settled) {
      const isPast = item.kind === 'past_message' || item.kind === 'saved_contact'
      if (!isPast && 'at' in item && item.at !== null)
        rt.metrics.channelEventLag.observe({}, Math.max(now - item.at, 0) / 1_000)
    }
  }
}

/** Repeats are dropped before anybody looks at what they are. */
export function countRepeats(rt: Runtime, count: number): void {
  if (count > 0) rt.metrics.channelEventsReceived.inc({ kind: 'any', outcome: 'duplicate' }, count)
}

function waits(outcome: Outcome | undefined): boolean {
  return outcome === 'unmatched' || outcome === 'failed' || outcome === 'ask'
}

/** `failed`: the handler threw for this item alone. `no_handler`: nobody takes this kind. */
export type DispatchOutcome = ItemOutcome | 'failed' | 'no_handler'

const batchMax = 500

/**
 * Hands items to their handlers: messages first, statuses last, so that a trouble with statuses never holds a
 * customer's words back. Gives one outcome per item, in the order of the input; throws only when the database is away.
 */
export async function dispatchItems(
  rt: Runtime,
  handlers: ItemHandlers,
  items: readonly ItemInContext[],
  mayAsk: boolean,
): Promise<DispatchOutcome[]> {
  const outcomes: DispatchOutcome[] = items.map(() => 'no_handler')
  const byKind = Map.groupBy(items.keys(), (index) => items[index]?.item.kind ?? 'unhandled')
  for (const kind of [...byKind.keys()].sort((a, b) => rank(a) - rank(b))) {
    const handler = handlers[kind] as ItemHandler | undefined
    if (!handler) continue
    const indexes = byKind.get(kind) ?? []
    for (let start = 0; start < indexes.length; start += batchMax) {
      const chosen = indexes.slice(start, start + batchMax)
      const batch = chosen.flatMap((index) => items[index] ?? [])
      const results = await runHandler(batch, (some) => handler(rt, some as never, mayAsk), rt.log)
      for (const [position, index] of chosen.entries()) outcomes[index] = results[position] ?? 'failed'
    }
  }
  return outcomes
}

function rank(kind: CallbackKind): number {
  return kind === 'message' ? 0 : kind === 'status' ? 2 : 1
}

async function runHandler(
  batch: readonly ItemInContext[],
  handle: (batch: readonly ItemInContext[]) => Promise<readonly ItemOutcome[]>,
  log: Runtime['log'],
): Promise<readonly DispatchOutcome[]> {
  try {
    const outcomes = await handle(batch)
    if (outcomes.length !== batch.length) throw new Error('A handler must answer with one outcome per item.')
    return outcomes
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    const [first] = batch
    if (batch.length === 1) {
      log.error({ err: error, kind: first?.item.kind, account_id: first?.context.accountId }, 'callback_item.failed')
      return ['failed']
    }
    const outcomes: DispatchOutcome[] = []
    for (const item of batch) outcomes.push(...(await runHandler([item], handle, log)))
    return outcomes
  }
}
