import { formatAmount } from '../costs/money.ts'
import { cardOf } from '../costs/price-of.ts'
import { formatInstant } from '../lib/instant.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import type { BudgetPeriodRow } from '../store/costs/budgets.ts'
import { type Budget, beginOf, nextPeriod, periodOf, type Terms } from './terms.ts'

type Used = Pick<BudgetPeriodRow, 'period' | 'reserved' | 'spent'>

/** A budget in one of its periods, as shown to callers, in events and in the console. */
export function view(
  { row, period, exempt }: Budget,
  terms: Pick<Terms, 'billed' | 'prices'>,
  used: Used,
  now: number,
) {
  const { zone, day } = todayOf(terms, row.currency, now)
  const { limit_micros: limit } = row
  const sum = used.reserved + used.spent
  const cards = terms.prices.rates.filter(({ currency }) => currency === row.currency)
  return {
    budget_id: row.id,
    name: row.name,
    api_key_id: row.key_id === '' ? null : row.key_id,
    period,
    currency: row.currency,
    limit: formatAmount(limit),
    warn_at: row.warn_at,
    stop: row.stop === 1,
    exempt: [...exempt],
    state: stateOf(sum, row),
    period_start: new Date(used.period).toISOString().slice(0, 10),
    starts_anew_at: formatInstant(beginOf(nextPeriod(period, used.period), zone)),
    reserved: formatAmount(used.reserved),
    spent: formatAmount(used.spent),
    left: formatAmount(Math.max(0, limit - sum)),
    has_rates: cardOf(cards, day) !== null,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

function stateOf(sum: number, { limit_micros, warn_at }: Budget['row']): 'ok' | 'warned' | 'exceeded' {
  if (sum >= limit_micros) return 'exceeded'
  return sum * 100 >= limit_micros * warn_at ? 'warned' : 'ok'
}

/** Where WABAs of one currency are in several zones, the day of the one that is furthest. */
export function todayOf({ billed }: Pick<Terms, 'billed'>, currency: string, now: number) {
  const zones = [...billed.values()].filter((one) => one.currency === currency).map(({ timeZone }) => timeZone)
  const days = zones.map((zone) => ({ zone, day: calendarDayOf(now, zone) }))
  return days.sort((a, b) => b.day - a.day)[0] ?? { zone: 'UTC', day: calendarDayOf(now, 'UTC') }
}

/** The period of a budget that runs now, with nothing in it. */
export function currentPeriod({ row, period }: Budget, terms: Pick<Terms, 'billed'>, now: number): number {
  return periodOf(period, todayOf(terms, row.currency, now).day)
}
