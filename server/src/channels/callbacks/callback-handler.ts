import type { ChannelKind } from '../../open-channels.ts'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'

/** Where an item belongs: found by its number, else by its business account. */
export type CallbackContext = {
  readonly accountId: string
  readonly channel: { readonly id: string; readonly kind: ChannelKind; readonly wabaId: string }
  /** Null for what concerns the business account as a whole. */
  readonly number: { readonly id: string; readonly phoneNumber: string; readonly displayName: string | null } | null
  /** When the callback came in, which may be long before it is applied. */
  readonly receivedAt: number
}

export type ItemInContext<Item extends CallbackItem = CallbackItem> = {
  readonly item: Item
  readonly context: CallbackContext
}

/**
 * - `applied`: done, or done before.
 * - `erased`: the same, about a message whose customer was erased: the raw callback is not kept.
 * - `unmatched`: what it is about is not there yet; it comes again for ten minutes, then it is recorded as unhandled.
 * - `unhandled`: nothing to do with it, now or later; recorded.
 * - `ask`: the platform has to be asked, and `mayAsk` is false; it comes again at once, where that is possible.
 */
export type ItemOutcome = 'applied' | 'erased' | 'unmatched' | 'unhandled' | 'ask'

export type CallbackKind = CallbackItem['kind']
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
