import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import { type PriceDimension, type PriceFilter, type PriceRow, priceDaysQuery } from '../store/costs/price-days.ts'
import { formatAmount } from './money.ts'
import { pricer, readPriceKey, readPriceList } from './price-of.ts'

/** The dimensions of costs: those of messages, the day, and Meta's pricing category. */
export type CostGrouping = PriceDimension | 'day' | 'pricing_category'

type CostRequest = {
  accountId: string
  /** Calendar days, as the start of the day in UTC; `to` is exclusive. */
  from: number
  to: number
  groupBy: readonly CostGrouping[]
  filters: readonly (readonly [PriceFilter, string])[]
}

/** `amount` is null where nothing of it could be priced. Free messages are priced, at nothing. */
export type Cost = {
  currency: string | null
  amount: string | null
  priced: number
  free: number
  unpriced: number
  /** Meta's own figure; null if Meta reports none. */
  reported: string | null
}
type Sum = { micros: number; priced: number; free: number; unpriced: number }

export type CostGroup = { key: string; values: Partial<Record<CostGrouping, string>>; costs: Cost[] }

/**
 * What arrived in a range of days, and what it costs with the cards of today: a card that is imported late prices the past. Each
 * currency has a sum of its own. Numbers of a sandbox count until the account has a number of Meta.
 */
export async function sumCosts(rt: Runtime, request: CostRequest): Promise<{ totals: Cost[]; groups: CostGroup[] }> {
  const { accountId, groupBy } = request
  const stored = groupBy.filter((name): name is PriceDimension => name !== 'day' && name !== 'pricing_category')
  const [rows, list, numbers] = await Promise.all([
    rt.store.list(priceDaysQuery(rt.store.engine, { ...request, groupBy: stored }), accountId),
    readPriceList(rt, accountId),
    rt.store.read(readNumberFacts, { account_id: accountId }),
  ])
  const isLive = numbers.some(({ kind }) => kind === 'cloud')
  const counted = new Map(numbers.filter(({ kind }) => kind === 'cloud' || !isLive).map((one) => [one.id, one]))
  const rateOf = pricer(list)
  const whole: Sums = new Map()
  const groups = new Map<string, { values: CostGroup['values']; sums: Sums }>()
  for (const row of rows) {
    const number = counted.get(row.phone_number)
    if (!number) continue
    const { rate, facts } = rateOf(row.country, number.currency, row.day, row.price_key)
    const values = Object.fromEntries(groupBy.map((name) => [name, valueIn(row, name)]))
    const key = groupBy.map((name) => values[name]).join('\n')
    const group = groups.get(key) ?? { values, sums: new Map() }
    groups.set(key, group)
    for (const sums of [whole, group.sums]) add(sums, number.currency, row.n, rate, facts.free)
  }
  return {
    totals: toCosts(whole),
    groups: [...groups].map(([key, { values, sums }]) => ({ key, values, costs: toCosts(sums) })),
  }
}

function valueIn(row: PriceRow, name: CostGrouping): string {
  if (name === 'day') return new Date(row.day).toISOString().slice(0, 10)
  if (name === 'pricing_category') return readPriceKey(row.price_key).category
  return row[name] ?? ''
}

type Sums = Map<string | null, Sum>

function add(sums: Sums, currency: string | null, n: number, rate: number | null, isFree: boolean): void {
  const sum = sums.get(currency) ?? { micros: 0, priced: 0, free: 0, unpriced: 0 }
  sums.set(currency, sum)
  if (rate === null) sum.unpriced += n
  else sum.priced += n
  if (isFree) sum.free += n
  sum.micros += n * (rate ?? 0)
}

/** The largest first. */
function toCosts(sums: Sums): Cost[] {
  return [...sums]
    .sort(([, a], [, b]) => b.micros - a.micros || b.priced + b.unpriced - a.priced - a.unpriced)
    .map(([currency, { micros, priced, free, unpriced }]) => ({
      currency,
      amount: priced === 0 ? null : formatAmount(micros),
      priced,
      free,
      unpriced,
      reported: null,
    }))
}
