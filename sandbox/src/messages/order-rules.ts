import { invalid, missing } from '../http/errors.ts'
import { type Json, list, record } from '../http/json.ts'
import { atMost, onlyKeys, requiredObject, requiredText } from '../templates/rule-helpers.ts'

/** The bill of `order_details`: for India with its gateways, for Brazil with its own ways to pay. */
export function checkOrderDetails(action: Json): void {
  const parameters = parametersOf(action, 'review_and_pay')
  checkReference(parameters)
  const type = requiredText('parameters.type', parameters.type)
  if (type !== 'digital-goods' && type !== 'physical-goods') throw invalid('type is digital-goods or physical-goods')
  const currency = requiredText('parameters.currency', parameters.currency)
  if (currency !== 'INR' && currency !== 'BRL') throw invalid('currency is INR or BRL')
  if (list(parameters.payment_settings).length === 0) throw missing('parameters.payment_settings')
  const total = amountOf('total_amount', parameters.total_amount)
  const order = requiredObject('parameters.order', parameters.order)
  if (order.status !== 'pending') throw invalid('The status of a new order is pending')
  const items = list(order.items).map(record)
  if (items.length === 0) throw missing('order.items')
  const sum = items.reduce((so_far, item) => so_far + checkItem(item), 0)
  const subtotal = amountOf('order.subtotal', order.subtotal)
  if (sum !== subtotal) throw invalid('order.subtotal is not the sum of the items')
  const tax = amountOf('order.tax', order.tax)
  const [shipping, discount] = [optionalAmount('order.shipping', order), optionalAmount('order.discount', order)]
  if (subtotal + tax + shipping - discount !== total) throw invalid('total_amount is not the sum of the order')
}

export function checkOrderStatus(action: Json): void {
  const parameters = parametersOf(action, 'review_order')
  checkReference(parameters)
  const order = requiredObject('parameters.order', parameters.order)
  if (!STATUSES.includes(requiredText('order.status', order.status))) throw invalid('order.status is not valid')
  const { payment } = parameters
  if (payment !== undefined) {
    const { status, timestamp } = requiredObject('parameters.payment', payment)
    if (status !== 'captured') throw invalid('payment.status is captured')
    if (!Number.isInteger(timestamp)) throw missing('payment.timestamp')
  }
  if (order.description !== undefined)
    atMost('order.description', requiredText('order.description', order.description), 120)
}

const STATUSES = ['pending', 'processing', 'partially_shipped', 'shipped', 'completed', 'canceled']

function parametersOf(action: Json, name: string): Json {
  onlyKeys('action', action, ['name', 'parameters'])
  if (requiredText('action.name', action.name) !== name) throw invalid(`action.name must be ${name}`)
  return requiredObject('action.parameters', action.parameters)
}

function checkReference({ reference_id }: Json): void {
  const id = requiredText('parameters.reference_id', reference_id)
  if (!/^[\w.-]{1,35}$/.test(id))
    throw invalid('reference_id has 1 to 35 letters, digits, underscores, dashes and dots')
}

function checkItem(item: Json): number {
  requiredText('item.name', item.name)
  const { quantity } = item
  if (!Number.isInteger(quantity) || Number(quantity) < 1) throw invalid('item.quantity is a positive integer')
  return amountOf('item.amount', item.amount) * Number(quantity)
}

function amountOf(name: string, given: unknown): number {
  const { value, offset } = requiredObject(name, given)
  if (!Number.isInteger(value) || offset !== 100) throw invalid(`${name} has an integer value and the offset 100`)
  return Number(value)
}

function optionalAmount(name: string, order: Json): number {
  const given = order[name.split('.')[1] ?? '']
  return given === undefined ? 0 : amountOf(name, given)
}
