import { phoneForms } from '../lib/phone.ts'
import type { Runtime } from '../runtime.ts'
import { findContactLinks } from '../store/messages/contacts.ts'

type Link = { address: string | null; other: string | null }

/**
 * A number leads to its other form, to a user id, to the number the channel uses, to the one the customer changed to. Each
 * step follows all of these at once; ten allow for several changes of a number.
 */
const stepsMax = 10

/** Every address of one customer that can be found by `look`, the given one first. */
export async function linkedAddresses(
  address: string,
  look: (addresses: string[]) => Promise<readonly Link[]>,
): Promise<string[]> {
  let known = withForms([address])
  for (let step = 1; step <= stepsMax; step++) {
    const found = (await look(known)).flatMap((link) => [link.address, link.other]).filter((one) => one !== null)
    const next = withForms([...known, ...found])
    if (next.length === known.length) break
    known = next
  }
  return known
}

/** The addresses that an account knows a customer by, as far as contacts tell. */
export function customerAddresses(rt: Runtime, accountId: string, address: string): Promise<string[]> {
  return linkedAddresses(address, (addresses) => rt.store.read(findContactLinks, { account_id: accountId, addresses }))
}

function withForms(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap((address) => [address, ...phoneForms(address).same]))]
}
