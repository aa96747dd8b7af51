import { parseDate, startOfUtcDay } from '../lib/instant.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import { listRateCards, type RateCardRow } from '../store/costs/rate-cards.ts'
import { regionOf } from './markets.ts'
import { formatAmount } from './money.ts'
import type { Rates } from './parse-rates.ts'

type Card<Content> = { id: string; fromDay: number; isOwn: boolean; importedAt: number; content: Content }
type RateCard = Card<Rates> & { currency: string }

/** The rate cards of an account's messages. */
type PriceList = { rates: RateCard[]; regions: Card<Record<string, string>>[] }

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

/** Country and day of a delivery, the billing currency of its WABA, and Meta's pricing category. */
type Priced = { country: string | null; currency: string | null; day: number; facts: PriceFacts }

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

/** Meta's pricing of a message. Free are messages that Meta names free, exempts, or doesn't bill. */
type PriceFacts = { category: string; type: string | null; free: boolean }

/** The facts as one value, by which messages are counted. */
export function priceKey({ category, type, free }: { category: string; type: string | null; free?: boolean }): string {
  const end = free ? '/free' : ''
  return type === null && !free ? category : `${category}/${type ?? ''}${end}`
}

export function readPriceKey(key: string): PriceFacts {
  const [category = key, type = '', end] = key.split('/', 3)
  return { category, type: type === '' ? null : type, free: end === 'free' || type.startsWith('free_') }
}

type EstimateRequest = {
  accountId: string
  /** Our number that sends. */
  numberId: string
  /** Of the template; `service` for what is no template. */
  category: string
  /** Messages per country; null is an unknown country. */
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
