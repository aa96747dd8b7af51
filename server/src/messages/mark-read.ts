import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { isErasedId } from '../events/masked-event.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { unitOf } from '../store/engine/unit.ts'
import { readConversation } from '../store/messages/conversations.ts'
import { requireMessage } from './get-message.ts'
import { publicId } from './message-record.ts'
import type { Sender } from './send/draft.ts'

/** The customer's messages count as read in the console. */
export async function noteRead(rt: Runtime, accountId: string, customerId: string | null): Promise<void> {
  if (customerId === null) return
  await rt.store.write(unitOf(readConversation, { account_id: accountId, customer_id: customerId }))
}

/** Shows the customer that their message was read; safe to repeat. Optionally also that an answer is being typed. */
export async function markRead(rt: Runtime, sender: Sender, id: string, { typing = false } = {}) {
  const row = await requireMessage(rt, sender.accountId, id)
  if (row.direction !== 'inbound' || row.channel_message_id === null) {
    throw new AppError('message_not_inbound', 'Only a message from a customer can be marked as read.')
  }
  if (isErasedId(row.channel_message_id)) {
    throw new AppError('message_not_found', 'The customer of this message was erased, together with its id at Meta.')
  }
  const number = await requireNumber(rt, sender.accountId, { from: row.number_id, allowedIds: sender.phoneNumberIds })
  try {
    await rt.platform.markRead(number.credentials, row.channel_message_id, { typing })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    throw new AppError(error.code, 'Meta did not accept the read receipt.', {
      upstream: error.upstream,
      cause: error,
    })
  }
  await noteRead(rt, sender.accountId, row.customer_id)
  return { message_id: publicId(row), status: 'read' as const }
}
