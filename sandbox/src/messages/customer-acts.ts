import type { Json } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import type { Customer, PhoneNumber } from '../world.ts'
import { recipientKey } from './behaviour.ts'
import { bsuidFor, isBsuid } from './bsuid.ts'
import { customerFor, InboundProblem } from './inbound.ts'
import { wamid } from './wamid.ts'

/** Who acts: by phone number or user id. */
export type Actor = { from?: string; user_id?: string }
export type IdentityChange = Actor & { new_phone_number?: string; new_user_id?: string }

/**
 * A customer moves to another number, and with it gets another user id; or gets another user id alone. Such notes come
 * without `contacts`, and the second kind without `from` too.
 */
export function changeIdentity(
  platform: Platform,
  number: PhoneNumber,
  change: IdentityChange,
): { message_id: string } {
  const customer = customerFor(platform, number, actorOf(change))
  const previous = { ...customer }
  const digits = change.new_phone_number === undefined ? customer.digits : recipientKey(change.new_phone_number)
  const moved = digits !== customer.digits
  const businessId = platform.world.wabas.get(number.wabaId)?.businessId ?? number.wabaId
  const userId = change.new_user_id ?? (moved ? bsuidFor(businessId, digits ?? '') : customer.userId)
  if (!isBsuid(userId)) throw new InboundProblem('"new_user_id" is not valid')
  if (!moved && userId === customer.userId) {
    throw new InboundProblem('an identity change needs "new_phone_number" or "new_user_id"')
  }
  Object.assign(customer, { digits, userId })
  number.customers.delete(previous.digits ?? previous.userId)
  number.customers.set(digits ?? userId, customer)
  platform.changed()
  const id = wamid(userId, 'inbound')
  const note = moved ? numberNote(previous, customer) : userIdNote(previous, customer)
  const item: Json = { id, timestamp: String(Math.floor(platform.clock.now() / 1000)), type: 'system', ...note }
  const { id: numberId, wabaId, digits: businessDigits } = number
  platform.outbox.push({ wabaId, numberId, businessDigits, field: 'messages', kind: 'messages', item, contact: null })
  return { message_id: id }
}

function numberNote(previous: Customer, { digits, userId, name }: Customer): Json {
  const body = `User ${name} changed from ${previous.digits} to ${digits}`
  return { from: previous.digits, system: { body, wa_id: digits, user_id: userId, type: 'user_changed_number' } }
}

function userIdNote({ userId: previous }: Customer, { userId, name }: Customer): Json {
  const body = `User ${name} changed from ${previous} to ${userId}`
  return { system: { body, user_id: userId, previous_user_id: previous, type: 'user_changed_user_id' } }
}

/** A customer calls and hangs up: the window opens with the call. */
export function placeCall(platform: Platform, number: PhoneNumber, actor: Actor): { call_id: string } {
  const customer = customerFor(platform, number, actorOf(actor))
  const nowMs = platform.clock.now()
  customer.lastInboundAtMs = nowMs
  platform.changed()
  const id = `wacid.${wamid(customer.userId, 'inbound').slice('wamid.'.length)}`
  const timestamp = String(Math.floor(nowMs / 1000))
  const call: Json = { id, to: number.digits, from_user_id: customer.userId, timestamp, direction: 'USER_INITIATED' }
  if (customer.digits !== null) call.from = customer.digits
  const session = { sdp_type: 'offer', sdp: 'v=0\r\n' }
  for (const step of [
    { event: 'connect', session },
    { event: 'terminate', status: 'COMPLETED' },
  ])
    tellOf(platform, { number, customer }, 'calls', { calls: [{ ...call, ...step }] })
  return { call_id: id }
}

/** A customer stops marketing messages, or takes them again. */
export function changePreference(platform: Platform, number: PhoneNumber, actor: Actor, value: string): void {
  if (value !== 'stop' && value !== 'resume') throw new InboundProblem('"value" is "stop" or "resume"')
  const customer = customerFor(platform, number, actorOf(actor))
  customer.stoppedMarketing = value === 'stop'
  platform.changed()
  const preference: Json = {
    user_id: customer.userId,
    detail:
      value === 'stop' ? 'User requested to stop marketing messages' : 'User requested to resume marketing messages',
    category: 'marketing_messages',
    value,
    timestamp: Math.floor(platform.clock.now() / 1000),
  }
  if (customer.digits !== null) preference.wa_id = customer.digits
  tellOf(platform, { number, customer }, 'user_preferences', { user_preferences: [preference] })
}

type Parties = { number: PhoneNumber; customer: Customer }

/** The whole value of another field than `messages`, with the person it is about. */
export function tellOf(platform: Platform, { number, customer }: Parties, field: string, value: Json): void {
  const contact: Json = { profile: { name: customer.name }, user_id: customer.userId }
  if (customer.digits !== null) contact.wa_id = customer.digits
  const { id: numberId, wabaId, digits: businessDigits } = number
  const metadata = { display_phone_number: businessDigits, phone_number_id: numberId }
  const item: Json = { messaging_product: 'whatsapp', metadata, contacts: [contact], ...value }
  platform.outbox.push({ wabaId, numberId, businessDigits, field, kind: 'value', item, contact: null })
}

export function actorOf({ from, user_id }: Actor): Actor {
  return { ...(from === undefined ? {} : { from }), ...(user_id === undefined ? {} : { user_id }) }
}
