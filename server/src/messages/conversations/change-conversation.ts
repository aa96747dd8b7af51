import { actorOf, authorOf, type Member } from '../../access/console-member.ts'
import { writeAudited } from '../../audit/audit.ts'
import { channelNotConnected } from '../../channels/channel-not-connected.ts'
import { AppError } from '../../contract/app-error.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { customerAddresses } from '../linked-addresses.ts'
import { markRead, noteRead } from '../mark-read.ts'
import { addPreference, marketingPreference } from '../receive-preferences.ts'
import { describeCustomer } from './describe-customer.ts'
import { requireCustomer } from './get-conversation.ts'
import { messagesOf } from './messages-of.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** Among how many of the newest messages the one to send a receipt for is looked for. */
const messagesLookedAt = 30

/** Nothing of a customer is unread any more, and they see it on their phone where the platform takes the receipt. */
export async function markConversationRead(rt: Runtime, member: Member, given: string) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const addresses = await customerAddresses(rt, accountId, requireCustomer(given))
  await noteRead(rt, accountId, addresses)
  const rows = await messagesOf(rt, accountId, addresses, { after: null, count: messagesLookedAt })
  const received = rows.find(({ direction, group_id }) => direction === 'inbound' && group_id === null)
  if (!received) return { receipt: 'none' as const }
  try {
    await markRead(rt, { accountId, phoneNumberIds: null, keyId: null, author: authorOf(member) }, received.id)
    return { receipt: 'sent' as const }
  } catch (error) {
    // The member has read it, whatever the platform answers to the receipt.
    if (!(error instanceof AppError)) throw error
    return { receipt: 'refused' as const }
  }
}

/** A customer asked a person, not their phone, for no more marketing messages, or for them again. Holds for every number. */
export async function setPreference(
  rt: Runtime,
  member: Member,
  { customer: given, preference: state }: { customer: string; preference: 'opted_out' | 'opted_in' },
) {
  await requireCustomersShown(rt, member)
  const { accountId, context } = member
  const customer = requireCustomer(given)
  const [addresses, numbers] = await Promise.all([
    customerAddresses(rt, accountId, customer),
    rt.store.read(connectedNumbers, { account_id: accountId }),
  ])
  if (numbers.length === 0) throw channelNotConnected(rt)
  const known = await Promise.all(numbers.map(({ id }) => marketingPreference(rt, { id, accountId }, customer)))
  const changed = numbers.filter((_, index) => known[index]?.state !== state)
  if (changed.length > 0) {
    const isPhone = (address: string) => address.startsWith('+')
    const phone = [customer, ...addresses].find(isPhone) ?? null
    const userId = [customer, ...addresses].find((address) => !isPhone(address)) ?? null
    const at = rt.clock.now()
    const targets = [{ type: 'customer', id: maskPhone(customer), name: maskPhone(customer) }]
    const entry = { actor: actorOf(member), context, accountId, action: `customer.${state}`, targets, metadata: {} }
    await writeAudited(rt, entry, (unit) => {
      for (const { id, phone_number: phoneNumber } of changed) {
        addPreference(rt, unit, { accountId, number: { id, phoneNumber }, phone, userId, state, at })
      }
    })
  }
  return describeCustomer(rt, member, customer)
}
