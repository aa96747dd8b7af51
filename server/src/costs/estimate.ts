import { calendarDayOf } from '../lib/time-zone.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import { formatAmount } from './money.ts'
import { priceOf, readPriceList } from './price-of.ts'

export type EstimateRequest = {
  accountId: string
  /** Our number that sends. */
  numberId: string
  /** Of the template; `service` for what is no template. */
  category: string
  /** How many go where; null stands for a country that is not known. */
  recipients: ReadonlyMap<string | null, number>
}

/**
 * What sends would cost today, at most: by the list rate, without the discounts of volume tiers, and as if nothing were free.
 * `amount` is null where nothing of it has a rate. For many recipients, as for one.
 */
export async function estimateCost(rt: Runtime, { accountId, numberId, category, recipients }: EstimateRequest) {
  const [list, numbers] = await Promise.all([
    readPriceList(rt, accountId),
    rt.store.read(readNumberFacts, { account_id: accountId }),
  ])
  const number = numbers.find(({ id }) => id === numberId)
  const currency = number?.currency ?? null
  const day = calendarDayOf(rt.clock.now(), number?.time_zone ?? 'UTC')
  const rateOf = (country: string | null, charged: string) =>
    priceOf(list, { country, currency, day, facts: { category: charged, type: null, free: false } })
  let [micros, priced, unpriced] = [0, 0, 0]
  let international: number | null = null
  for (const [country, n] of recipients) {
    const rate = rateOf(country, category)
    if (rate === null) unpriced += n
    else priced += n
    micros += n * (rate ?? 0)
    const abroad = category === 'authentication' ? rateOf(country, 'authentication_international') : null
    if (abroad !== null) international = (international ?? 0) + n * abroad
  }
  return {
    currency,
    amount: priced === 0 ? null : formatAmount(micros),
    /** Of authentication templates, where the market has such a rate: what it is if Meta counts the business as foreign. */
    international_amount: international === null ? null : formatAmount(international),
    category,
    priced,
    unpriced,
    basis: 'list_rate' as const,
  }
}
