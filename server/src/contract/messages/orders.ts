import Type from 'typebox'
import { integer, object, oneOf, optional, part, text } from '../schema.ts'
import { moment } from './message-fields.ts'

/** An order to pay. Amounts are in hundredths of the currency; the gateway computes the sums. */
export type Order = {
  reference_id: string
  goods: 'digital' | 'physical'
  currency: 'INR' | 'BRL'
  items: readonly OrderItem[]
  tax: number
  shipping: number
  discount: number
  payment_settings: readonly Record<string, unknown>[]
}
export type OrderItem = { name: string; quantity: number; amount: number; product_id: string | null }

type Sums = {
  items: readonly Pick<OrderItem, 'quantity' | 'amount'>[]
  tax: number
  shipping?: number | null
  discount?: number | null
}

/** Meta compares its sums with the items, so nobody writes them. */
export function sumsOf({ items, tax, shipping, discount }: Sums): { subtotal: number; total: number } {
  const subtotal = items.reduce((sum, { quantity, amount }) => sum + quantity * amount, 0)
  return { subtotal, total: subtotal + tax + (shipping ?? 0) - (discount ?? 0) }
}

export const orderStates = ['pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled'] as const
export type OrderStatus = {
  reference_id: string
  status: (typeof orderStates)[number]
  description: string | null
  /** Time of payment, if the shop reports it. */
  paid_at: string | null
}

const reference = (words: string) =>
  text(`${words} 1 to 35 letters, digits, \`_\`, \`-\` and \`.\`.`, { maxLength: 1_024 })
const hundredths = (words: string) => integer(`${words}, in hundredths of the currency.`, { minimum: 0, maximum: 1e12 })

export const OrderRequest = part(
  'The order to be paid, for customers in India and Brazil. Subtotal and total are computed from it. Not yet confirmed on a real account.',
  {
    reference_id: reference('Your id of the order; `payment.updated` has it.'),
    goods: oneOf(['digital', 'physical'], { description: 'What is sold.' }),
    currency: oneOf(['INR', 'BRL'], { description: 'Currency of all amounts.' }),
    items: Type.Array(
      object({
        name: text('What it is.', { maxLength: 1_024 }),
        quantity: integer('How many.', { minimum: 1, maximum: 1e6 }),
        amount: hundredths('Price of one'),
        product_id: optional(text('Id of the product in your catalog.', { maxLength: 1_024 })),
      }),
      { maxItems: 100, description: 'What the customer pays for.' },
    ),
    tax: hundredths('Tax'),
    shipping: optional(hundredths('Price of the delivery')),
    discount: optional(hundredths('What is taken off')),
    payment_settings: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      maxItems: 10,
      'x-secret': true,
      description:
        'Ways to pay, passed to Meta as they are: each has a `type`, such as `payment_gateway` (India) or `pix_dynamic_code`, `payment_link`, `boleto`, `offsite_card_pay` (Brazil), and a member of that name.',
    }),
  },
)

export const OrderStatusRequest = part('The status of an order that you sent with `order_details`.', {
  reference_id: reference('The id that you gave the order.'),
  status: oneOf(orderStates, { description: 'Its status. A paid order cannot be canceled.' }),
  description: optional(text('A sentence about it, at most 120 characters.', { maxLength: 1_024, 'x-secret': true })),
  paid_at: optional(moment('When it was paid: for Brazil, where Meta learns of payments from you alone.')),
})
