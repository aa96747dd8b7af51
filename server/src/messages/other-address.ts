import type { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { findContactLinks } from '../store/messages/contacts.ts'
import type { Address, Draft } from './send/draft.ts'

/**
 * How else the customer may be reached whom the platform refused: by user id where it does not know the number, by number where
 * the message cannot go to a user id.
 */
export async function addressInstead(rt: Runtime, draft: Draft, failure: PlatformError): Promise<Address | null> {
  const { number, address, outbound } = draft
  // A client of the platform's dialect is answered about the address it wrote.
  if (outbound.type === 'wire') return null
  return failure.refusesAddress(address.kind) ? otherAddress(rt, number.accountId, address) : null
}

/** The user id of a number, the number of a user id. Null where none is known, or several: it must not be another person. */
export async function otherAddress(rt: Runtime, accountId: string, address: Address): Promise<Address | null> {
  const links = await rt.store.read(findContactLinks, { account_id: accountId, addresses: [address.value] })
  const kind = address.kind === 'phone' ? 'user' : 'phone'
  const known = new Set(
    links.flatMap((link) => [link.address, link.other]).filter((value) => value !== null && kindOf(value) === kind),
  )
  const [value] = known
  return value && known.size === 1 ? { kind, value } : null
}

function kindOf(address: string): Address['kind'] {
  return address.startsWith('+') ? 'phone' : 'user'
}
