import type { Costs } from '../../components/costs/cost-figures.ts'
import { type Analytics, groupOf } from './analytics-figures.ts'
import { dateIn } from './analytics-query.ts'

type Row = (string | number | null)[]

/** What the API names the sum of all smaller groups. */
const other = 'other'

/**
 * One row per group and day, as the API has them; a day is a date of its zone, which spreadsheets know as one. Each currency
 * is a column. What arrived on a day may belong to a group of which nothing was created: it has a row of its own.
 */
export function csvRows(data: Analytics, title: string, costs: Costs | null): Row[] {
  const sums = new CostSums(data, costs)
  const { currencies } = sums
  const head = [title, 'Day', 'Sent', 'Delivered', 'Read', 'Failed', 'Received', 'Replies', 'Taps']
  const rows = data.series.flatMap((series) =>
    series.points.map(({ start, sent, delivered, read, failed, received, replies, taps }): Row => {
      const [group, day] = [groupOf(series), dateIn(data.timezone, Date.parse(start))]
      return [group ?? 'none', day, sent, delivered, read, failed, received, replies, taps, ...sums.take(group, day)]
    }),
  )
  return [[...head, ...currencies.map((currency) => `Cost in ${currency}`)], ...rows, ...sums.left()]
}

class CostSums {
  readonly currencies: string[]
  readonly #sums = new Map<string, Map<string, number>>()

  constructor({ series }: Analytics, costs: Costs | null) {
    const groups = costs?.groups ?? []
    const named = new Set(series.map(groupOf))
    const found = new Set<string>()
    for (const { group, costs: own } of groups) {
      const { day, ...values } = group
      const value = Object.values(values)[0] ?? null
      const key = keyOf(named.has(value) || !named.has(other) ? value : other, day ?? '')
      for (const { currency, amount } of own) {
        if (currency === null || amount === null) continue
        found.add(currency)
        const sum = this.#sums.get(key) ?? new Map<string, number>()
        this.#sums.set(key, sum.set(currency, (sum.get(currency) ?? 0) + Number(amount)))
      }
    }
    this.currencies = [...found].sort()
  }

  /** In the order of the currencies. */
  take(group: string | null, day: string): (number | null)[] {
    const key = keyOf(group, day)
    const sum = this.#sums.get(key)
    this.#sums.delete(key)
    return this.currencies.map((currency) => rounded(sum?.get(currency)))
  }

  left(): Row[] {
    return [...this.#sums.keys()].map((key) => {
      const [group, day] = JSON.parse(key) as [string | null, string]
      return [group ?? 'none', day, 0, 0, 0, 0, 0, 0, 0, ...this.take(group, day)]
    })
  }
}

function keyOf(group: string | null, day: string): string {
  return JSON.stringify([group, day])
}

/** To the millionths in which money is counted: a sum of fractions has more digits than it means. */
function rounded(sum: number | undefined): number | null {
  return sum === undefined ? null : Math.round(sum * 1_000_000) / 1_000_000
}
