import { type GraphError, graphError, invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { isRecord, type Json, parse, text } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { atMost, onlyKeys, requiredObject, requiredText } from '../templates/rule-helpers.ts'
import { fillTemplate } from '../templates/template-send-rules.ts'
import { isInUse } from '../templates/template-status.ts'
import { findCustomer, isBlocked, type Media, type PhoneNumber, type Template, windowIsOpen } from '../world.ts'
import { recipientKey } from './behaviour.ts'
import { bsuidFor, isBsuid } from './bsuid.ts'
import { deliver } from './delivery.ts'
import { checkDirectSend } from './direct-send.ts'
import { magicEffects } from './magic-recipients.ts'
import type { Message } from './message-log.ts'
import { checkContent } from './message-rules.ts'
import type { EffectError, Effects } from './scenario.ts'
import { requireOwn } from './thread-control.ts'
import { wamid } from './wamid.ts'

/** The body of a send, parsed and as it came. */
type SendCall = Pick<Call, 'params' | 'source'>

/** `POST /{phone_number_id}/messages`: a send, or a read receipt. A 200 means accepted, nothing more. */
export function postMessage(
  platform: Platform,
  number: PhoneNumber,
  call: SendCall,
  effects: Effects | null,
  endpoint: 'messages' | 'marketing_messages' = 'messages',
): Reply {
  const { params, source } = call
  const body = loosened(params)
  if (body.messaging_product !== 'whatsapp') {
    throw graphError(100, undefined, { message: '(#100) The parameter messaging_product is required.' })
  }
  if (effects?.not_registered || number.status !== 'CONNECTED') {
    throw graphError(133010, 'The phone number is not registered on the platform.')
  }
  if (body.status !== undefined) return markRead(platform, body, number)
  const recipient = readRecipient(platform, number, body)
  const type = text(body.type) ?? 'text'
  const template = type === 'template' ? checkTemplate(platform, number, body, recipient) : null
  if (template?.template.category === 'MARKETING' && endpoint === 'messages') refuseMarketing(platform, number)
  if (template === null) checkContent(type, body, mediaLookup(platform, number))
  onlyKeys('root', body, ENVELOPE)
  checkEnvelope(body)
  const direct = checkDirectSend(platform, number, body, recipient.digits !== null)
  const fate = fateOf(effects, magicEffects(recipient.key, template !== null))
  if (fate?.error) throw effectError(fate.error)
  admit(platform, number, recipient, template !== null || direct !== null)
  const message = remember(platform, number, {
    body,
    source,
    recipient,
    text: template?.rendered ?? textOf(type, body),
  })
  deliver(platform, { message, number, body, template: template?.template ?? null, direct, effects: fate ?? {} })
  return ok(acceptance(message.id, body, recipient, fate))
}

/**
 * As Graph reads parameters: a null is a parameter that was not given, and an object may come as JSON text. Public tools
 * send both, such as `"context": null` and `interactive.action` as text.
 */
function loosened(params: Json): Json {
  const body = withoutNulls(params)
  for (const name of ['context', 'interactive', 'template']) if (name in body) body[name] = objectFrom(body[name])
  const { interactive, template } = body
  if (isRecord(interactive)) {
    body.interactive = { ...withoutNulls(interactive), action: objectFrom(interactive.action) }
  }
  if (isRecord(template) && typeof template.components === 'string') {
    body.template = { ...template, components: parse(template.components) ?? template.components }
  }
  return body
}

function withoutNulls(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

function objectFrom(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('{') ? (parse(value) ?? value) : value
}

function refuseMarketing({ world }: Platform, { wabaId }: PhoneNumber): void {
  if (!world.wabas.get(wabaId)?.cloudMarketingOff) return
  throw graphError(131063, 'Marketing templates are turned off on this endpoint for this account.')
}

function admit(platform: Platform, number: PhoneNumber, { key: customer }: Recipient, isTemplate: boolean): void {
  const nowMs = platform.clock.now()
  const waba = platform.world.wabas.get(number.wabaId)
  if (waba === undefined) throw unknownNode('POST', number.id)
  const open = windowIsOpen(findCustomer(number, customer), nowMs)
  if (!isTemplate) requireOwn(findCustomer(number, customer))
  if (!open && !isTemplate && platform.behaviour.closedWindowInAnswer) {
    throw graphError(131047, 'More than 24 hours have passed since the customer last wrote to this number.')
  }
  const initiates = isTemplate && !open
  platform.throttle.admitMessage(platform.behaviour, { number, waba, customer, initiates, nowMs })
}

/** A rule of the scenario adds to what a magic recipient does, and wins where both speak. */
function fateOf(effects: Effects | null, magic: Effects | null): Effects | null {
  return effects !== null && magic !== null ? { ...magic, ...effects } : (effects ?? magic)
}

/** `POST /{phone_number_id}/marketing_messages`: the same, for marketing templates alone. */
export function postMarketingMessage(
  platform: Platform,
  number: PhoneNumber,
  call: SendCall,
  effects: Effects | null,
): Reply {
  const body = loosened(call.params)
  const content = isRecord(body.template) ? body.template : {}
  const language = isRecord(content.language) ? content.language.code : undefined
  if (!platform.world.wabas.get(number.wabaId)?.marketingMessages) {
    throw graphError(134102, 'This WhatsApp Business account is not onboarded to the Marketing Messages API.')
  }
  const template = findTemplate(platform, number.wabaId, String(content.name), String(language))
  if (template !== undefined && template.category !== 'MARKETING') {
    throw graphError(134100, 'Only marketing templates can be sent here.')
  }
  if (body.type !== 'template') throw graphError(131055, 'Only templates can be sent here.')
  return postMessage(platform, number, call, effects, 'marketing_messages')
}

type Accepted = { body: Json; source: string; recipient: Recipient; text: string | null }

function remember(platform: Platform, number: PhoneNumber, { body, source, recipient, text: seen }: Accepted): Message {
  return platform.messages.add({
    seq: 0,
    id: wamid(recipient.key, 'outbound'),
    direction: 'outbound',
    numberId: number.id,
    businessDigits: number.digits,
    customerDigits: recipient.digits,
    customerUserId: recipient.userId,
    type: text(body.type) ?? 'text',
    text: seen,
    payload: source.startsWith('{') ? source : JSON.stringify(body),
    opaque: text(body.biz_opaque_callback_data) ?? null,
    status: 'accepted',
    history: [],
    errorCode: null,
    acceptedAtMs: platform.clock.now(),
    readByBusiness: false,
  })
}

export function effectError({ code, details, http_status, subcode }: EffectError): GraphError {
  return graphError(code, details, {
    ...(http_status === undefined ? {} : { status: http_status }),
    ...(subcode === undefined ? {} : { subcode }),
  })
}

const ENVELOPE = [
  'messaging_product',
  'recipient_type',
  'to',
  'recipient',
  'type',
  'context',
  'biz_opaque_callback_data',
  'recipient_identity_key_hash',
  'category',
  'ttl_seconds',
  'direct_send_config',
  'access_token',
  'product_policy',
  'message_activity_sharing',
  'text',
  'image',
  'video',
  'document',
  'audio',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
]

type Recipient = { key: string; digits: string | null; userId: string }

function readRecipient(platform: Platform, number: PhoneNumber, body: Json): Recipient {
  const { to, recipient } = body
  const businessId = platform.world.wabas.get(number.wabaId)?.businessId ?? number.wabaId
  if (to === undefined || to === '') {
    if (recipient === undefined) throw missing('to')
    const userId = requiredText('recipient', recipient)
    if (!isBsuid(userId)) throw invalid("Parameter 'recipient' is not a business-scoped user id")
    const digits = findCustomer(number, userId)?.digits ?? null
    refuseStrangers(platform, number, digits ?? userId)
    return { key: digits ?? userId, digits: null, userId }
  }
  const digits = phoneDigits(platform, number, requiredText('to', typeof to === 'number' ? String(to) : to))
  if (digits === number.digits) throw graphError(131021, 'The recipient number is the same as the sender number.')
  refuseStrangers(platform, number, digits)
  return { key: digits, digits, userId: number.customers.get(digits)?.userId ?? bsuidFor(businessId, digits) }
}

/** Without a `+`, a number too short to be international gets the business's own country code: the documented trap. */
function phoneDigits(platform: Platform, number: PhoneNumber, to: string): string {
  const international = to.startsWith('+')
  const digits = to.replace(/[+\s\-().]/g, '')
  const full =
    !international && digits.length <= 10 ? number.digits.slice(0, number.digits.length - 10) + digits : digits
  if (/^\d{7,15}$/.test(full)) return full
  if (allowListOf(platform, number) !== null) throw graphError(131030, 'Recipient phone number not in allowed list.')
  throw invalid("Parameter 'to' is not a valid phone number")
}

function allowListOf(platform: Platform, number: PhoneNumber): string[] | null {
  return number.allowList ?? platform.behaviour.allowList
}

function refuseStrangers(platform: Platform, number: PhoneNumber, key: string): void {
  const allowed = allowListOf(platform, number)
  if (allowed !== null && !allowed.some((entry) => recipientKey(entry) === key)) {
    throw graphError(131030, 'Recipient phone number not in allowed list: add it to the list and try again.')
  }
  if (isBlocked(number, key)) {
    throw graphError(130403, 'The business has blocked this user; unblock the user first.')
  }
}

function checkEnvelope(body: Json): void {
  const opaque = body.biz_opaque_callback_data
  if (opaque !== undefined) {
    if (typeof opaque !== 'string') throw invalid("Parameter 'biz_opaque_callback_data' must be text")
    atMost('biz_opaque_callback_data', opaque, 512)
  }
  if (body.context !== undefined) {
    requiredText('context.message_id', isRecord(body.context) ? body.context.message_id : undefined)
  }
  if (body.recipient_type !== undefined && body.recipient_type !== 'individual' && body.recipient_type !== 'group') {
    throw invalid("Parameter 'recipient_type' must be individual or group")
  }
}

/** Files of the same number that have not expired. */
export function mediaLookup(platform: Platform, number: PhoneNumber): (id: string) => Media | undefined {
  return (id) => {
    const media = platform.world.media.get(id)
    const usable = media?.numberId === number.id && media.expiresAtMs > platform.clock.now()
    return usable ? media : undefined
  }
}

function checkTemplate(
  platform: Platform,
  number: PhoneNumber,
  body: Json,
  recipient: Recipient,
): { template: Template; rendered: string } {
  const content = requiredObject('template', body.template)
  const name = requiredText('template.name', content.name)
  const language = requiredText(
    'template.language.code',
    isRecord(content.language) ? content.language.code : undefined,
  )
  const template = findTemplate(platform, number.wabaId, name, language)
  if (template?.status === 'PAUSED') throw graphError(132015, `template (${name}) is paused because of low quality`)
  if (template?.status === 'DISABLED') throw graphError(132016, `template (${name}) is disabled`)
  if (template === undefined || !isInUse(template)) {
    throw graphError(132001, `template name (${name}) does not exist in ${language}`)
  }
  if (template.category === 'AUTHENTICATION' && recipient.digits === null) {
    throw graphError(131062, 'Authentication templates need a phone number as recipient.')
  }
  return { template, rendered: fillTemplate(template, content, mediaLookup(platform, number)) }
}

// Found again for every send, so kept: a linear search over 250 templates would cost more than the rest of the send.
const found = new WeakMap<Platform['world']['templates'], Map<string, Template>>()

function findTemplate(platform: Platform, wabaId: string, name: string, language: string): Template | undefined {
  const { templates } = platform.world
  const key = `${wabaId} ${name} ${language}`
  const kept = found.get(templates) ?? new Map<string, Template>()
  found.set(templates, kept)
  const known = kept.get(key)
  if (known !== undefined && templates.get(known.id) === known) return known
  for (const template of templates.values()) {
    if (template.wabaId === wabaId && template.name === name && template.language === language) {
      kept.set(key, template)
      return template
    }
  }
  return undefined
}

function textOf(type: string, body: Json): string | null {
  const content = body[type]
  if (!isRecord(content)) return null
  const inner = isRecord(content.body) ? content.body.text : content.body
  return text(inner) ?? text(content.caption) ?? text(content.emoji) ?? null
}

function acceptance(id: string, body: Json, recipient: Recipient, fate: Effects | null): Json {
  const contact: Json = { input: text(body.to) ?? text(body.recipient) ?? String(body.to) }
  if (recipient.digits !== null) contact.wa_id = recipient.digits
  if (body.recipient !== undefined && body.to === undefined) contact.user_id = recipient.userId
  const message: Json = { id }
  if (body.type === 'template') message.message_status = fate?.hold ? 'held_for_quality_assessment' : 'accepted'
  return { messaging_product: 'whatsapp', contacts: [contact], messages: [message] }
}

function markRead(platform: Platform, body: Json, number: PhoneNumber): Reply {
  if (body.status !== 'read') throw invalid("Parameter 'status' must be read")
  const id = requiredText('message_id', body.message_id)
  const message = platform.messages.get(id)
  if (message === undefined || message.direction !== 'inbound' || message.numberId !== number.id) {
    throw invalid(`Message with ID ${id} is not an incoming message of this number`)
  }
  const typing = body.typing_indicator
  if (typing !== undefined && !(isRecord(typing) && typing.type === 'text')) {
    throw invalid("Parameter 'typing_indicator.type' must be text")
  }
  message.readByBusiness = true
  return SUCCESS
}
