import type { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { customerBy } from './customers/find-customer.ts'
import { kindOf } from './customers/identity.ts'
import type { Address, Draft } from './send/draft.ts'

/**
 * How else the customer may be reached whom the platform refused: by user id where it does not know the number, by number where
 * the message cannot go to a user id.
 */
export async function addressInstead(rt: Runtime, draft: Draft, failure: PlatformError): Promise<Address | null> {
  const { number, address, outbound } = draft
  // A client of the platform's dialect is answered about the address it wrote.
  if (outbound.type === 'wire') return null
  return failure.refusesAddress(address.kind) ? otherAddress(rt, number, address) : null
}

type Place = Pick<Draft['number'], 'accountId' | 'channelId'>

/**
 * The user id of a number at this WhatsApp Business account, the number of a user id. Null where none is known, or several: it
 * must not be another person.
 */
export async function otherAddress(
  rt: Runtime,
  { accountId, channelId }: Place,
  address: Address,
): Promise<Address | null> {
  const known = await customerBy(rt, accountId, address.value)
  const kind = address.kind === 'phone' ? 'user' : 'phone'
  const [only, ...others] = (known?.addresses ?? []).filter(
    ({ shown, channel_id, replaced_at }) =>
      replaced_at === null && kindOf(shown) === kind && (channel_id === null || channel_id === channelId),
  )
  return only && others.length === 0 ? { kind, value: only.shown } : null
}
