import { type Order, sumsOf } from '../../../contract/messages/orders.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkCount, checkGiven, checkId, checkWords } from './check-parts.ts'
import { idMax } from './check-products.ts'
import type { OrderDetailsRequest, OrderStatusRequest } from './interactive-request.ts'

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
