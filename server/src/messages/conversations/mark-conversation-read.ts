import { authorOf, type Member } from '../../access/console-member.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { customerAddresses } from '../linked-addresses.ts'
import { markRead, noteRead } from '../mark-read.ts'
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
  const rows = await messagesOf(rt, accountId, addresses, { position: null, count: messagesLookedAt })
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
