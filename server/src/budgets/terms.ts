import { priceOf, readPriceList } from '../costs/price-of.ts'
import { minuteMs } from '../lib/durations.ts'
import { calendarDayOf, offsetAt, openZone } from '../lib/time-zone.ts'
import type { Runtime } from '../runtime.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import { type BudgetRow, findBudgets } from '../store/costs/budgets.ts'
import type { MessageRow } from '../store/messages/messages.ts'

export type Period = 'day' | 'month'
export type Budget = Pick<BudgetRow, 'id' | 'account_id'> & {
  readonly row: BudgetRow
  readonly period: Period
  readonly exempt: readonly string[]
}

type Billed = { readonly currency: string | null; readonly timeZone: string }

/** The rates and budgets that apply to an account's sends. */
export type Terms = {
  readonly budgets: readonly Budget[]
  readonly prices: Awaited<ReturnType<typeof readPriceList>>
  /** By number; only those whose messages count. */
  readonly billed: ReadonlyMap<string, Billed>
}

export function toBudget(row: BudgetRow): Budget {
  const exempt = JSON.parse(row.exempt) as string[]
  return { id: row.id, account_id: row.account_id, row, period: row.period as Period, exempt }
}

/** Null for an account without budgets: one read that finds nothing. */
export async function readTerms(rt: Runtime, accountId: string): Promise<Terms | null> {
  const rows = await rt.store.read(findBudgets, { account_id: accountId })
  const [first] = rows
  return first ? termsOf(rt, accountId, first.mark, rows) : null
}

/** As the number was read: a grant compares its mark, so what is remembered of that mark is what holds. */
export async function recallTerms(
  rt: Runtime,
  { accountId, budgetMark }: { accountId: string; budgetMark: number },
): Promise<Terms | null> {
  if (budgetMark === 0) return null
  const known = rt.recentCounts.find(nameOf(accountId, budgetMark), rt.clock.now())
  return known === undefined ? termsOf(rt, accountId, budgetMark) : (known as Terms)
}

const nameOf = (accountId: string, mark: number) => `budgets ${accountId} ${mark}`

async function termsOf(rt: Runtime, accountId: string, mark: number, read?: readonly BudgetRow[]): Promise<Terms> {
  const name = nameOf(accountId, mark)
  const known = rt.recentCounts.find(name, rt.clock.now()) as Terms | undefined
  if (known) return known
  const [rows, prices, billed] = await Promise.all([
    read ?? rt.store.read(findBudgets, { account_id: accountId }),
    readPriceList(rt, accountId),
    readBilled(rt, accountId),
  ])
  const terms = { budgets: rows.map(toBudget), prices, billed }
  rt.recentCounts.note(name, terms, rt.clock.now() + minuteMs)
  return terms
}

/** Numbers of a sandbox count until the account has a number of Meta. */
export async function readBilled(rt: Runtime, accountId: string): Promise<Map<string, Billed>> {
  const numbers = await rt.store.read(readNumberFacts, { account_id: accountId })
  const isLive = numbers.some(({ kind }) => kind === 'cloud')
  const counted = numbers.filter(({ kind }) => kind === 'cloud' || !isLive)
  return new Map(counted.map(({ id, currency, time_zone }) => [id, { currency, timeZone: time_zone ?? 'UTC' }]))
}

/** The first day of the period that a calendar day is in. */
export function periodOf(period: Period, day: number): number {
  return period === 'day' ? day : new Date(day).setUTCDate(1)
}

export function nextPeriod(period: Period, start: number): number {
  const date = new Date(start)
  return period === 'day' ? date.setUTCDate(date.getUTCDate() + 1) : date.setUTCMonth(date.getUTCMonth() + 1)
}

/** Start of a calendar day in a time zone. */
export function beginOf(day: number, timeZone: string): number {
  const zone = openZone(timeZone)
  if (!zone) return day
  const guess = day - offsetAt(zone, day)
  return day - offsetAt(zone, guess)
}

type Sent = Pick<MessageRow, 'number_id' | 'api_key_id' | 'country' | 'category' | 'type'>
export type Reservation = { budget_id: string; period: number; amount: number }

/** The maximum cost of a message and the budgets it counts against; empty if it has no price or is exempt. */
export function reservationsOf({ budgets, prices, billed }: Terms, sent: Sent, now: number): Reservation[] {
  const number = billed.get(sent.number_id)
  if (!number?.currency || sent.type === 'reaction') return []
  const { currency, timeZone } = number
  const category = (sent.category ?? 'service').toLowerCase()
  const day = calendarDayOf(now, timeZone)
  const facts = { category, type: null, free: false }
  const amount = priceOf(prices, { country: sent.country, currency, day, facts }) ?? 0
  if (amount === 0) return []
  return budgetsFor(budgets, currency, sent)
    .filter(({ exempt }) => !exempt.includes(category))
    .map(({ id, period }) => ({ budget_id: id, period: periodOf(period, day), amount }))
}

export function budgetsFor(budgets: readonly Budget[], currency: string, { api_key_id }: Pick<Sent, 'api_key_id'>) {
  return budgets.filter(
    ({ row }) => row.currency === currency && (row.key_id === '' || row.key_id === (api_key_id ?? '')),
  )
}
