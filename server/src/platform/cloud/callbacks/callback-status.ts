import type { CallItem, PaymentItem, StatusItem, UnhandledItem } from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, textOf } from '../lenient-json.ts'
import { dedupeKey, type Place, phoneOf, timeOf, unhandled } from './callback-facts.ts'

const known = ['sent', 'delivered', 'read', 'failed', 'played'] as const

/**
 * One entry of `statuses`. Order is not promised and repeats are normal: the key is message, status, participant and
 * time. Two times of one status are two reports, and the earlier one counts whichever comes first.
 */
export function parseStatus(value: unknown, place: Place): StatusItem | PaymentItem | UnhandledItem {
  const status = objectOf(value)
  const channelMessageId = textOf(status?.id)
  const platformStatus = textOf(status?.status)
  if (!status || platformStatus === null) return unhandled('unreadable_item', place, value)
  if (status.type === 'payment') return paymentOf(status, platformStatus, place)
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
      ...parentOf(status.recipient_parent_user_id ?? status.parent_recipient_user_id),
    },
    correlation: textOf(status.biz_opaque_callback_data),
    failures: listOf(status.errors).map(classifyReported),
    pricing: pricingOf(status.pricing),
  }
}

/** Known by the reference of its order: what the message itself came to is told by other items. */
function paymentOf(value: JsonObject, status: string, place: Place): PaymentItem | UnhandledItem {
  const payment = objectOf(value.payment)
  const referenceId = textOf(payment?.reference_id)
  if (referenceId === null) return unhandled('unreadable_item', place, value)
  const amount = objectOf(payment?.amount)
  const [units, offset] = [numberOf(amount?.value), numberOf(amount?.offset)]
  const transaction = objectOf(payment?.transaction)
  const [id, type] = [textOf(transaction?.id), textOf(transaction?.type)]
  const at = timeOf(value.timestamp)
  return {
    kind: 'payment',
    dedupeKey: dedupeKey('payment', place.phoneNumberId, referenceId, status, id, at === null ? null : `${at}`),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    channelMessageId: textOf(value.id),
    referenceId,
    status,
    at,
    customer: { phone: phoneOf(value.recipient_id), userId: textOf(value.recipient_user_id) },
    currency: textOf(payment?.currency),
    amount: units === null || offset === null ? null : { value: units, offset },
    transaction: transaction && { id, type, status: textOf(transaction.status) },
  }
}

function parentOf(value: unknown): { parentId?: string } {
  const parentId = textOf(value)
  return parentId === null ? {} : { parentId }
}

function pricingOf(value: unknown): StatusItem['pricing'] {
  const pricing = objectOf(value)
  if (!pricing) return null
  const isFree = textOf(pricing.subtype) === 'paid_exempt' || booleanOf(pricing.billable) === false
  const type = textOf(pricing.type)
  return { type, category: textOf(pricing.category), ...(isFree && !type?.startsWith('free_') ? { free: true } : {}) }
}

/**
 * One entry of `calls`. Only the customer's own call opens the window, from its start: its end may be told much later.
 */
export function parseCall(value: unknown, place: Place): CallItem | UnhandledItem {
  const call = objectOf(value)
  const event = textOf(call?.event)?.toLowerCase() ?? null
  if (!call || event === null) return unhandled('unreadable_item', place, value)
  const isTheirs = isByCustomer(call, place)
  const at = timeOf(call.start_time) ?? (event === 'connect' ? timeOf(call.timestamp) : null)
  const caller = { phone: phoneOf(call.from), userId: textOf(call.from_user_id) }
  const called = { phone: phoneOf(call.to), userId: textOf(call.to_user_id) }
  // The sample without `direction` also names the two the wrong way round.
  const isSwapped = call.direction === undefined && isOwn(call.from, place)
  const who = isTheirs && !isSwapped ? caller : called
  return item(value, place, call, { ...who, event, at, opensWindow: isTheirs && at !== null })
}

/** A sample of Meta leaves `direction` out: then the caller is who made the offer, or else who is not our own number. */
function isByCustomer(call: JsonObject, place: Place): boolean {
  const direction = textOf(call.direction)?.toUpperCase()
  if (direction !== undefined) return direction === 'USER_INITIATED'
  const offered = textOf(objectOf(call.session)?.sdp_type)?.toLowerCase()
  return offered === undefined ? !isOwn(call.from, place) : offered === 'offer'
}

function isOwn(phone: unknown, { ownPhone }: Place): boolean {
  return ownPhone !== null && phoneOf(phone) === ownPhone
}

/** One entry of `statuses` of a call of the business: it opens the window when the customer takes it. */
export function parseCallStatus(value: unknown, place: Place): CallItem | UnhandledItem {
  const status = objectOf(value)
  const event = textOf(status?.status)?.toLowerCase() ?? null
  if (!status || event === null) return unhandled('unreadable_item', place, value)
  const who = { phone: phoneOf(status.recipient_id), userId: textOf(status.recipient_user_id) }
  return item(value, place, status, { ...who, event, at: timeOf(status.timestamp), opensWindow: event === 'accepted' })
}

type CallFacts = { phone: string | null; userId: string | null; event: string; at: number | null; opensWindow: boolean }

function item(value: unknown, place: Place, call: JsonObject, facts: CallFacts): CallItem | UnhandledItem {
  const callId = textOf(call.id)
  if (callId === null) return unhandled('no_message_id', place, value)
  const contact = place.contacts.get(facts.userId ?? '') ?? place.contacts.get(facts.phone ?? '')
  const customer = {
    phone: facts.phone ?? phoneOf(contact?.wa_id),
    userId: facts.userId ?? textOf(contact?.user_id),
    name: textOf(objectOf(contact?.profile)?.name),
  }
  if (customer.phone === null && customer.userId === null) return unhandled('no_sender', place, value)
  return {
    kind: 'call',
    dedupeKey: dedupeKey('call', callId, facts.event),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    customer,
    event: facts.event,
    at: facts.at,
    opensWindow: facts.opensWindow,
  }
}
