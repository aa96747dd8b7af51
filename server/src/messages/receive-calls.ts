import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-handler.ts'
import type { CallItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { noteContact } from './note-contact.ts'

/** Calls open the 24-hour window like messages do; nothing else is done with them. */
export async function receiveCalls(rt: Runtime, batch: readonly ItemInContext<CallItem>[]): Promise<ItemOutcome[]> {
  const unit = new Unit()
  for (const { item, context } of batch) {
    if (!item.opensWindow || !context.number) continue
    const place = { numberId: context.number.id, accountId: context.accountId }
    noteContact(unit, place, item.customer, { at: item.at ?? context.receivedAt, unread: 0 })
  }
  if (unit.calls.length > 0) await rt.store.write(unit)
  return batch.map(({ context }) => (context.number ? 'applied' : 'unhandled'))
}
