import type {
  AddressForm,
  Card,
  Flow,
  Header,
  ProductSection,
  ReplyButton,
} from '../../contract/messages/interactive-content.ts'
import { type Order, type OrderStatus, sumsOf } from '../../contract/messages/orders.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { OutboundFile, OutboundInteractive } from '../outbound-message.ts'
import type { JsonObject } from './lenient-json.ts'
import { given, media } from './template-to-wire.ts'

/** The node `interactive` of a send. */
export function interactiveToWire(content: OutboundInteractive): JsonObject {
  const { header, body, footer } = content
  return {
    type: wireTypes[content.kind],
    ...(header && { header: headerToWire(header) }),
    ...(body !== null && { body: { text: body } }),
    ...(footer !== null && { footer: { text: footer } }),
    action: actionOf(content),
  }
}

const wireTypes: Record<OutboundInteractive['kind'], string> = {
  buttons: 'button',
  list: 'list',
  cta_url: 'cta_url',
  location_request: 'location_request_message',
  flow: 'flow',
  product: 'product',
  product_list: 'product_list',
  catalog: 'catalog_message',
  product_carousel: 'carousel',
  carousel: 'carousel',
  address: 'address_message',
  call_permission: 'call_permission_request',
  contact_info: 'request_contact_info',
  order_details: 'order_details',
  order_status: 'order_status',
}

function actionOf(content: OutboundInteractive): JsonObject {
  switch (content.kind) {
    case 'buttons':
      return { buttons: replyButtons('reply', content.buttons) }
    case 'list': {
      const { button, sections } = content
      return { button, sections: sections.map(({ title, rows }) => ({ ...given({ title }), rows: rows.map(given) })) }
    }
    case 'cta_url':
      return linkAction(content)
    case 'location_request':
      return { name: 'send_location' }
    case 'flow':
      return flowAction(content.button, content.flow)
    case 'product':
      return { catalog_id: content.catalog_id, product_retailer_id: content.product_id }
    case 'product_list':
      return { catalog_id: content.catalog_id, sections: content.product_sections.map(productSection) }
    case 'catalog':
      return catalogAction(content.thumbnail_product_id)
    case 'product_carousel':
      return { cards: content.product_ids.map((id, index) => productCard(content.catalog_id, id, index)) }
    case 'carousel':
      return { cards: content.cards.map(card) }
    case 'address':
      return { name: 'address_message', parameters: addressParameters(content.address) }
    case 'call_permission':
      return { name: 'call_permission_request' }
    case 'contact_info':
      return { name: 'request_contact_info' }
    case 'order_details':
      return { name: 'review_and_pay', parameters: orderToWire(content.order) }
    case 'order_status':
      return { name: 'review_order', parameters: orderStatusToWire(content.order_status) }
  }
}

function catalogAction(thumbnail: string | null): JsonObject {
  const parameters = thumbnail === null ? null : { thumbnail_product_retailer_id: thumbnail }
  return { name: 'catalog_message', ...given({ parameters }) }
}

function productCard(catalogId: string, productId: string, index: number): JsonObject {
  return { card_index: index, type: 'product', action: { catalog_id: catalogId, product_retailer_id: productId } }
}

function linkAction({ button, url }: { button: string; url: string }): JsonObject {
  return { name: 'cta_url', parameters: { display_text: button, url } }
}

function flowAction(button: string, { id, name, token, mode, action, screen, screen_data }: Flow): JsonObject {
  const payload = given({ screen, data: screen_data })
  const parameters = {
    flow_message_version: '3',
    ...given({ flow_id: id, flow_name: name, flow_token: token }),
    flow_cta: button,
    mode,
    flow_action: action,
    ...(Object.keys(payload).length > 0 && { flow_action_payload: payload }),
  }
  return { name: 'flow', parameters }
}

function productSection({ title, product_ids }: ProductSection): JsonObject {
  return { ...given({ title }), product_items: product_ids.map((id) => ({ product_retailer_id: id })) }
}

function addressParameters({ country, values, saved_addresses, validation_errors }: AddressForm): JsonObject {
  const saved = saved_addresses?.map(({ id, values: value }) => ({ id, value }))
  return { country, ...given({ values, saved_addresses: saved, validation_errors }) }
}

/** Meta calls every card one with a link, also where its buttons answer. */
function card({ header, body, button, url, buttons }: Card<OutboundFile>, index: number): JsonObject {
  return {
    card_index: index,
    type: 'cta_url',
    header: headerToWire(header),
    ...(body !== null && { body: { text: body } }),
    action: buttons
      ? { buttons: replyButtons('quick_reply', buttons) }
      : linkAction({ button: button ?? '', url: url ?? '' }),
  }
}

function replyButtons(type: 'reply' | 'quick_reply', buttons: readonly ReplyButton[]): JsonObject[] {
  return buttons.map(({ id, title }) => ({ type, [type]: { id, title } }))
}

function headerToWire(header: Header<OutboundFile>): JsonObject {
  if (header.type === 'text') return { type: 'text', text: header.text }
  const filename = header.type === 'document' ? header.filename : undefined
  return { type: header.type, [header.type]: { ...media(header.media), ...given({ filename }) } }
}

const amount = (value: number): JsonObject => ({ value, offset: 100 })

function orderToWire(order: Order): JsonObject {
  const { reference_id, goods, currency, payment_settings, items, tax, shipping, discount } = order
  const { subtotal, total } = sumsOf(order)
  return {
    reference_id,
    type: `${goods}-goods`,
    payment_settings,
    currency,
    total_amount: amount(total),
    order: {
      status: 'pending',
      items: items.map(({ product_id, name, quantity, amount: price }) => {
        return { ...given({ retailer_id: product_id }), name, amount: amount(price), quantity }
      }),
      subtotal: amount(subtotal),
      tax: amount(tax),
      ...(shipping > 0 && { shipping: amount(shipping) }),
      ...(discount > 0 && { discount: amount(discount) }),
    },
  }
}

function orderStatusToWire({ reference_id, status, description, paid_at }: OrderStatus): JsonObject {
  const paidMs = paid_at === null ? null : parseInstant(paid_at)
  const timestamp = paidMs === null ? null : Math.floor(paidMs / 1_000)
  return {
    reference_id,
    order: { status, ...given({ description }) },
    ...(timestamp !== null && { payment: { status: 'captured', timestamp } }),
  }
}
