import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { CallbackKind, ItemHandler, ItemHandlers, ItemInContext, ItemOutcome } from './callback-handler.ts'

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
