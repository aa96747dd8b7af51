import {
  type Content,
  list,
  record,
  type SeenButton,
  type SeenCard,
  type SeenMessage,
  type Tap,
  text,
  toMedia,
} from './seen-message.ts'

/** Reads an interactive message as the API keeps it. */
export function fromInteractive(interactive: Content): SeenMessage {
  const header = record(interactive.header)
  return {
    header: header?.type === 'text' ? text(header.text) : null,
    media: header && header.type !== 'text' ? toMedia(String(header.type), header) : null,
    text: text(interactive.body),
    footer: text(interactive.footer),
    buttons: [...list(interactive.buttons).map(replyButton), ...actionButtons(interactive)],
    list: interactive.kind === 'list' ? toList(interactive) : null,
    cards: interactive.kind === 'product_carousel' ? productCards(interactive) : list(interactive.cards).map(toCard),
    offer: null,
    note: orderLines(interactive) ?? productsOf(interactive),
  }
}

function toCard(card: Content): SeenCard {
  const header = record(card.header) ?? {}
  return {
    media: toMedia(String(header.type), header),
    text: text(card.body),
    buttons: card.url ? actionButtons({ ...card, kind: 'cta_url' }) : list(card.buttons).map(replyButton),
  }
}

/** Of each product its id: the picture and the name are in the catalog, at Meta. */
function productCards({ catalog_id, product_ids }: Content): SeenCard[] {
  const ids = Array.isArray(product_ids) ? product_ids : []
  return ids.map((id) => ({
    media: null,
    text: `Product ${String(id)}`,
    buttons: [acting('View', orderOf({ catalog_id, product_id: id }))],
  }))
}

function replyButton({ id, title }: Content): SeenButton {
  return { kind: 'reply', label: text(title) ?? '', id: text(id), value: null }
}

/** Buttons that do more than answer; most have a label of WhatsApp's own. */
function actionButtons(interactive: Content): SeenButton[] {
  const { kind, button, url } = interactive
  const own = text(button) ?? ''
  switch (kind) {
    case 'cta_url':
      return [{ kind: 'url', label: own, id: null, value: text(url) }]
    case 'location_request':
      return [acting('Send location', { kind: 'location', latitude: 38.7071, longitude: -9.1355 })]
    case 'flow':
      return [acting(own, { kind: 'form', name: 'flow', answers: flowAnswers(interactive) })]
    case 'product':
      return [acting('View', orderOf(interactive))]
    case 'product_list':
      return [acting('View items', orderOf(interactive))]
    case 'catalog':
      return [acting('View catalog', orderOf(interactive))]
    case 'address':
      return [
        acting('Provide address', { kind: 'form', name: 'address_message', answers: addressAnswers(interactive) }),
      ]
    case 'order_details':
      return [payButton(interactive)]
    case 'order_status':
      return [{ kind: 'pay', label: 'Review order', id: null, value: null }]
    case 'contact_info':
      return [acting('Share phone number', { kind: 'contact_info' })]
    case 'call_permission':
      return [
        acting('Allow calls', { kind: 'call_permission', granted: true }),
        acting('Decline', { kind: 'call_permission', granted: false }),
      ]
    default:
      return []
  }
}

function acting(label: string, tap: Tap): SeenButton {
  return { kind: tap.kind, label, id: null, value: null, tap }
}

/** The simulated customer has a saved card and no other way to pay. */
function payButton({ order }: Content): SeenButton {
  const bill = record(order)
  const takesCard = list(bill?.payment_settings).some(({ type }) => type === 'offsite_card_pay')
  const reference_id = text(bill?.reference_id)
  const label = 'Review and pay'
  if (!takesCard || !reference_id) return { kind: 'pay', label, id: null, value: null }
  return { ...acting(label, { kind: 'payment_method', reference_id }), kind: 'pay' }
}

/** The screens of a Flow are at Meta, so the simulated customer answers with the token alone. */
function flowAnswers({ flow }: Content): Record<string, unknown> {
  return { flow_token: text(record(flow)?.token) ?? 'unused' }
}

function addressAnswers({ address }: Content): Record<string, unknown> {
  const values = { name: 'Asha', in_pin_code: '400063', city: 'Mumbai', ...record(record(address)?.values) }
  return { values }
}

/** The simulated customer buys one piece of everything that is shown. */
export function orderOf(interactive: Content): Tap {
  const shown = productIds(interactive)
  const product_ids = shown.length > 0 ? shown : [text(interactive.thumbnail_product_id) ?? 'sample']
  return { kind: 'order', catalog_id: text(interactive.catalog_id) ?? 'sample', product_ids }
}

/** Products by their ids: what they are is in the catalog, at Meta. */
function productsOf({ product_id: product, product_sections: sections }: Content): string | null {
  return text(product) ? `Product ${product}` : sectionLines(list(sections))
}

/** What is paid for, or what became of it. */
function orderLines({ order, order_status: status }: Content): string | null {
  const state = record(status)
  if (state) return [`Order ${state.reference_id}: ${state.status}`, text(state.description)].filter(Boolean).join('\n')
  const bill = record(order)
  if (!bill) return null
  const money = (hundredths: number) => `${(hundredths / 100).toFixed(2)} ${bill.currency}`
  const items = list(bill.items)
  const goods = items.reduce((sum, { quantity, amount }) => sum + Number(quantity) * Number(amount), 0)
  const total = goods + Number(bill.tax ?? 0) + Number(bill.shipping ?? 0) - Number(bill.discount ?? 0)
  const lines = items.map(({ name, quantity, amount }) => `${quantity} × ${name}, ${money(Number(amount))}`)
  return [`Order ${bill.reference_id}`, ...lines, `Total: ${money(total)}`].join('\n')
}

/** A line for each section. */
export function sectionLines(sections: readonly Content[]): string | null {
  const lines = sections.map((section) => {
    const ids = productIds({ product_sections: [section] }).join(', ')
    return text(section.title) ? `${section.title}: ${ids}` : ids
  })
  return text(lines.join('\n'))
}

function productIds({ product_id, product_sections }: Content): string[] {
  const inSections = list(product_sections).flatMap(({ product_ids }) =>
    Array.isArray(product_ids) ? product_ids : [],
  )
  return [product_id, ...inSections].map(text).filter((id) => id !== null)
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
