import type { Runtime } from '../../runtime.ts'
import { findLinkedAddresses } from '../../store/messages/erasure.ts'
import { linkedAddresses } from '../linked-addresses.ts'

/** One customer of an account, under every address the account has seen them. */
export type Person = { accountId: string; addresses: readonly string[] }

/** A customer who hid their number is known by a user id alone from then on; both belong to the same person. */
export async function findPerson(rt: Runtime, accountId: string, address: string): Promise<Person> {
  const look = (addresses: string[]) => rt.store.read(findLinkedAddresses, { account_id: accountId, addresses })
  return { accountId, addresses: await linkedAddresses(address, look) }
}

/** To find them in what the platform wrote, which is without '+'. */
export function needlesOf({ addresses }: Person): string[] {
  return addresses.map((address) => `%${address.replace(/^\+/, '')}%`)
}
