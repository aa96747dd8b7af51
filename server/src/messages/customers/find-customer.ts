import { AppError, validationFailed } from '../../contract/app-error.ts'
import { addressKey, parseRecipient } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { findAddressesOf, findCustomer, findIdentities, type IdentityRow } from '../../store/messages/customers.ts'
import { shownAddress } from './identity.ts'

/** A customer of an account, with every address they are known by. */
export type Known = { id: string; addresses: readonly IdentityRow[] }

/** Null for an address that nobody of the account has. */
export async function customerBy(rt: Runtime, accountId: string, address: string): Promise<Known | null> {
  const addresses = await rt.store.read(findIdentities, { account_id: accountId, addresses: [addressKey(address)] })
  const [first] = addresses
  return first ? { id: first.customer_id, addresses } : null
}

/** By an id of ours, also one they had before they were found to be someone we knew. */
export async function customerWithId(rt: Runtime, accountId: string, id: string) {
  const [customer] = await rt.store.read(findCustomer, { account_id: accountId, id })
  if (!customer || customer.merged_into !== null) return null
  const addresses = await rt.store.read(findAddressesOf, { account_id: accountId, customer_ids: [customer.id] })
  return { ...customer, addresses }
}

/** The addresses that an account knows a customer by, the given one first. */
export async function customerAddresses(rt: Runtime, accountId: string, address: string): Promise<string[]> {
  const known = await customerBy(rt, accountId, address)
  return [...new Set([address, ...(known?.addresses ?? []).map(({ shown }) => shown)])]
}

/** The key that finds events of a person who isn't a stored customer, without naming them. */
export function customerSubject(rt: Pick<Runtime, 'recipients'>, accountId: string, address: string): string {
  return `customer_${rt.recipients.hash(accountId, address)}`
}

const inQuery = { field: 'customer', location: 'query' } as const
/** For paths that name the customer. */
export const inPath = { field: 'customer_id', location: 'path' } as const

/** Who someone means by an address or an id of ours. Nobody has to be known by an address; an id has to be someone's. */
export async function findGiven(
  rt: Runtime,
  accountId: string,
  given: string,
  place: typeof inQuery | typeof inPath = inQuery,
) {
  if (given.startsWith('cus_')) {
    const known = await customerWithId(rt, accountId, given)
    if (!known) throw new AppError('customer_not_found', 'No customer has this id.')
    return { id: known.id, address: shownAddress(known.addresses) ?? known.id, addresses: known.addresses }
  }
  const parsed = parseRecipient(given)
  if (!parsed.ok) {
    throw validationFailed([{ ...place, code: parsed.code, message: parsed.message }])
  }
  const known = await customerBy(rt, accountId, parsed.value)
  return { id: known?.id ?? null, address: parsed.value, addresses: known?.addresses ?? [] }
}
