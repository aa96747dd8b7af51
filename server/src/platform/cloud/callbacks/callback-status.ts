import type { StatusItem, UnhandledItem } from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import { booleanOf, listOf, objectOf, textOf } from '../lenient-json.ts'
import { dedupeKey, type Place, phoneOf, timeOf, unhandled } from './callback-facts.ts'

const known = ['sent', 'delivered', 'read', 'failed', 'played'] as const

/**
 * One entry of `statuses`. Order is not promised and repeats are normal: the key is message, status, participant and
 * time. Two times of one status are two reports, and the earlier one counts whichever comes first.
 */
export function parseStatus(value: unknown, place: Place): StatusItem | UnhandledItem {
  const status = objectOf(value)
  const channelMessageId = textOf(status?.id)
  const platformStatus = textOf(status?.status)
  if (!status || platformStatus === null) return unhandled('unreadable_item', place, value)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const participant = textOf(status.recipient_participant_id)
  const at = timeOf(status.timestamp)
  return {
    kind: 'status',
    dedupeKey: dedupeKey('status', channelMessageId, platformStatus, participant, at === null ? null : `${at}`),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    channelMessageId,
    status: known.find((word) => word === platformStatus) ?? 'other',
    platformStatus,
    at,
    recipient: {
      phone: textOf(status.recipient_type) === 'group' ? phoneOf(participant) : phoneOf(status.recipient_id),
      userId: textOf(status.recipient_user_id),
    },
    correlation: textOf(status.biz_opaque_callback_data),
    failures: listOf(status.errors).map(classifyReported),
    pricing: pricingOf(status.pricing),
  }
}

function pricingOf(value: unknown): StatusItem['pricing'] {
  const pricing = objectOf(value)
  if (!pricing) return null
  return {
    type: textOf(pricing.type),
    category: textOf(pricing.category),
    billable: booleanOf(pricing.billable),
  }
}
