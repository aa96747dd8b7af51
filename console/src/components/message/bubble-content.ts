import { fromInteractive, orderOf, sectionLines } from './seen-interactive.ts'
import { type Content, list, record, type SeenMessage, type Tap, text, toMedia } from './seen-message.ts'

/** Reads what the API keeps as `content`; a form nobody knows yet is shown as a note, not as an error. */
export function readContent(type: string, content: Content): SeenMessage {
  const metaType = text(content.meta_type)
  if (metaType) return readRaw(metaType, content.meta)
  const interactive = record(content.interactive)
  if (interactive) return fromInteractive(interactive)
  const form = record(content.flow_reply)
  const header = form ? { kind: 'text', text: formTitle(form) } : record(content.header)
  const media = record(content.media)
  return {
    header: header?.kind === 'text' ? text(header.text) : null,
    media: media
      ? toMedia(type, media)
      : header && header.kind !== 'text'
        ? toMedia(String(header.kind), namedHeader(header))
        : null,
    text: form
      ? formLines(form, content)
      : (text(content.text) ?? text(media?.caption) ?? text(record(content.reply)?.title)),
    footer: text(content.footer),
    buttons: list(content.buttons).map((button) => ({
      kind: text(button.type) ?? 'other',
      label: text(button.text) ?? '',
      id: null,
      value: text(button.value),
      ...tapOn(button, header),
    })),
    list: null,
    note: noteOf(content),
    ...placeIn(content),
    offer: offerOf(content),
    cards: list(content.cards).map((card) => readContent(type, card)),
  }
}

/** Sent by a tool in a form that only Meta knows: any words in it, and all of it on request. */
function readRaw(metaType: string, meta: unknown): SeenMessage {
  const said = record(meta) ?? {}
  const wordsOf = (value: unknown) => text(value) ?? text(record(value)?.text) ?? text(record(value)?.body)
  return {
    header: wordsOf(said.header),
    media: null,
    text: wordsOf(said.body) ?? wordsOf(said.caption) ?? wordsOf(said.text),
    footer: wordsOf(said.footer),
    buttons: [],
    list: null,
    note: `Meta's type ${metaType}`,
    offer: null,
    cards: [],
    json: meta,
  }
}

/** What the simulated customer does with a button of a template. Quick replies are told by their texts. */
function tapOn({ type, value, sections }: Content, header: Content | null): { tap?: Tap } {
  switch (type) {
    case 'flow':
      return { tap: { kind: 'form', name: 'flow', answers: { flow_token: 'unused' } } }
    case 'request_contact_info':
      return { tap: { kind: 'contact_info' } }
    case 'catalog':
      return { tap: orderOf({ thumbnail_product_id: value }) }
    case 'mpm':
      return { tap: orderOf({ product_sections: productSections(sections) }) }
    case 'spm':
      return { tap: orderOf({ catalog_id: header?.catalog_id, product_id: header?.product_retailer_id }) }
    default:
      return {}
  }
}

function productSections(sections: unknown): Content[] {
  return list(sections).map(({ title, product_items: items }) => {
    return { title, product_ids: list(items).map((item) => item.product_retailer_id) }
  })
}

/** What is no file has a name all the same. */
function namedHeader(header: Content): Content {
  if (header.kind === 'location') return { filename: placeOf(header) }
  return header.kind === 'product' ? { filename: `Product ${text(header.product_retailer_id) ?? ''}` } : header
}

function offerOf(content: Content): SeenMessage['offer'] {
  const offer = record(content.offer)
  const end = text(offer?.expires_at)
  return offer && { text: text(offer.text) ?? 'Offer', end: end && `Ends ${timeOf(end)} UTC` }
}

const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const days = new Intl.DateTimeFormat('en-GB', day)
const times = new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit' })

/** While it is written it may be no time yet. */
function timeOf(at: string, format = times): string {
  const ms = Date.parse(/Z$/.test(at) ? at : `${at}Z`)
  return Number.isNaN(ms) ? at : format.format(ms)
}

function placeIn(content: Content): { place?: string } {
  const { latitude, longitude } = record(content.location) ?? {}
  const [lat, lon] = [Number(latitude), Number(longitude)]
  if (latitude === undefined || !Number.isFinite(lat) || !Number.isFinite(lon)) return {}
  return { place: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}` }
}

function noteOf(content: Content): string | null {
  const location = record(content.location)
  if (location) return placeOf(location)
  const reaction = record(content.reaction)
  if (reaction) return text(reaction.emoji) ? `Reacted ${text(reaction.emoji)}` : 'Removed a reaction'
  if (Array.isArray(content.contacts)) return `Contact ${list(content.contacts).map(cardLine).join(', ')}`
  const permission = record(content.call_permission)
  if (permission) return permissionNote(permission)
  const card = record(content.payment_method)
  if (card) return paymentNote(card)
  const order = record(content.order)
  if (order) return ['Ordered', ...list(order.products).map(orderLine)].join('\n')
  if (record(content.edit)) return 'Edited an earlier message'
  if (record(content.deletion)) return 'Deleted an earlier message'
  if (record(content.media_placeholder)) return 'An older file, which WhatsApp did not deliver'
  if (record(content.system)) return 'A system message about this customer'
  const unsupported = record(content.unsupported)
  return unsupported
    ? unsupportedNote(unsupported)
    : sectionLines(list(content.buttons).flatMap(({ sections }) => productSections(sections)))
}

/** Written on a linked device that Meta cannot read: the words are on the phone alone. */
const onPhoneOnly = 131_060

function unsupportedNote({ type, meta_code }: Content): string {
  if (meta_code === onPhoneOnly) return 'A message that only the WhatsApp Business app on the phone can show'
  return `A message of type ${text(type) ?? 'unknown'}, which WhatsApp does not deliver`
}

function paymentNote({ reference_id, last_four_digits }: Content): string {
  const digits = text(last_four_digits)
  return `Pays order ${text(reference_id) ?? '?'} with a saved card${digits ? ` that ends in ${digits}` : ''}`
}

function formTitle({ name }: Content): string {
  return name === 'address_message' ? 'Sent an address' : 'Filled in a form'
}

/** A line for each field, by the name the form gave it. The token is the sender's own, and "Sent" Meta's: no answers. */
function formLines({ answers, json }: Content, said: Content): string | null {
  const { values, flow_token: _, ...others } = record(answers) ?? {}
  const fields = { ...record(values), ...others }
  const lines = Object.entries(fields).map(([name, value]) => `${fieldName(name)}: ${answerOf(value)}`)
  return text(lines.join('\n')) ?? text(json) ?? (said.text === 'Sent' ? null : text(said.text))
}

function fieldName(name: string): string {
  const words = name.replace(/^in_pin/, 'pin').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function answerOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(answerOf).join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '–')
}

function permissionNote({ granted, permanent, expires_at }: Content): string {
  if (granted !== true) return 'Declined calls'
  const until = permanent === true ? null : text(expires_at)
  return until ? `Allowed calls until ${timeOf(until, days)}` : 'Allowed calls'
}

function placeOf(location: Content): string {
  const place = [text(location.name), text(location.address)].filter((line) => line !== null).join(', ')
  return `Location${place ? ` ${place}` : ''} (${String(location.latitude)}, ${String(location.longitude)})`
}

/** Who it is, and the first number. */
function cardLine({ name, phones }: Content): string {
  const phone = text(list(phones)[0]?.phone)
  const shown = text(record(name)?.formatted_name)
  if (!shown && phone) return phone
  return `${shown ?? 'without a name'}${phone ? ` (${phone})` : ''}`
}

function orderLine(product: Content): string {
  return `${String(product.quantity ?? '?')} × ${text(product.product_id) ?? 'a product'}`
}
