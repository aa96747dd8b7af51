import { formatAmount } from '../costs/money.ts'
import { estimateCost, pricer, readPriceList } from '../costs/price-of.ts'
import type { Runtime } from '../runtime.ts'
import type { BroadcastRow } from '../store/broadcasts/broadcasts.ts'
import { readBroadcastPrices } from '../store/costs/price-days.ts'

/** What arrived, with the rate cards of its days; null where none of it has a price. */
export async function costOf(rt: Runtime, { id, account_id }: BroadcastRow, currency: string | null) {
  const rows = await rt.store.read(readBroadcastPrices, { broadcast_id: id })
  if (rows.length === 0 || currency === null) return null
  const rateOf = pricer(await readPriceList(rt, account_id))
  let [micros, priced, unpriced] = [0, 0, 0]
  for (const { country, day, price_key: key, n } of rows) {
    const { rate } = rateOf(country, currency, day, key)
    if (rate === null) unpriced += n
    else priced += n
    micros += n * (rate ?? 0)
  }
  return priced === 0 ? null : { amount: formatAmount(micros), currency, priced, unpriced }
}

/** At most this much, by the rate card of today. Null where a country has no rate. */
export async function costAhead(rt: Runtime, row: BroadcastRow, category: string, countries: Countries) {
  const recipients = new Map(countries.map(({ country, count }) => [country, count]))
  const question = { accountId: row.account_id, numberId: row.number_id, category, recipients }
  const { amount, currency, unpriced, basis } = await estimateCost(rt, question)
  return amount === null || currency === null || unpriced > 0 ? null : { amount, currency, basis }
}

type Countries = readonly { country: string | null; count: number }[]
