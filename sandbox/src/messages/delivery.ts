import { callbackError } from '../http/errors.ts'
import { type Json, record } from '../http/json.ts'
import { carriesUnusableMedia } from '../media/codecs.ts'
import type { Platform } from '../platform.ts'
import { changeStatus } from '../templates/template-status.ts'
import { type Customer, findCustomer, type PhoneNumber, type Template, windowIsOpen } from '../world.ts'
import type { Direct } from './direct-send.ts'
import { receiveInbound } from './inbound.ts'
import { HELLO_DELAY_MS, repliesHello } from './magic-recipients.ts'
import type { Message } from './message-log.ts'
import { isBillable, priceView } from './prices.ts'
import type { Effects } from './scenario.ts'

/** `atMs` is the time it happens, `afterMs` the delay from acceptance after which it is told. */
type Step = { status: string; atMs: number; afterMs: number; priced: boolean; errorCode: number | null }

/** `billable`: decided once, so that every status of a message says the same. */
type Order = {
  message: Message
  number: PhoneNumber
  body: Json
  template: Template | null
  direct: Direct | null
  effects: Effects
}
type Priced = Order & { billable: boolean }

const HOLD_MS = 1000
const PLAYED_AFTER_READ_MS = 100

/** Decides what becomes of an accepted message and reports it, step by step, as callbacks. */
export function deliver(platform: Platform, order: Order): void {
  const { message, number, template, effects } = order
  const customer = findCustomer(number, message.customerDigits ?? message.customerUserId)
  const inWindow = windowIsOpen(customer, message.acceptedAtMs)
  if (effects.hold === 'drop' && template) {
    later(platform, effects.hold_ms ?? HOLD_MS, () => changeStatus(platform, template, 'pause'))
  }
  const failure = failureOf(platform, order, customer, inWindow)
  const priced = {
    ...order,
    billable:
      failure === null &&
      isBillable(number, { template: template ?? order.direct, type: message.type }, inWindow, message.acceptedAtMs),
  }
  const steps = plan(platform, order, failure)
  if (effects.statuses_before_answer) {
    const inOrder = steps.toSorted((one, other) => one.afterMs - other.afterMs)
    for (const step of inOrder) report(platform, priced, { ...step, atMs: message.acceptedAtMs })
  } else for (const step of steps) later(platform, step.afterMs, () => report(platform, priced, step))
  if (message.customerDigits !== null && repliesHello(message.customerDigits)) {
    const from = message.customerDigits
    later(platform, HELLO_DELAY_MS, () => receiveInbound(platform, number, { from, text: 'Hello' }))
  }
}

/** Unless the sandbox is reset before. */
function later(platform: Platform, delayMs: number, task: () => void): void {
  const { generation } = platform.messages
  platform.clock.after(delayMs, () => {
    if (platform.messages.generation === generation) task()
  })
}

function plan(platform: Platform, { message, body, effects }: Order, failure: number | null): Step[] {
  const { behaviour } = platform
  const holdMs = effects.hold ? (effects.hold_ms ?? HOLD_MS) : 0
  const at = (ms: number, status: string, priced: boolean, errorCode: number | null = null): Step => {
    const afterMs = holdMs + ms + (effects.statuses_after_ms ?? 0)
    return { status, atMs: message.acceptedAtMs + holdMs + ms, afterMs, priced, errorCode }
  }
  const sentMs = effects.delays?.sent_ms ?? behaviour.delays.sentMs
  const deliveredMs = effects.delays?.delivered_ms ?? behaviour.delays.deliveredMs
  if (failure !== null) return [at(sentMs, 'failed', false, failure)]
  const steps = [at(sentMs, 'sent', true)]
  if (effects.fail_after_sent !== undefined) steps.push(at(deliveredMs, 'failed', false, effects.fail_after_sent))
  if (steps.length > 1 || message.type === 'reaction' || effects.never_delivered) return steps
  const skipDelivered = effects.skip_delivered ?? behaviour.callbacks.skipDelivered
  if (!skipDelivered) steps.push(at(deliveredMs, 'delivered', true))
  if (!(effects.never_read ?? behaviour.callbacks.neverRead)) {
    const readMs = effects.delays?.read_ms ?? behaviour.delays.readMs
    steps.push(at(readMs, 'read', skipDelivered))
    if (record(body.audio).voice === true) steps.push(at(readMs + PLAYED_AFTER_READ_MS, 'played', false))
  }
  return effects.reorder || behaviour.random.chance(behaviour.callbacks.reorder) ? reversed(steps) : steps
}

/** Why the message will be reported as failed without ever having been sent, or null. */
function failureOf(platform: Platform, order: Order, customer: Customer | undefined, inWindow: boolean): number | null {
  const { message, body, effects, template } = order
  if (effects.hold === 'drop') return 132015
  if (effects.fail !== undefined) return effects.fail
  if (order.direct !== null && isTaken(platform, order.number, order.direct)) return 132021
  if (template === null && order.direct === null && !inWindow) return 131047
  if (!inWindow && platform.world.wabas.get(order.number.wabaId)?.unpaid) return 131042
  if (carriesUnusableMedia(platform, body)) return 131053
  const wanted = body.recipient_identity_key_hash
  const known = customer?.identityKeyHash ?? null
  if (wanted !== undefined && known !== null && wanted !== known) return 137000
  if (message.type === 'reaction' && !hasTarget(platform, message, record(body.reaction))) return 131009
  if (template?.category === 'MARKETING' && customer?.stoppedMarketing) return 131050
  const toUs = message.customerDigits?.startsWith('1') ?? false
  if (template?.category === 'MARKETING' && toUs && platform.behaviour.usMarketingPaused) return 131049
  return null
}

/** The name of one of the account's own templates cannot become that of a direct send. */
function isTaken({ world }: Platform, { wabaId }: PhoneNumber, { templateName }: Direct): boolean {
  return (
    templateName !== null &&
    [...world.templates.values()].some((one) => one.wabaId === wabaId && one.name === templateName)
  )
}

const REACTION_AGE_MAX_MS = 30 * 86_400_000

/** Whether a reaction is about a message of the same chat, no reaction itself and at most 30 days old. */
function hasTarget(platform: Platform, message: Message, reaction: Json): boolean {
  const target = platform.messages.get(String(reaction.message_id))
  if (target === undefined || target.type === 'reaction' || target.numberId !== message.numberId) return false
  const { customerDigits: digits, customerUserId } = message
  const isOfChat = target.customerUserId === customerUserId || (digits !== null && target.customerDigits === digits)
  return isOfChat && message.acceptedAtMs - target.acceptedAtMs <= REACTION_AGE_MAX_MS
}

/** The last status leaves first. Each keeps its own timestamp, so a receiver can still tell the true order. */
function reversed(steps: Step[]): Step[] {
  const last = steps.length - 1
  return steps.map((step, index) => ({ ...step, afterMs: steps[last - index]?.afterMs ?? step.afterMs }))
}

const RANKS: Record<string, number> = { accepted: 0, sent: 1, delivered: 2, read: 3, played: 4, failed: 5 }

function report(platform: Platform, order: Priced, step: Step): void {
  const { message, number, effects } = order
  if ((RANKS[step.status] ?? 0) > (RANKS[message.status] ?? 0)) message.status = step.status
  message.history.push(step)
  if (step.errorCode !== null) message.errorCode = step.errorCode
  if (effects.no_callbacks) return
  const update = {
    wabaId: number.wabaId,
    numberId: number.id,
    businessDigits: number.digits,
    field: 'messages',
    kind: 'statuses' as const,
    item: statusItem(order, step, platform.behaviour.callbacks.payloadVersion),
    contact: step.status === 'failed' ? null : contactOf(number, message),
  }
  platform.outbox.push(update)
  if (effects.duplicate) platform.outbox.push(update)
}

function statusItem({ message, template, direct, billable }: Priced, step: Step, version: string): Json {
  const item: Json = { id: message.id, status: step.status, timestamp: String(Math.floor(step.atMs / 1000)) }
  if (message.customerDigits !== null) item.recipient_id = message.customerDigits
  // A failure on the way to a phone number says nothing about the person behind it.
  if (step.errorCode === null || message.customerDigits === null) item.recipient_user_id = message.customerUserId
  if (message.opaque !== null) item.biz_opaque_callback_data = message.opaque
  if (direct !== null && step.errorCode === null) item.template_id = message.id.slice(-16, -1)
  if (step.priced) item.pricing = priceView(template ?? direct, billable, version)
  if (step.priced && version === 'v23') item.conversation = conversation(message, template, step.atMs)
  if (step.errorCode !== null) item.errors = [callbackError(step.errorCode)]
  return item
}

function contactOf(number: PhoneNumber, message: Message): Json {
  const customer = findCustomer(number, message.customerDigits ?? message.customerUserId)
  const contact: Json = { profile: { name: customer?.name ?? 'Customer' }, user_id: message.customerUserId }
  if (message.customerDigits !== null) contact.wa_id = message.customerDigits
  return contact
}

function conversation(message: Message, template: Template | null, atMs: number): Json {
  return {
    id: message.id.slice(-34, -2),
    expiration_timestamp: String(Math.floor(atMs / 1000) + 86_400),
    origin: { type: template?.category.toLowerCase() ?? 'service' },
  }
}
