import { callbackError } from '../http/errors.ts'
import { isRecord, type Json, record, text } from '../http/json.ts'
import { keepSample } from '../media/media-samples.ts'
import type { Platform } from '../platform.ts'
import { type Customer, findCustomer, isBlocked, type PhoneNumber } from '../world.ts'
import { recipientKey } from './behaviour.ts'
import { bsuidFor, isBsuid } from './bsuid.ts'
import { wamid } from './wamid.ts'

/** What a customer does, as the control API takes it. `text` or a reply alone will do; otherwise `type` and its node. */
export type InboundRequest = {
  from?: string
  user_id?: string
  name?: string
  username?: string
  /** A customer with a username whose phone number the business does not see. */
  hide_phone?: boolean
  text?: string | Json
  type?: string
  /** A message id to answer, or the platform's whole context object. */
  context?: string | Json
  /** Bytes of a media message; without them a tiny sample of the right type is used. */
  media?: { data_base64?: string; mime_type?: string; filename?: string; caption?: string }
  /** Written in a group: the private window stays as it is. */
  group_id?: string
  message_id?: string
  timestamp?: number | string
  [node: string]: unknown
}

/** A customer writes: the window opens and the business is told, unless it blocked them. Returns the message id. */
export function receiveInbound(platform: Platform, number: PhoneNumber, request: InboundRequest): string {
  const nowMs = platform.clock.now()
  const customer = customerFor(platform, number, request)
  const type = request.type ?? typeOf(request)
  if (type === undefined) {
    throw new InboundProblem(`an inbound message needs "text", a reply (${REPLIES.join(', ')}), or "type" and its node`)
  }
  const hidden = customer.digits === null || request.hide_phone === true
  const id = request.message_id ?? wamid(customer.digits ?? customer.userId, 'inbound')
  if (isBlocked(number, customer.digits ?? customer.userId)) return id
  const item: Json = { from_user_id: customer.userId, id, timestamp: String(request.timestamp ?? seconds(nowMs)), type }
  if (!hidden && customer.digits !== null) item.from = customer.digits
  Object.assign(item, contentOf(platform, number, type, request))
  const context = contextOf(number, request.context)
  if (context) item.context = context
  if (isRecord(request.referral)) item.referral = request.referral
  if (request.group_id !== undefined) item.group_id = request.group_id
  if (request.group_id === undefined && !WORDLESS_TYPES.includes(type)) customer.lastInboundAtMs = nowMs
  platform.changed()
  remember(platform, number, customer, item)
  const contact = type === 'system' ? null : contactOf(customer, hidden)
  if (customer.ownedBy !== undefined) {
    const metadata = { display_phone_number: number.digits, phone_number_id: number.id }
    const standby = { ...(contact && { contacts: [contact] }), messages: [item] }
    const value = { messaging_product: 'whatsapp', metadata, standby }
    tell(platform, number, { field: 'standby', kind: 'value', item: value, contact: null })
    return id
  }
  tell(platform, number, { kind: 'messages', item, contact })
  if (platform.behaviour.random.chance(platform.behaviour.callbacks.unknownTypes)) {
    tell(platform, number, { kind: 'messages', item: fromTheFuture(customer, nowMs), contact })
  }
  return id
}

/** A text or a reply says by itself what it is. */
function typeOf(request: InboundRequest): string | undefined {
  if (request.text !== undefined) return 'text'
  return request.interactive !== undefined || REPLIES.some((kind) => isRecord(request[kind]))
    ? 'interactive'
    : undefined
}

/** Nothing new was written, so no window opens. */
const WORDLESS_TYPES = ['system', 'edit', 'revoke']

/** An error of the app or the account, outside any message. */
export function receiveErrors(platform: Platform, number: PhoneNumber, errors: Json[]): void {
  for (const error of errors) tell(platform, number, { kind: 'errors', item: error, contact: null })
}

/** A request the control API cannot carry out, with the reason. */
export class InboundProblem extends Error {
  override name = 'InboundProblem'
}

export function customerFor(platform: Platform, number: PhoneNumber, request: InboundRequest): Customer {
  const digits = request.from === undefined ? null : recipientKey(request.from)
  if (digits === null && request.user_id === undefined) throw new InboundProblem('"from" or "user_id" is missing')
  if (digits !== null && !/^\d{7,15}$/.test(digits)) throw new InboundProblem('"from" is not a phone number')
  if (request.user_id !== undefined && !isBsuid(request.user_id)) throw new InboundProblem('"user_id" is not valid')
  const key = digits ?? request.user_id ?? ''
  const businessId = platform.world.wabas.get(number.wabaId)?.businessId ?? number.wabaId
  const known = findCustomer(number, key)
  const customer: Customer = known ?? {
    digits,
    userId: request.user_id ?? bsuidFor(businessId, key),
    name: 'Customer',
    username: null,
    lastInboundAtMs: null,
    identityKeyHash: null,
  }
  if (request.name !== undefined) customer.name = request.name
  if (request.username !== undefined) customer.username = request.username
  if (request.user_id !== undefined) customer.userId = request.user_id
  if (known === undefined) number.customers.set(key, customer)
  return customer
}

function contentOf(platform: Platform, number: PhoneNumber, type: string, request: InboundRequest): Json {
  if (type === 'text') {
    const given = request.text
    return { text: typeof given === 'string' ? { body: given } : record(given) }
  }
  if (type === 'unsupported' || type === 'unknown') {
    const error = { ...callbackError(131051, 'Message type is not currently supported'), title: 'Message type unknown' }
    return { errors: request.errors ?? [error], unsupported: request.unsupported ?? { type: 'poll_creation' } }
  }
  const content: Json = isRecord(request.errors) || Array.isArray(request.errors) ? { errors: request.errors } : {}
  if (MEDIA_TYPES.includes(type)) {
    content[type] = { ...keepSample(platform, number, type, request.media ?? {}), ...record(request[type]) }
    return content
  }
  if (type === 'interactive' && request.interactive === undefined) {
    content.interactive = shortReply(request, Math.floor(platform.clock.now() / 1_000))
    return content
  }
  if (request[type] !== undefined) content[type] = request[type]
  if (type === 'system' && isRecord(request.identity)) content.identity = request.identity
  return content
}

const MEDIA_TYPES = ['image', 'video', 'document', 'audio', 'sticker']

/** An answer may be given without its wrapping. */
function shortReply(request: InboundRequest, payment_timestamp: number): Json {
  for (const kind of REPLIES) {
    const given = request[kind]
    if (isRecord(given))
      return { type: kind, [kind]: kind === 'payment_method' ? { payment_timestamp, ...given } : given }
  }
  throw new InboundProblem(`an interactive message needs "interactive" or one of ${REPLIES.join(', ')}`)
}

const REPLIES = ['button_reply', 'list_reply', 'nfm_reply', 'call_permission_reply', 'payment_method']

function contextOf(number: PhoneNumber, context: InboundRequest['context']): Json | null {
  if (context === undefined) return null
  if (typeof context === 'string') return { from: number.digits, id: context }
  if (text(context.message_id)) return { from: number.digits, id: context.message_id }
  return context
}

function contactOf(customer: Customer, hidden: boolean): Json {
  const profile: Json = { name: customer.name }
  if (customer.username !== null) profile.username = customer.username
  const contact: Json = { profile, user_id: customer.userId }
  if (!hidden && customer.digits !== null) contact.wa_id = customer.digits
  if (customer.identityKeyHash !== null) contact.identity_key_hash = customer.identityKeyHash
  return contact
}

function fromTheFuture(customer: Customer, nowMs: number): Json {
  const who = customer.digits ?? customer.userId
  const item: Json = {
    id: wamid(who, 'inbound'),
    timestamp: String(seconds(nowMs)),
    type: 'hologram',
    hologram: { hz: 60 },
  }
  if (customer.digits !== null) item.from = customer.digits
  return item
}

function remember(platform: Platform, number: PhoneNumber, customer: Customer, item: Json): void {
  const type = String(item.type)
  platform.messages.add({
    seq: 0,
    id: String(item.id),
    direction: 'inbound',
    numberId: number.id,
    businessDigits: number.digits,
    customerDigits: customer.digits,
    customerUserId: customer.userId,
    type,
    text: text(record(item.text).body) ?? text(record(item[type]).caption) ?? null,
    payload: JSON.stringify(item),
    opaque: null,
    status: 'received',
    history: [],
    errorCode: null,
    acceptedAtMs: platform.clock.now(),
    readByBusiness: false,
  })
}

type News = { kind: 'messages' | 'errors' | 'value'; item: Json; contact: Json | null; field?: string }

function tell(platform: Platform, number: PhoneNumber, news: News) {
  const { id: numberId, wabaId, digits: businessDigits } = number
  platform.outbox.push({ wabaId, numberId, businessDigits, field: 'messages', ...news })
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}
