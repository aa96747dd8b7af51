import type { Runtime } from '../../runtime.ts'
import { findLinkedAddresses } from '../../store/messages/erasure.ts'

/** One customer of an account, under every address the account has seen them. */
export type Person = { accountId: string; addresses: readonly string[] }

// A number leads to a user id, a user id to a number, a number to the one the channel uses: more steps do not exist.
const stepsMax = 5

/** A customer who hid their number is known by a user id alone from then on; both belong to the same person. */
export async function findPerson(rt: Runtime, accountId: string, address: string): Promise<Person> {
  let addresses = [address]
  for (let step = 1; step <= stepsMax; step++) {
    const rows = await rt.store.read(findLinkedAddresses, { account_id: accountId, addresses })
    const linked = rows.flatMap((row) => [row.address, row.other]).filter((one) => one !== null)
    const known = [...new Set([...addresses, ...linked])]
    if (known.length === addresses.length) break
    addresses = known
  }
  return { accountId, addresses }
}
