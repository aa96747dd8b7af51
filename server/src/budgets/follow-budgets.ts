import { pricer, readPriceList } from '../costs/price-of.ts'
import { publishEvent } from '../events/publish-event.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import type { Runtime } from '../runtime.ts'
import {
  type BudgetPeriodRow,
  type BudgetRow,
  countBudgets,
  findBudgetPeriods,
  findUncounted,
  findUntold,
  noteCounted,
  noteExceeded,
  noteWarned,
  recountBudget,
  settleBudget,
} from '../store/costs/budgets.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { view } from './budget-view.ts'
import { periodOf, readTerms, reservationsOf, type Terms, toBudget } from './terms.ts'

/** A month and the one before it. */
const sinceMs = 62 * dayMs
const batch = 100

/** The job: people are told once of each limit, and what is spent is counted anew after a change of cards and every hour. */
export async function followBudgets(rt: Runtime): Promise<'done'> {
  const now = rt.clock.now()
  for (const row of await rt.store.read(findUncounted, { before: now - hourMs, count: batch })) await recount(rt, row)
  for (const row of await rt.store.read(findUntold, { since: now - sinceMs, count: batch })) {
    const terms = await readTerms(rt, row.account_id)
    if (terms) await tell(rt, terms, row, null)
  }
  return 'done'
}

/** Counts all budgets of an account anew, now. */
export async function recountBudgets(rt: Runtime, accountId: string): Promise<void> {
  const rows = await rt.store.read(findUncounted, { before: Number.MAX_SAFE_INTEGER, count: 100_000 })
  for (const row of rows) if (row.account_id === accountId) await recount(rt, row)
}

type Counted = BudgetRow & { counted: number }

/**
 * Brings `spent` to what was delivered, priced with the cards of today. Only the difference is written: what is delivered meanwhile
 * counts itself.
 */
async function recount(rt: Runtime, row: Counted): Promise<void> {
  const now = rt.clock.now()
  const { id, account_id, key_id, currency } = row
  const { period } = toBudget(row)
  // This month and the last, of whatever time zone.
  const since = periodOf('month', periodOf('month', calendarDayOf(now, 'UTC') - dayMs) - dayMs)
  const [rows, list] = await Promise.all([
    rt.store.read(recountBudget, { id, account_id, key_id, currency, since }),
    readPriceList(rt, account_id),
  ])
  const rateOf = pricer(list)
  const missing = new Map<number, number>()
  const add = (day: number, micros: number) => {
    const start = periodOf(period, day)
    missing.set(start, (missing.get(start) ?? 0) + micros)
  }
  for (const { day, country, price_key, n, spent } of rows) {
    if (price_key === '') add(day, -spent)
    else add(day, n * (rateOf(country, currency, day, price_key).rate ?? 0))
  }
  const unit = new Unit()
  unit.add(noteCounted, { id, counted: row.counted, now })
  for (const [start, micros] of missing) {
    if (micros !== 0) unit.add(settleBudget, { budget_id: id, period: start, released: 0, spent: micros })
  }
  await rt.store.write(unit).catch(unlessFirst)
}

/** Another process did it. */
function unlessFirst(error: unknown): null {
  if (error instanceof ConditionFailed) return null
  throw error
}

/** Warned of at its percentage, exceeded at its limit, or where a send found no room. */
async function tell(rt: Runtime, terms: Terms, row: BudgetPeriodRow, refused: number | null): Promise<void> {
  const budget = terms.budgets.find(({ id }) => id === row.budget_id)
  if (!budget) return
  const { limit_micros, warn_at } = budget.row
  const used = row.reserved + row.spent
  const exceeded = row.exceeded_at === null && (refused !== null || used >= limit_micros)
  const warned = row.warned_at === null && used * 100 >= limit_micros * warn_at
  if (!exceeded && !warned) return
  const now = rt.clock.now()
  const place = { budget_id: row.budget_id, period: row.period, now }
  const unit = new Unit()
  // Where not even the first message had room.
  unit.add(settleBudget, { budget_id: row.budget_id, period: row.period, released: 0, spent: 0 })
  if (warned) unit.add(noteWarned, place)
  if (exceeded) unit.add(noteExceeded, place)
  const { account_id: accountId } = budget
  // One that jumps past its limit is not warned of as well.
  const type = exceeded ? 'budget.exceeded' : 'budget.warned'
  const seen = view(budget, terms, row, now)
  publishEvent(rt, unit, {
    accountId,
    type,
    subject: row.budget_id,
    sequence: 1,
    data: { ...seen, timestamp: formatInstant(now) },
  })
  if (await rt.store.write(unit).catch(unlessFirst)) {
    rt.log.warn({ budget_id: budget.id, account_id: accountId, period: seen.period_start }, type)
  }
}

/** The first refusal of a period is told to people, and each to the caller. */
export async function noteRefused(rt: Runtime, accountId: string, rows: readonly MessageRow[]): Promise<string | null> {
  const full = await findFull(rt, accountId, rows)
  if (!full) return null
  await tell(rt, full.terms, full.row, full.amount)
  return full.message
}

/** The first budget that has no room for messages now, with a sentence; null where all have. */
export async function findFull(rt: Runtime, accountId: string, rows: readonly MessageRow[]) {
  const now = rt.clock.now()
  const terms = await readTerms(rt, accountId)
  if (!terms) return null
  const periods = await rt.store.read(findBudgetPeriods, { account_id: accountId, since: now - sinceMs })
  const wanted = new Map<string, { period: number; amount: number }>()
  for (const row of rows) {
    for (const { budget_id, period, amount } of reservationsOf(terms, row, now)) {
      wanted.set(budget_id, { period, amount: amount + (wanted.get(budget_id)?.amount ?? 0) })
    }
  }
  for (const budget of terms.budgets) {
    const own = wanted.get(budget.id)
    if (!own || budget.row.stop === 0) continue
    const { period, amount } = own
    const blank = { budget_id: budget.id, period, reserved: 0, spent: 0, warned_at: null, exceeded_at: null }
    const row = periods.find((one) => one.budget_id === budget.id && one.period === period) ?? blank
    if (row.reserved + row.spent + amount <= budget.row.limit_micros) continue
    // Without amounts: who may send need not see what it costs.
    const { name, starts_anew_at } = view(budget, terms, row, now)
    const message = `The budget ${name} is used up. Its next period starts at ${starts_anew_at}.`
    return { terms, row, amount, message }
  }
  return null
}

/** For the operator's gauge. */
export async function measureBudgets(rt: Runtime): Promise<void> {
  const day = calendarDayOf(rt.clock.now(), 'UTC') - dayMs
  const rows = await rt.store.read(countBudgets, { day, month: periodOf('month', day) })
  for (const state of ['open', 'warned', 'exceeded'] as const) {
    rt.metrics.budgets.set({ state }, rows.find((row) => row.state === state)?.count ?? 0)
  }
}
