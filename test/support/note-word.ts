import { asCustomer } from '../../server/src/messages/customers/as-customer.ts'
import { addPreference } from '../../server/src/messages/receive-preferences.ts'
import type { Runtime } from '../../server/src/runtime.ts'

type Word = { accountId: string; numberId: string; phone: string; state: 'opted_out' | 'opted_in'; at: number }

/** A customer said something about marketing messages of a number. */
export async function noteWord(rt: Runtime, { accountId, numberId, phone, state, at }: Word): Promise<void> {
  const number = { id: numberId, phoneNumber: '+351210000000' }
  await asCustomer(rt, accountId, { phone, userId: null, at }, (unit, customerId) => {
    const word = { accountId, number, customerId, phone, userId: null, state, at }
    addPreference(rt, unit, { ...word, source: 'whatsapp', by: null })
    return rt.store.write(unit)
  })
}
