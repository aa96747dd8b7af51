import type {
  CallbackItem,
  Customer,
  EchoItem,
  HandoverItem,
  InboundContent,
  PastMessageItem,
  SavedContactItem,
  UnhandledItem,
} from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import { type JsonObject, listOf, numberOf, objectOf, parseObject, textOf } from '../lenient-json.ts'
import { contentOf } from './callback-content.ts'
import { dedupeKey, eventKey, type Place, phoneOf, rawOf, timeOf, unhandled } from './callback-facts.ts'

/** One entry of `smb_message_echoes`: what a person of the business wrote in the WhatsApp Business app. */
export function parseEcho(value: unknown, place: Place): EchoItem | UnhandledItem {
  const message = objectOf(value)
  if (!message) return unhandled('unreadable_item', place, value)
  const type = textOf(message.type) ?? 'unknown'
  const to = { phone: phoneOf(message.to), userId: textOf(message.to_user_id) }
  return echo(value, place, message, { to, content: contentOf(type, message), sentThrough: 'business_app' })
}

/** One entry of `standby.message_echoes`: the request with which another responder sent it, the customer in it. */
export function parseOtherEcho(value: unknown, place: Place): EchoItem | UnhandledItem {
  const sent = objectOf(value)
  const request = objectOf(sent?.message)
  if (!sent || !request) return unhandled('unreadable_item', place, value)
  const to = { phone: phoneOf(request.to), userId: textOf(request.recipient) }
  return echo(value, place, sent, { to, content: requestContent(request, sent), sentThrough: 'other_responder' })
}

type EchoFacts = Pick<EchoItem, 'content' | 'sentThrough'> & { to: Customer }

function echo(value: unknown, place: Place, sent: JsonObject, { to, content, sentThrough }: EchoFacts) {
  const channelMessageId = textOf(sent.id)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const contact = place.contacts.get(to.userId ?? '') ?? place.contacts.get(to.phone ?? '')
  const customer = {
    phone: to.phone ?? phoneOf(contact?.wa_id),
    userId: to.userId ?? textOf(contact?.user_id),
    name: textOf(objectOf(contact?.profile)?.name),
  }
  if (customer.phone === null && customer.userId === null) return unhandled('no_sender', place, value)
  const context = objectOf(sent.context) ?? objectOf(objectOf(sent.message)?.context)
  return {
    kind: 'echo' as const,
    dedupeKey: dedupeKey('echo', channelMessageId),
    ...routes(place),
    channelMessageId,
    at: timeOf(sent.timestamp),
    to: customer,
    content,
    sentThrough,
    replyTo: textOf(context?.id) ?? textOf(context?.message_id),
  }
}

/** A request to send looks like what a customer writes, but for templates, interactive messages and media by link. */
function requestContent(request: JsonObject, sent: JsonObject): InboundContent {
  const type = textOf(request.type) ?? 'text'
  const node = objectOf(request[type])
  if (type === 'template') {
    const language = textOf(objectOf(node?.language)?.code) ?? textOf(node?.language)
    const parts = listOf(objectOf(sent.template)?.components).map(objectOf)
    const body = parts.find((part) => textOf(part?.type)?.toUpperCase() === 'BODY')
    return { type, name: textOf(node?.name) ?? '', language, text: textOf(body?.text) }
  }
  if (type === 'interactive') return { type, body: textOf(objectOf(node?.body)?.text) }
  if (type === 'reaction') return contentOf(type, request)
  const isByLink = node !== null && node.link !== undefined && node.id === undefined
  return isByLink ? { type: 'unsupported', platformType: type, ...captionOf(node) } : contentOf(type, request)
}

/** The bytes are behind a link of another system, which is never followed. */
function captionOf(node: JsonObject) {
  return { text: textOf(node.caption) ?? textOf(node.filename), about: null, failures: [], detail: null }
}

/** A part of the body and the items in it; each stands alone. */
type Section = (values: unknown, place: Place, parse: (value: unknown, place: Place) => CallbackItem) => CallbackItem[]

/** A body may hold thousands of messages. The files of some follow, in changes that have `messages` instead of `history`. */
export function historyItems(content: JsonObject, place: Place, section: Section): CallbackItem[] {
  if (content.history === undefined && content.messages !== undefined) {
    return section(content.messages, place, (value) => parsePast(value, place, { id: null, isAsset: true }))
  }
  if (content.history === undefined) return [unhandled('unreadable_item', place, content)]
  const chunks = Array.isArray(content.history) ? content.history : [content.history]
  return chunks.flatMap((value) => {
    const chunk = objectOf(value)
    if (!chunk) return [unhandled('unreadable_item', place, value)]
    const threads = listOf(chunk.threads).flatMap((thread) => threadItems(thread, place, section))
    return [...threads, progressOf(chunk, place)]
  })
}

function threadItems(value: unknown, place: Place, section: Section): CallbackItem[] {
  const thread = objectOf(value)
  if (!thread) return [unhandled('unreadable_item', place, value)]
  const context = objectOf(thread.context)
  const id = {
    phone: phoneOf(thread.id) ?? phoneOf(context?.wa_id),
    userId: textOf(context?.user_id),
  }
  return section(thread.messages, place, (message) => parsePast(message, place, { id, isAsset: false }))
}

type Thread = { id: Customer | null; isAsset: boolean }

function parsePast(value: unknown, place: Place, { id, isAsset }: Thread): PastMessageItem | UnhandledItem {
  const message = objectOf(value)
  if (!message) return unhandled('unreadable_item', place, value)
  const channelMessageId = textOf(message.id)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const isOurs = message.to !== undefined || (place.ownPhone !== null && phoneOf(message.from) === place.ownPhone)
  const named = isOurs
    ? { phone: phoneOf(message.to), userId: textOf(message.to_user_id) }
    : { phone: phoneOf(message.from), userId: textOf(message.from_user_id) }
  const customer = { phone: id?.phone ?? named.phone, userId: id?.userId ?? named.userId }
  if (customer.phone === null && customer.userId === null) return unhandled('no_sender', place, value)
  const word = textOf(objectOf(message.history_context)?.status)?.toLowerCase() ?? ''
  return {
    kind: 'past_message',
    dedupeKey: dedupeKey(isAsset ? 'past_file' : 'past', channelMessageId),
    ...routes(place),
    channelMessageId,
    at: timeOf(message.timestamp),
    direction: isOurs ? 'outbound' : 'inbound',
    customer,
    content: contentOf(textOf(message.type) ?? 'unknown', message),
    status: isOurs ? (statuses[word] ?? 'sent') : 'received',
    isAsset,
  }
}

const statuses: Record<string, PastMessageItem['status']> = {
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  error: 'failed',
}

function progressOf(chunk: JsonObject, place: Place): CallbackItem {
  const { phase, chunk_order, progress } = objectOf(chunk.metadata) ?? {}
  const marks = { metadata: chunk.metadata, errors: chunk.errors }
  return {
    kind: 'history_progress',
    dedupeKey: eventKey('history_progress', place, marks),
    ...routes(place),
    phase: numberOf(phase),
    chunk: numberOf(chunk_order),
    percent: numberOf(progress),
    failures: listOf(chunk.errors).map(classifyReported),
  }
}

/** One entry of `state_sync`. */
export function parseSavedContact(value: unknown, place: Place): SavedContactItem | UnhandledItem {
  const entry = objectOf(value)
  const contact = objectOf(entry?.contact)
  if (!entry || !contact) return unhandled('unreadable_item', place, value)
  const customer = { phone: phoneOf(contact.phone_number), userId: textOf(contact.user_id) }
  if (customer.phone === null && customer.userId === null) return unhandled('no_sender', place, value)
  const time = objectOf(entry.metadata)?.timestamp
  const isRemoved = textOf(entry.action)?.toLowerCase() === 'remove'
  return {
    kind: 'saved_contact',
    dedupeKey: eventKey('saved_contact', place, entry),
    ...routes(place),
    customer,
    name: isRemoved ? null : (textOf(contact.full_name) ?? textOf(contact.first_name)),
    at: timeOf(time),
  }
}

/**
 * A change of `messaging_handovers`, which names the number in `recipient` and the customer by phone number alone. Every
 * inner field may be missing, and an older form has its reason as JSON text.
 */
export function parseHandover(value: JsonObject, place: Place): HandoverItem | UnhandledItem | null {
  const change = value.control_taken === undefined ? 'passed' : 'taken'
  const inner = objectOf(value.control_passed) ?? objectOf(value.control_taken)
  const type = textOf(value.type)
  if (!inner && type !== 'control_passed' && type !== 'control_taken') return null
  const sender = objectOf(value.sender)
  const customer = { phone: phoneOf(sender?.phone_number), userId: textOf(sender?.user_id) }
  const number = textOf(objectOf(value.recipient)?.phone_number_id) ?? place.phoneNumberId
  const there = { ...place, phoneNumberId: number }
  // Without the customer nothing follows from it.
  if (customer.phone === null && customer.userId === null) return unhandled('not_used', there, value)
  const note = textOf(inner?.metadata)
  const reason = note === null ? null : textOf(parseObject(note)?.reason)
  return {
    kind: 'handover',
    dedupeKey: eventKey('handover', there, rawOf(value)),
    ...routes(there),
    customer,
    change: type === 'control_taken' ? 'taken' : change,
    at: timeOf(value.timestamp),
    role: textOf(inner?.new_owner_role),
    previousRole: textOf(inner?.previous_owner_role) ?? textOf(inner?.previous_owner_app_role),
    summary: textOf(objectOf(objectOf(inner?.conversation_context)?.summary)?.text),
    note: reason ?? note,
  }
}

function routes({ wabaId, phoneNumberId }: Place): { wabaId: string | null; phoneNumberId: string | null } {
  return { wabaId, phoneNumberId }
}
