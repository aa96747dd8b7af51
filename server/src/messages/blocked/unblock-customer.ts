import type { Caller } from '../../access/caller.ts'
import type { Author } from '../../audit/audit.ts'
import { askPlatform } from '../../channels/ask-platform.ts'
import { requireNumber } from '../../channels/require-number.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import { parseRecipient } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { subject } from './list-blocked.ts'
import { noteBlocked } from './note-blocked.ts'
import { reachableAddress } from './reachable-address.ts'

/** Safe to repeat: the platform takes who is not blocked for unblocked. */
export async function unblockCustomer(
  rt: Runtime,
  { accountId, phoneNumberIds }: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  { from, customer: given }: { from: string | null; customer: string },
  author: Author,
) {
  const parsed = parseRecipient(given)
  if (!parsed.ok) {
    const { code, message } = parsed
    throw validationFailed([{ field: 'customer', location: 'path', code, message }])
  }
  const customer = parsed.value
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds, location: 'query' })
  // Also as they were named: one who was blocked before their number was known is on the list by user id.
  const addresses = [...new Set([await reachableAddress(rt, accountId, customer), customer])]
  const ask = () => rt.platform.unblockCustomers(number.credentials, addresses)
  const { done, failed } = await askPlatform(rt, number, subject, ask)
  const [failure] = failed
  if (failure && done.length === 0) {
    throw new AppError(failure.code, 'Meta did not unblock the customer.', { upstream: failure.upstream })
  }
  await noteBlocked(rt, number, [customer], { action: 'customer.unblocked', at: null, author })
  return { phone_number: number.phoneNumber, customer, unblocked: true as const }
}
