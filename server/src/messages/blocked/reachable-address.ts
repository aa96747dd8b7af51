import type { Runtime } from '../../runtime.ts'
import { customerAddresses } from '../linked-addresses.ts'

/** The phone number of a customer where it is known: Meta's page of the block list speaks of phone numbers alone. */
export async function reachableAddress(rt: Runtime, accountId: string, customer: string): Promise<string> {
  if (customer.startsWith('+')) return customer
  const addresses = await customerAddresses(rt, accountId, customer)
  return addresses.find((address) => address.startsWith('+')) ?? customer
}
