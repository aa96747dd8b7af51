import { type Order, type OrderStatus, sumsOf } from '../../contract/messages/orders.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { JsonObject } from './lenient-json.ts'
import { given } from './template-to-wire.ts'

const amount = (value: number): JsonObject => ({ value, offset: 100 })

export function orderToWire(order: Order): JsonObject {
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

export function orderStatusToWire({ reference_id, status, description, paid_at }: OrderStatus): JsonObject {
  const paidMs = paid_at === null ? null : parseInstant(paid_at)
  const timestamp = paidMs === null ? null : Math.floor(paidMs / 1_000)
  return {
    reference_id,
    order: { status, ...given({ description }) },
    ...(timestamp !== null && { payment: { status: 'captured', timestamp } }),
  }
}
