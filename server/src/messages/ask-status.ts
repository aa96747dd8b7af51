import { platformRefusal } from '../channels/ask-platform.ts'
import type { ItemInContext } from '../channels/callbacks/callback-items.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { StatusItem } from '../platform/callback-item.ts'
import type { ReportedStep } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { applyStatuses } from './apply-statuses.ts'
import { findMessageBy } from './get-message.ts'

/**
 * Asks Meta what became of a message whose statuses were lost, and applies it as if it had been reported. It needs Meta's id
 * of the message, so that it says nothing about a send with an unknown outcome. Nobody has seen this call on a real account.
 */
export async function askStatus(
  rt: Runtime,
  accountId: string,
  id: string,
): Promise<{ row: MessageRow; news: number }> {
  const row = await findMessageBy(rt, accountId, id)
  if (row?.direction !== 'outbound') throw new AppError('message_not_found', 'No message you sent has this id.')
  const { channel_message_id: channelMessageId } = row
  if (channelMessageId === null) {
    throw new AppError('message_not_found', 'Meta assigned no id to this message, so its status cannot be requested.')
  }
  const number = await requireNumber(rt, accountId, { from: row.number_id })
  const steps = await rt.platform.messageHistory(number.credentials, channelMessageId).catch((error: unknown) => {
    if (error instanceof PlatformError)
      throw platformRefusal(error, () => 'Meta did not say what became of the message.')
    throw error
  })
  const { id: numberId, phoneNumber, displayName, channelId, kind, credentials } = number
  const context = {
    accountId,
    channel: { id: channelId, kind, wabaId: credentials.wabaId },
    number: { id: numberId, phoneNumber, displayName },
    receivedAt: rt.clock.now(),
  }
  const batch = steps.map((step): ItemInContext<StatusItem> => ({ item: itemOf(row, channelMessageId, step), context }))
  if (batch.length > 0) await applyStatuses(rt, batch)
  const after = await findMessageBy(rt, accountId, row.id)
  return { row: after ?? row, news: (after?.event_sequence ?? 0) - row.event_sequence }
}

function itemOf(row: MessageRow, channelMessageId: string, { status, at }: ReportedStep): StatusItem {
  return {
    kind: 'status',
    dedupeKey: `asked:${channelMessageId}:${status}`,
    wabaId: null,
    phoneNumberId: null,
    channelMessageId,
    status,
    platformStatus: status,
    at,
    recipient: { phone: row.phone, userId: row.user_id },
    correlation: row.id,
    failures: [],
    pricing: null,
  }
}
