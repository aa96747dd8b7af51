import { type Order, sumsOf } from '../../../contract/messages/orders.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import {
  checkButtons,
  checkCount,
  checkFile,
  checkGiven,
  checkId,
  checkPage,
  checkSectionTitle,
  checkWords,
} from './check-choices.ts'
import type {
  CardRequest,
  CarouselRequest,
  OrderDetailsRequest,
  OrderStatusRequest,
  ProductCarouselRequest,
  ProductListRequest,
} from './interactive-request.ts'

/** No page of Meta says how long an id of a catalog may be; no shop has longer ones. */
export const idMax = 256
const productsMax = 30

/** Whether the catalog has the products is for Meta to say. */
export function checkProductList({ catalog_id, product_sections }: ProductListRequest): FieldProblem[] {
  const products = product_sections.flatMap(({ product_ids }) => product_ids).length
  return [
    ...checkId(catalog_id, 'catalog_id', idMax),
    ...checkCount(product_sections.length, 'product_sections', { most: 10, noun: 'sections' }),
    ...product_sections.flatMap((section, index) =>
      checkProductSection(section, `product_sections[${index}]`, product_sections.length),
    ),
    ...(products > productsMax ? [bodyProblem('product_sections', 'too_many_items', tooMany(products))] : []),
  ]
}

/** All cards are of one catalog. */
export function checkProductCarousel({ catalog_id, product_ids }: ProductCarouselRequest): FieldProblem[] {
  return [
    ...checkId(catalog_id, 'catalog_id', idMax),
    ...checkCount(product_ids.length, 'product_ids', { least: 2, most: 10, noun: 'products' }),
    ...product_ids.flatMap((id, index) => checkId(id, `product_ids[${index}]`, idMax)),
  ]
}

const tooMany = (products: number) =>
  `A list has at most ${productsMax} products in all its sections together, this has ${products}.`

type Section = ProductListRequest['product_sections'][number]

function checkProductSection({ title, product_ids }: Section, place: string, sections: number): FieldProblem[] {
  const none = bodyProblem(`${place}.product_ids`, 'too_short', 'Give the section at least one product.')
  return [
    ...checkSectionTitle(title, `${place}.title`, sections),
    ...(product_ids.length === 0 ? [none] : []),
    ...product_ids.flatMap((id, index) => checkId(id, `${place}.product_ids[${index}]`, idMax)),
  ]
}

export function checkOrder({ order }: OrderDetailsRequest): FieldProblem[] {
  const { items, payment_settings: ways } = order
  const tooMuch = bodyProblem('order.discount', 'invalid_value', 'The discount leaves nothing to pay.')
  return [
    ...checkReference(order.reference_id, 'order.reference_id'),
    ...checkCount(items.length, 'order.items', { most: 100, noun: 'items' }),
    ...items.flatMap(({ name, product_id }, index) => [
      ...checkWords(name, `order.items[${index}].name`, 60),
      ...(product_id == null ? [] : checkId(product_id, `order.items[${index}].product_id`, idMax)),
    ]),
    ...(items.length > 0 && sumsOf(order).total <= 0 ? [tooMuch] : []),
    ...checkCount(ways.length, 'order.payment_settings', { most: 10, noun: 'ways to pay' }),
    ...ways.flatMap(({ type }, index) =>
      typeof type === 'string' && type !== ''
        ? []
        : [bodyProblem(`order.payment_settings[${index}].type`, 'required', 'Name the way to pay in `type`.')],
    ),
  ]
}

/** As it is kept: with nothing left out. */
export function orderOf(order: OrderDetailsRequest['order']): Order {
  const items = order.items.map(({ product_id = null, ...item }) => ({ ...item, product_id }))
  return { ...order, items, shipping: order.shipping ?? 0, discount: order.discount ?? 0 }
}

export function checkOrderStatus({ order_status: { reference_id, description } }: OrderStatusRequest): FieldProblem[] {
  return [
    ...checkReference(reference_id, 'order_status.reference_id'),
    ...checkGiven(description, 'order_status.description', 120),
  ]
}

function checkReference(id: string, field: string): FieldProblem[] {
  if (/^[\w.-]{1,35}$/.test(id)) return []
  return [bodyProblem(field, 'invalid_format', 'Use 1 to 35 letters, digits, `_`, `-` and `.`.')]
}

/** Cards look alike: the same kind of file, and the same kind and number of buttons. */
export function checkCarousel({ cards }: CarouselRequest): FieldProblem[] {
  return [
    ...checkCount(cards.length, 'cards', { least: 2, most: 10, noun: 'cards' }),
    ...cards.flatMap((card, index) => [
      ...checkCard(card, `cards[${index}]`),
      ...checkAlike(card, cards[0] ?? card, `cards[${index}]`),
    ]),
  ]
}

function checkCard(card: CardRequest, place: string): FieldProblem[] {
  const { header, body } = card
  const lineBreaks = body?.match(/\n/g)?.length ?? 0
  return [
    ...checkFile(header, `${place}.header`),
    ...checkGiven(body, `${place}.body`, 160),
    ...(lineBreaks > 2 ? [bodyProblem(`${place}.body`, 'too_long', 'Use at most two line breaks.')] : []),
    ...checkTaps(card, place),
  ]
}

function checkTaps({ button, url, buttons }: CardRequest, place: string): FieldProblem[] {
  if (!buttons && button == null && url == null) {
    return [bodyProblem(place, 'one_of_required', 'Give `button` and `url`, or `buttons`.')]
  }
  if (buttons && (button != null || url != null)) {
    return [bodyProblem(place, 'mutually_exclusive', 'Give either `button` and `url`, or `buttons`.')]
  }
  if (buttons) return checkButtons(buttons, `${place}.buttons`)
  const needed = (field: string) => [bodyProblem(`${place}.${field}`, 'required', '`button` and `url` go together.')]
  return [
    ...(button == null ? needed('button') : checkWords(button, `${place}.button`, 20)),
    ...(url == null ? needed('url') : checkPage(url, `${place}.url`)),
  ]
}

function checkAlike(card: CardRequest, first: CardRequest, place: string): FieldProblem[] {
  const kind = bodyProblem(`${place}.header.type`, 'invalid_value', `Give all cards the type ${first.header.type}.`)
  const taps = bodyProblem(place, 'invalid_value', 'Give it the same kind and number of buttons as the first card.')
  return [
    ...(card.header.type === first.header.type ? [] : [kind]),
    ...((card.buttons?.length ?? 0) === (first.buttons?.length ?? 0) ? [] : [taps]),
  ]
}
