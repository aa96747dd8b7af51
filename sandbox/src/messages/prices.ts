import type { Json } from '../http/json.ts'
import type { PhoneNumber, Template } from '../world.ts'

// Until then free-form messages, and utility templates inside the window, cost nothing.
const CHARGED_FROM_MS = Date.UTC(2026, 9, 1)
const FREE_PER_MONTH = 1000

/** Whether the business pays for a message, by the prices of the day it was accepted; counts the free ones. Reactions are free, uncounted. */
export function isBillable(
  number: PhoneNumber,
  { template, type }: { template: Priced | null; type: string },
  inWindow: boolean,
  acceptedAtMs: number,
): boolean {
  if (type === 'reaction') return false
  const charged = acceptedAtMs >= CHARGED_FROM_MS
  if (template !== null) return charged || template.category !== 'UTILITY' || !inWindow
  const month = new Date(acceptedAtMs).toISOString().slice(0, 7)
  const service = number.service?.month === month ? number.service : { month, count: 0 }
  number.service = service
  service.count++
  return charged && service.count > FREE_PER_MONTH
}

/** A template, or a message sent without one. */
type Priced = Pick<Template, 'category'>

export function priceView(template: Priced | null, billable: boolean, version: string): Json {
  const category = template?.category.toLowerCase() ?? 'service'
  const price: Json = { billable, pricing_model: 'PMP', category }
  if (version !== 'v23') price.type = billable ? 'regular' : 'free_customer_service'
  return price
}
