import { parseDate, startOfUtcDay } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listRateCards, type RateCardRow } from '../store/costs/rate-cards.ts'
import { regionOf } from './markets.ts'
import type { Rates } from './parse-rates.ts'
import { type PriceFacts, readPriceKey } from './price-key.ts'

type Card<Content> = { id: string; fromDay: number; isOwn: boolean; importedAt: number; content: Content }
type RateCard = Card<Rates> & { currency: string }

/** What an account's messages are priced with. */
export type PriceList = { rates: RateCard[]; regions: Card<Record<string, string>>[] }

export async function readPriceList(rt: Pick<Runtime, 'store'>, accountId: string): Promise<PriceList> {
  const rows = await rt.store.read(listRateCards, { account_id: accountId, history: 0 })
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    rates: of('rates').map((row) => ({ ...toCard<Rates>(row), currency: row.currency })),
    regions: of('regions').map((row) => toCard<Record<string, string>>(row)),
  }
}

function toCard<Content>(row: RateCardRow): Card<Content> {
  const date = parseDate(row.from_day)
  return {
    id: row.id,
    fromDay: date ? startOfUtcDay(date) : 0,
    isOwn: row.account_id !== '',
    importedAt: row.imported_at,
    content: JSON.parse(row.content) as Content,
  }
}

/** The card of a day: an account's own before one of all accounts, and of those the one that began last. */
export function cardOf<One extends Card<unknown>>(cards: readonly One[], day: number): One | null {
  const [best] = cards
    .filter(({ fromDay }) => fromDay <= day)
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.fromDay - a.fromDay || b.importedAt - a.importedAt)
  return best ?? null
}

/** Where and when a message arrived, in which currency its WABA is billed, and what Meta says it is charged as. */
export type Priced = { country: string | null; currency: string | null; day: number; facts: PriceFacts }

/** In millionths; null where no card has a rate for it. What Meta names free costs nothing with any card. */
export function priceOf(list: PriceList, { country, currency, day, facts }: Priced): number | null {
  if (facts.free) return 0
  if (country === null || country === '' || currency === null) return null
  const card = cardOf(
    list.rates.filter((one) => one.currency === currency),
    day,
  )
  if (!card) return null
  const region = cardOf(list.regions, day)?.content[country] ?? regionOf(country)
  const rates = card.content[country] ?? card.content[region]
  return rates?.[facts.category.replaceAll('-', '_')] ?? null
}

/** The same, remembered for the few combinations that thousands of rows are made of. */
export function pricer(list: PriceList) {
  const known = new Map<string, { facts: PriceFacts; rate: number | null }>()
  return (country: string, currency: string | null, day: number, priceKey: string) => {
    const name = `${country} ${currency} ${day} ${priceKey}`
    let found = known.get(name)
    if (!found) {
      const facts = readPriceKey(priceKey)
      found = { facts, rate: priceOf(list, { country, currency, day, facts }) }
      known.set(name, found)
    }
    return found
  }
}
