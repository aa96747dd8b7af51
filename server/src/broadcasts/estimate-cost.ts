import { formatAmount, parseAmount } from '../costs/money.ts'
import { priceOf, readPriceList } from '../costs/price-of.ts'
import { startOfDay } from '../limits/quota.ts'
import type { Runtime } from '../runtime.ts'

export type CostQuestion = {
  accountId: string
  /** Of the WABA; null where Meta has not told it. */
  currency: string | null
  /** Of the template. */
  category: string
  countries: readonly { country: string | null; count: number }[]
}
export type CostEstimate = { amount: string; currency: string; basis: 'list_rate' }

/**
 * At most this much, by the rate card of today: what Meta does not charge for is not known before. Null where a country has no
 * rate.
 */
export async function estimateCost(rt: Runtime, question: CostQuestion): Promise<CostEstimate | null> {
  const { accountId, currency, category, countries } = question
  if (currency === null || countries.length === 0) return null
  const list = await readPriceList(rt, accountId)
  const day = startOfDay(rt.clock.now())
  let sum = 0
  for (const { country, count } of countries) {
    const rate = priceOf(list, { country, currency, day, facts: { category, type: null, free: false } })
    if (rate === null) return null
    sum += rate * count
  }
  return { amount: formatAmount(sum), currency, basis: 'list_rate' }
}

/** Whether an amount is above another of the same currency; one that cannot be read is no limit that holds. */
export function isAbove(amount: string, limit: string): boolean {
  const [given, most] = [parseAmount(amount), parseAmount(limit)]
  return given === null || most === null || given > most
}
