import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { CallbackItem, Customer, IdentityItem, InboundItem, UnhandledItem } from '../../callback-item.ts'
import { type JsonObject, listOf, objectOf, parseObject, textOf } from '../lenient-json.ts'
import { contentOf } from './callback-content.ts'
import { contactsOf, dedupeKey, eventKey, type Place, phoneOf, rawOf, timeOf, unhandled } from './callback-facts.ts'
import { parseAccountError, parseField, parsePreference } from './callback-fields.ts'
import { parseCall, parseCallStatus, parseStatus } from './callback-status.ts'
import { historyItems, parseEcho, parseOtherEcho, parseSavedContact } from './callback-threads.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Meta asks whether a callback address is ours: the challenge to echo, or null for anybody else. Its names have dots. */
export function answerHandshake(query: Readonly<Record<string, unknown>>, verifyToken: string): string | null {
  const given = query['hub.verify_token']
  const challenge = query['hub.challenge']
  if (query['hub.mode'] !== 'subscribe' || typeof given !== 'string' || typeof challenge !== 'string') return null
  return timingSafeEqual(digest(given), digest(verifyToken)) ? challenge : null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** True when the headers of a callback sign exactly these bytes with the app's secret. */
export function isSigned(headers: Headers, rawBody: Uint8Array, appSecret: string): boolean {
  const header = headers['x-hub-signature-256']
  return typeof header === 'string' && verifySignature(rawBody, header, appSecret)
}

/** True when `header` (`X-Hub-Signature-256`) signs exactly these bytes with the app's secret. */
export function verifySignature(rawBody: Uint8Array, header: string | undefined, appSecret: string): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header ?? '')?.[1]
  if (hex === undefined || appSecret === '') return false
  const expected = createHmac('sha256', appSecret).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'))
}

/**
 * Splits a callback body into its items. Pure and total: every body gives a list, everything in the body ends in some
 * item, and an item that cannot be read becomes `unhandled` without costing its neighbours. Messages come before
 * statuses, so that a trouble with statuses never holds a customer's words back.
 */
export function parseCallback(bodyText: string): CallbackItem[] {
  const body = parseObject(storable(bodyText))
  if (!body) return [unhandled('not_json', nowhere, bodyText)]
  if (body.object !== 'whatsapp_business_account' || !Array.isArray(body.entry)) {
    return [unhandled('unknown_object', nowhere, body)]
  }
  const items = body.entry.flatMap(entryItems)
  return [...items.filter((item) => item.kind !== 'status'), ...items.filter((item) => item.kind === 'status')]
}

const nowhere: Place = {
  wabaId: null,
  phoneNumberId: null,
  ownPhone: null,
  field: null,
  entryTime: null,
  contacts: new Map(),
}

/**
 * Two repairs before parsing. U+0000 becomes U+FFFD, because databases refuse it in text. Template ids come as numbers
 * and may exceed 2^53, so long ones are put in quotes.
 */
function storable(bodyText: string): string {
  const text = bodyText.includes('\\u0000')
    ? bodyText.replace(/\\(?:\\|u0000)/g, (pair) => (pair === '\\\\' ? pair : '\\ufffd'))
    : bodyText
  return text.includes('"message_template_id"')
    ? text.replace(/("message_template_id"\s*:\s*)(\d{16,})/g, '$1"$2"')
    : text
}

function entryItems(value: unknown): CallbackItem[] {
  const entry = objectOf(value)
  if (!entry || !Array.isArray(entry.changes)) return [unhandled('unreadable_entry', nowhere, value)]
  const place = { ...nowhere, wabaId: textOf(entry.id), entryTime: entry.time ?? null }
  return entry.changes.flatMap((change) => changeItems(change, place))
}

function changeItems(value: unknown, entryPlace: Place): CallbackItem[] {
  const change = objectOf(value)
  const content = objectOf(change?.value)
  const field = textOf(change?.field)
  if (!content) return [unhandled('unreadable_entry', { ...entryPlace, field }, value)]
  const metadata = objectOf(content.metadata)
  const phoneNumberId = textOf(metadata?.phone_number_id)
  const ownPhone = phoneOf(metadata?.display_phone_number)
  const place = { ...entryPlace, field, phoneNumberId, ownPhone, contacts: contactsOf(content.contacts) }
  if (field === 'messages') return messagesItems(content, place)
  if (field === 'standby') return standbyItems(content, place)
  if (field === 'history') return historyItems(content, place, section)
  if (field === 'smb_app_state_sync') return section(content.state_sync ?? content, place, parseSavedContact)
  if (field === 'smb_message_echoes') return section(content.message_echoes ?? content, place, parseEcho)
  if (field === 'user_preferences') return section(content.user_preferences ?? content, place, parsePreference)
  if (field === 'user_id_update') return section(content.user_id_update ?? content, place, parseIdentityChange)
  if (field === 'calls') return callItems(content, place)
  return section([content], place, () => parseField(content, place))
}

function messagesItems(content: JsonObject, place: Place): CallbackItem[] {
  const passed = objectOf(objectOf(content.conversation_context)?.summary)
  const items = [
    ...section(content.messages, place, (value) => withSummary(parseMessage(value, place), textOf(passed?.text))),
    ...section(content.statuses, place, parseStatus),
    ...section(content.errors, place, parseAccountError),
    // What customers did with a marketing message; it stands alone in its change.
    ...section(content.user_actions, place, notUsed),
  ]
  if (items.length > 0) return items
  return [unhandled(content.conversation_context === undefined ? 'unreadable_item' : 'not_used', place, content)]
}

function withSummary<Item extends InboundItem | UnhandledItem>(item: Item, summary: string | null): Item {
  return item.kind === 'message' && summary !== null ? { ...item, summary } : item
}

/** Copies for those who do not handle the conversation; an empty one is shown too. */
function standbyItems(content: JsonObject, place: Place): CallbackItem[] {
  const copy = objectOf(content.standby)
  if (!copy) return [unhandled('unreadable_item', place, content)]
  const copies = { ...place, contacts: contactsOf(copy.contacts) }
  const items = [
    ...section(copy.messages, copies, parseMessage),
    ...section(copy.message_echoes, copies, parseOtherEcho),
    ...section(copy.statuses, copies, parseStatus),
  ]
  return items.length > 0 ? items : [unhandled('not_used', place, content)]
}

function callItems(content: JsonObject, place: Place): CallbackItem[] {
  const items = [
    ...section(content.calls, place, parseCall),
    ...section(content.statuses, place, parseCallStatus),
    // Of the call beside them, or of one that never was: nothing is wrong with the account.
    ...section(content.errors, place, notUsed),
  ]
  return items.length > 0 ? items : [unhandled('unknown_field', place, content)]
}

/** Understood, and nothing follows from it. */
function notUsed(value: unknown, place: Place): CallbackItem {
  return unhandled('not_used', place, value)
}

/** Each item on its own: the parsers are careful, and if one of them still throws it costs that item alone. */
function section(values: unknown, place: Place, parse: (value: unknown, place: Place) => CallbackItem): CallbackItem[] {
  if (values === undefined || values === null) return []
  if (!Array.isArray(values)) return [unhandled('unreadable_item', place, values)]
  return values.map((value) => {
    try {
      return parse(value, place)
    } catch {
      return unhandled('unreadable_item', place, value)
    }
  })
}

/**
 * One entry of `messages`. Whatever the content looks like, a message with an id and a sender stays a message: what
 * cannot be read becomes `unsupported`, never nothing.
 */
function parseMessage(value: unknown, place: Place): InboundItem | UnhandledItem {
  const message = objectOf(value)
  if (!message) return unhandled('unreadable_item', place, value)
  const channelMessageId = textOf(message.id)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const type = textOf(message.type) ?? (message.interactive ? 'interactive' : 'unknown')
  const sender = senderOf(message, place)
  const change = type === 'system' ? identityChangeOf(objectOf(message.system), sender) : null
  const from = change ? { ...sender, ...change.current } : withSharedNumber(sender, type, message)
  if (from.phone === null && from.userId === null) return unhandled('no_sender', place, value)
  const context = objectOf(message.context)
  const groupId = textOf(message.group_id)
  const standby = place.field === 'standby'
  return {
    kind: 'message',
    // A copy and the message itself may both come, after the conversation changed hands.
    dedupeKey: dedupeKey(standby ? 'standby' : 'message', channelMessageId),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    channelMessageId,
    at: timeOf(message.timestamp),
    from,
    content: contentOf(type, message),
    replyTo: textOf(context?.id),
    forwarded: context?.forwarded === true || context?.frequently_forwarded === true,
    groupId,
    referral: rawOf(message.referral),
    referredProduct: referredProductOf(objectOf(context?.referred_product)),
    formerAddresses: change?.former ?? [],
    // A message to a group opens no private chat.
    opensWindow: groupId === null && type !== 'system' && type !== 'edit' && type !== 'revoke',
    ...(standby && { standby }),
  }
}

function referredProductOf(product: JsonObject | null): InboundItem['referredProduct'] {
  const productId = textOf(product?.product_retailer_id)
  return productId === null ? null : { catalogId: textOf(product?.catalog_id), productId }
}

/** Number changes come without `contacts`, and customers with a user name come without a number. */
function senderOf(message: JsonObject, place: Place): InboundItem['from'] {
  const phone = phoneOf(message.from)
  const userId = textOf(message.from_user_id)
  const contact =
    phone === null && userId === null
      ? onlyContact(place)
      : (place.contacts.get(userId ?? '') ?? place.contacts.get(phone ?? ''))
  const profile = objectOf(contact?.profile)
  const parentId = textOf(message.from_parent_user_id) ?? textOf(contact?.parent_user_id)
  return {
    phone: phone ?? phoneOf(contact?.wa_id),
    userId: userId ?? textOf(contact?.user_id),
    ...parentOf(parentId),
    name: textOf(profile?.name),
    username: textOf(profile?.username),
  }
}

/** A customer who was asked for their number shared it: it is their own. Any other card says nothing about who sent it. */
function withSharedNumber(sender: InboundItem['from'], type: string, { contacts }: JsonObject): InboundItem['from'] {
  if (type !== 'contacts' || sender.phone !== null) return sender
  const card = objectOf(listOf(contacts)[0])
  const own = objectOf(listOf(card?.phones)[0])
  if (card?.origin !== 'contact_request') return sender
  return { ...sender, phone: phoneOf(own?.wa_id) ?? phoneOf(own?.phone) }
}

/** A message that names no sender is from the one person the change mentions, if there is just one. */
function onlyContact({ contacts }: Place): JsonObject | undefined {
  const people = new Set(contacts.values())
  return people.size === 1 ? people.values().next().value : undefined
}

/** A customer's number or user id is another one from now on. */
type IdentityChange = { current: Customer; former: string[] }

/**
 * Reads `user_changed_number` and `user_changed_user_id`. `from` names the former number; a changed user id may come with
 * neither `from` nor `contacts`. Some name the former id only at the end of their sentence ("... changed from A to B"),
 * which counts where B is who they are now: the customer's own name stands in that sentence too.
 */
function identityChangeOf(system: JsonObject | null, sender: Customer): IdentityChange | null {
  const type = textOf(system?.type)
  if (!system || (type !== 'user_changed_number' && type !== 'user_changed_user_id')) return null
  const current: Customer = {
    phone: phoneOf(system.wa_id) ?? phoneOf(system.new_wa_id) ?? (type === 'user_changed_number' ? null : sender.phone),
    userId: textOf(system.user_id) ?? (type === 'user_changed_number' ? sender.userId : null),
    ...parentOf(system.parent_user_id),
  }
  const isCurrent = (address: string) => address === current.phone || address === current.userId
  const [, told, now] = / changed from (\S+) to (\S+)$/.exec(textOf(system.body) ?? '') ?? []
  const toldFormer = isCurrent(addressOf(now) ?? '') ? addressOf(told) : null
  const previous = [textOf(system.previous_user_id), textOf(system.previous_parent_user_id)]
  const former = [sender.phone, sender.userId, ...previous, toldFormer]
  const known = former.filter((address) => address !== null && !isCurrent(address)) as string[]
  return { current, former: [...new Set(known)] }
}

function parentOf(value: unknown): Pick<Customer, 'parentId'> {
  const parentId = textOf(value)
  return parentId === null ? {} : { parentId }
}

/** `user_id_update`, as it was documented once: what changed, without a message. */
function parseIdentityChange(value: unknown, place: Place): IdentityItem | UnhandledItem {
  const change = objectOf(value)
  const ids = objectOf(change?.user_id)
  const parents = objectOf(change?.parent_user_id)
  const userId = textOf(ids?.current)
  if (!change || userId === null) return unhandled('unreadable_item', place, value)
  const former = [textOf(ids?.previous), textOf(parents?.previous)].filter((one) => one !== null)
  return {
    kind: 'identity',
    dedupeKey: eventKey('identity', place, value),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    customer: { phone: phoneOf(change.wa_id), userId, ...parentOf(parents?.current) },
    former,
    at: timeOf(change.timestamp),
  }
}

function addressOf(word = ''): string | null {
  return /^[A-Z]{2}\.[0-9A-Za-z.]+$/.test(word) ? word : phoneOf(word)
}
