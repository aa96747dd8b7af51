import type { Runtime } from '../runtime.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { Unit } from '../store/engine/unit.ts'
import { noteInbound } from '../store/messages/contacts.ts'

/** The customer every sandbox number starts with, as if just now they had written: a first text can be sent at once. */
export const seededCustomer = '+12025550100'

export async function seedCustomer(rt: Runtime, accountId: string): Promise<void> {
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  const unit = new Unit()
  for (const { id } of numbers) {
    unit.add(noteInbound, {
      number_id: id,
      address: seededCustomer,
      account_id: accountId,
      phone: seededCustomer,
      user_id: null,
      name: 'Ana',
      last_inbound_at: rt.clock.now(),
      unread: 0,
    })
  }
  if (numbers.length > 0) await rt.store.write(unit)
}
