import type { Runtime } from '../../runtime.ts'
import { otherAddress } from '../other-address.ts'

/** The phone number of a customer where it is known: Meta's page of the block list speaks of phone numbers alone. */
export async function reachableAddress(rt: Runtime, accountId: string, customer: string): Promise<string> {
  if (customer.startsWith('+')) return customer
  return (await otherAddress(rt, accountId, { kind: 'user', value: customer }))?.value ?? customer
}
