import { type Actor, type AuditContext, writeAudited } from '../../audit/audit.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { type ErasedByAddress, eraseByAddress } from './erase-by-address.ts'
import { type ErasedByMessage, eraseByMessage } from './erase-by-message.ts'
import { findPerson } from './find-person.ts'
import { waitForCallbacks } from './wait-for-callbacks.ts'

export type Erasure = {
  /** How many rows of each table held the person. */
  rows: ErasedByMessage & ErasedByAddress
  /** Callbacks that name the person and are not applied yet: they are back with these, and have to be erased again. */
  callbacks_waiting: number
}

/**
 * One customer, everywhere in an account, under every address they are known by: words, files, names and addresses go,
 * records and counts stay. Audited, and safe to repeat.
 */
export async function eraseCustomer(
  rt: Runtime,
  accountId: string,
  address: string,
  author: { actor: Actor; context?: AuditContext },
): Promise<Erasure> {
  const callbacks_waiting = await waitForCallbacks(rt, await findPerson(rt, accountId, address))
  const person = await findPerson(rt, accountId, address)
  const rows = { ...(await eraseByMessage(rt, person)), ...(await eraseByAddress(rt, person)) }
  const targets = [{ type: 'customer', id: maskPhone(address), name: maskPhone(address) }]
  await writeAudited(
    rt,
    { ...author, accountId, action: 'customer.erased', targets, metadata: { ...rows, callbacks_waiting } },
    () => {},
  )
  await rt.store.dropRemains()
  return { rows, callbacks_waiting }
}
