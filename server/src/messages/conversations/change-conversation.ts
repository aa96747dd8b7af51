import { actorOf, authorOf, type Member } from '../../access/console-member.ts'
import { channelNotConnected } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { findGiven } from '../customers/find-customer.ts'
import { addCustomer, messagesOf } from '../customers/list-customers.ts'
import { recordPreference } from '../customers/record-preference.ts'
import { markRead, noteRead } from '../mark-read.ts'
import { describeCustomer } from './describe-customer.ts'
import { requireCustomersShown } from './get-conversation.ts'

/** Among how many of the newest messages the one to send a receipt for is looked for. */
const messagesLookedAt = 30

/** Nothing of a customer is unread any more, and they see it on their phone where the platform takes the receipt. */
export async function markConversationRead(rt: Runtime, member: Member, given: string) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const { id } = await findGiven(rt, accountId, given)
  await noteRead(rt, accountId, id)
  const rows = await messagesOf(rt, accountId, id, { after: null, count: messagesLookedAt })
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
  const { id, address, addresses } = await findGiven(rt, accountId, given)
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  if (numbers.length === 0) throw channelNotConnected(rt)
  const customer = id === null ? await addCustomer(rt, { accountId, seesPeople: true }, address) : null
  await recordPreference(rt, {
    accountId,
    id: id ?? customer?.customer_id ?? '',
    addresses: id === null ? (await findGiven(rt, accountId, address)).addresses : addresses,
    state,
    numbers: numbers.map(({ id: numberId, phone_number: phoneNumber }) => ({ id: numberId, phoneNumber })),
    source: 'console',
    author: { actor: actorOf(member), context },
  })
  return describeCustomer(rt, member, given)
}
