export type SeenMedia = {
  kind: string
  mediaId: string | null
  link: string | null
  name: string | null
  mimeType: string | null
  isVoice: boolean
}
export type SeenButton = { kind: string; label: string; id: string | null; value: string | null }
export type SeenSection = { title: string | null; rows: { id: string; title: string; description: string | null }[] }

/** A message as a phone shows it, whatever its type. */
export type SeenMessage = {
  header: string | null
  media: SeenMedia | null
  text: string | null
  footer: string | null
  buttons: SeenButton[]
  list: { button: string; sections: SeenSection[] } | null
  /** What has no words of its own, in ours. */
  note: string | null
  /** A limited-time offer, in a line. */
  offer?: string | null
  /** The cards of a carousel. */
  cards?: SeenMessage[]
}

type Content = Record<string, unknown>

/** Reads what the API keeps as `content`; a form nobody knows yet is shown as a note, not as an error. */
export function readContent(type: string, content: Content): SeenMessage {
  const interactive = record(content.interactive)
  if (interactive) return fromInteractive(interactive)
  const header = record(content.header)
  const media = record(content.media)
  return {
    header: header?.kind === 'text' ? text(header.text) : null,
    media: media
      ? toMedia(type, media)
      : header && header.kind !== 'text'
        ? toMedia(String(header.kind), namedHeader(header))
        : null,
    text: text(content.text) ?? text(media?.caption) ?? text(record(content.reply)?.title),
    footer: text(content.footer),
    buttons: list(content.buttons).map((button) => ({
      kind: text(button.type) ?? 'other',
      label: text(button.text) ?? '',
      id: null,
      value: text(button.value),
    })),
    list: null,
    note: noteOf(content),
    offer: offerOf(content),
    cards: list(content.cards).map((card) => readContent(type, card)),
  }
}

/** What is no file has a name all the same. */
function namedHeader(header: Content): Content {
  if (header.kind === 'location') return { filename: placeOf(header) }
  return header.kind === 'product' ? { filename: `Product ${text(header.product_retailer_id) ?? ''}` } : header
}

function offerOf(content: Content): string | null {
  const offer = record(content.offer)
  const end = text(offer?.expires_at)
  return offer ? `${text(offer.text) ?? 'Offer'}${end ? ` Ends ${end.slice(0, 16).replace('T', ' ')} UTC` : ''}` : null
}

function fromInteractive(interactive: Content): SeenMessage {
  const header = record(interactive.header)
  return {
    header: header?.type === 'text' ? text(header.text) : null,
    media: header && header.type !== 'text' ? toMedia(String(header.type), header) : null,
    text: text(interactive.body),
    footer: text(interactive.footer),
    buttons: [...list(interactive.buttons).map(replyButton), ...actionButtons(interactive)],
    list: interactive.kind === 'list' ? toList(interactive) : null,
    note: productsOf(interactive),
  }
}

function replyButton({ id, title }: Content): SeenButton {
  return { kind: 'reply', label: text(title) ?? '', id: text(id), value: null }
}

/** Buttons that do more than answer; some have a label of WhatsApp's own. */
function actionButtons({ kind, button, url }: Content): SeenButton[] {
  switch (kind) {
    case 'cta_url':
      return [{ kind: 'url', label: text(button) ?? '', id: null, value: text(url) }]
    case 'flow':
      return [{ kind, label: text(button) ?? '', id: null, value: null }]
    case 'location_request':
      return [{ kind, label: 'Send location', id: null, value: null }]
    case 'product':
      return [{ kind, label: 'View', id: null, value: null }]
    case 'product_list':
      return [{ kind, label: 'View items', id: null, value: null }]
    case 'catalog':
      return [{ kind, label: 'View catalog', id: null, value: null }]
    default:
      return []
  }
}

/** Products by their ids: what they are is in the catalog, at Meta. */
function productsOf({ product_id, product_sections }: Content): string | null {
  const inSections = list(product_sections).flatMap(({ product_ids }) =>
    Array.isArray(product_ids) ? product_ids : [],
  )
  const ids = [product_id, ...inSections].map(text).filter((id) => id !== null)
  if (ids.length === 0) return null
  return ids.length === 1 ? `Product ${ids[0]}` : `${ids.length} products: ${ids.join(', ')}`
}

function toList(interactive: Content): SeenMessage['list'] {
  return {
    button: text(interactive.button) ?? 'Options',
    sections: list(interactive.sections).map((section) => ({
      title: text(section.title),
      rows: list(section.rows).map((row) => ({
        id: text(row.id) ?? '',
        title: text(row.title) ?? '',
        description: text(row.description),
      })),
    })),
  }
}

function toMedia(kind: string, media: Content): SeenMedia {
  return {
    kind,
    mediaId: text(media.media_id),
    link: text(media.link),
    name: text(media.filename),
    mimeType: text(media.mime_type),
    isVoice: media.voice === true,
  }
}

function noteOf(content: Content): string | null {
  const location = record(content.location)
  if (location) return placeOf(location)
  const reaction = record(content.reaction)
  if (reaction) return text(reaction.emoji) ? `Reacted ${text(reaction.emoji)}` : 'Removed a reaction'
  if (Array.isArray(content.contacts)) return `Contact ${list(content.contacts).map(cardLine).join(', ')}`
  const flow = record(content.flow_reply)
  if (flow) return `Filled in a form: ${JSON.stringify(record(flow.answers) ?? text(flow.json))}`
  const order = record(content.order)
  if (order) return `Ordered ${list(order.products).map(orderLine).join(', ')}`
  if (record(content.edit)) return 'Edited an earlier message'
  if (record(content.deletion)) return 'Deleted an earlier message'
  if (record(content.system)) return 'A system message about this customer'
  const unsupported = record(content.unsupported)
  return unsupported
    ? `A message of type ${text(unsupported.type) ?? 'unknown'}, which WhatsApp does not pass on`
    : null
}

function placeOf(location: Content): string {
  const place = [text(location.name), text(location.address)].filter((line) => line !== null).join(', ')
  return `Location${place ? ` ${place}` : ''} (${String(location.latitude)}, ${String(location.longitude)})`
}

/** Who it is, and the first number. */
function cardLine({ name, phones }: Content): string {
  const phone = text(list(phones)[0]?.phone)
  return `${text(record(name)?.formatted_name) ?? 'without a name'}${phone ? ` (${phone})` : ''}`
}

function orderLine(product: Content): string {
  return `${String(product.quantity ?? '?')} × ${text(product.product_id) ?? 'a product'}`
}

function record(value: unknown): Content | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Content) : null
}

function list(value: unknown): Content[] {
  return Array.isArray(value) ? value.map(record).filter((one) => one !== null) : []
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
