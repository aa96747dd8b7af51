import type { Schemas } from '../../api.ts'
import { formatNumber } from '../format-number.ts'

export type Costs = Schemas['Costs']
export type Cost = Schemas['Cost']
export type CostGroup = Costs['groups'][number]

const groupings = ['template', 'country', 'pricing_category', 'phone_number', 'broadcast', 'api_key', 'day'] as const
export type Grouping = (typeof groupings)[number]

export const groupNames: Record<Grouping, string> = {
  template: 'Template',
  country: 'Country',
  pricing_category: 'Category',
  phone_number: 'Phone number',
  broadcast: 'Broadcast',
  api_key: 'API key',
  day: 'Day',
}

export const groupOptions = groupings.map((value) => ({ value, label: `By ${lowered(groupNames[value])}` }))

function lowered(name: string): string {
  return name.startsWith('API') ? name : name.toLowerCase()
}

/** `2026-11`, as it stands in the address. */
export type Month = string

export function monthOf(now: Date): Month {
  return now.toISOString().slice(0, 7)
}

export function shiftMonth(month: Month, by: number): Month {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + by, 1)).toISOString().slice(0, 7)
}

const monthWords = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function monthName(month: Month): string {
  return monthWords.format(new Date(`${month}-01T00:00:00Z`))
}

/** This one and the eleven before. */
export function lastMonths(current: Month): Month[] {
  return Array.from({ length: 12 }, (_, index) => shiftMonth(current, -index))
}

export function readMonth(text: string | null, current: Month): Month {
  return text !== null && lastMonths(current).includes(text) ? text : current
}

export function readGrouping(text: string | null): Grouping {
  return groupings.find((one) => one === text) ?? 'template'
}

/** The days of a month, as the API takes them: the end is exclusive. */
export function daysOf(month: Month): { from: string; to: string } {
  return { from: `${month}-01`, to: `${shiftMonth(month, 1)}-01` }
}

/** The month before, of a month that is not over up to the same day: a part is not compared with a whole. */
export function daysBefore(month: Month, current: Month, now: Date): { from: string; to: string } {
  const before = daysOf(shiftMonth(month, -1))
  if (month !== current) return before
  const sameDay = new Date(Date.parse(before.from) + now.getUTCDate() * 86_400_000).toISOString().slice(0, 10)
  return { from: before.from, to: sameDay < before.to ? sameDay : before.to }
}

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })

/** "475.89 EUR"; small sums keep the four decimals of rate cards. Without a price there is no amount, which is not 0. */
export function formatCost({ currency, amount }: Pick<Cost, 'currency' | 'amount'>): string {
  if (amount === null) return '–'
  const value = Number(amount)
  return `${(value < 10 ? small : amounts).format(value)} ${currency ?? ''}`.trim()
}

/** Ours less Meta's; null where one of them is missing. */
export function differenceOf({ currency, amount, reported }: Cost): string | null {
  if (amount === null || reported === null) return null
  const difference = Number(amount) - Number(reported)
  return `${difference > 0 ? '+' : ''}${formatCost({ currency, amount: difference.toFixed(6) })}`
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** The value of a group in words. */
export function nameOf(grouping: Grouping, value: string): string {
  if (grouping === 'country') return countries.of(value) ?? value
  if (grouping !== 'pricing_category') return value
  const words = value.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "25,000,001 to 50,000,000", where a tier is written as Meta documents it. */
export function tierWords(tier: string): string {
  const [, from, to] = /^(\d+):(\d+)$/.exec(tier) ?? []
  return from && to ? `${formatNumber(Number(from))} to ${formatNumber(Number(to))}` : tier
}

export const missingNames: Record<Grouping, string> = {
  template: 'No template',
  country: 'Unknown country',
  pricing_category: 'No category',
  phone_number: 'None',
  broadcast: 'No broadcast',
  api_key: 'By hand',
  day: 'None',
}

export function csvRows({ groups }: Costs, grouping: Grouping): (string | number | null)[][] {
  const head = [groupNames[grouping], 'Currency', 'Amount', 'Priced', 'Free', 'Without a price', 'Meta']
  const rows = groups.flatMap(({ group, costs }) =>
    costs.map(({ currency, amount, priced, free, unpriced, reported }) => [
      group[grouping] ?? null,
      currency,
      amount === null ? null : Number(amount),
      priced,
      free,
      unpriced,
      reported === null ? null : Number(reported),
    ]),
  )
  return [head, ...rows]
}
