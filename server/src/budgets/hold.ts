/**
 * What budgets hold for messages. A message reserves what it costs at most, in the unit that grants its send; the message itself
 * remembers what was reserved. A report that says what Meta charges puts the truth in its place, a failure gives it back, and an
 * unknown outcome keeps it until its end.
 */
import type { Price } from '../analytics/count-message.ts'
import { AppError } from '../contract/app-error.ts'
import { priceOf, readPriceKey } from '../costs/price-of.ts'
import type { Runtime } from '../runtime.ts'
import { keepReserved, reserveBudget, settleBudget } from '../store/costs/budgets.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { noteRefused } from './follow-budgets.ts'
import { budgetsFor, periodOf, type Reservation, reservationsOf, type Terms } from './terms.ts'

/** Reserves for messages that are about to leave; what of it is theirs is set in their rows. Nothing without terms. */
export function addReservations<Row extends MessageRow>(
  unit: Unit,
  terms: Terms | null,
  rows: readonly Row[],
  now: number,
): Row[] {
  if (!terms) return [...rows]
  const sums = new Map<string, Reservation>()
  const reserved = rows.map((row) => {
    const own = reservationsOf(terms, row, now)
    for (const one of own) {
      const key = `${one.budget_id} ${one.period}`
      sums.set(key, { ...one, amount: one.amount + (sums.get(key)?.amount ?? 0) })
    }
    return own.length === 0 ? row : { ...row, reserved: JSON.stringify(own) }
  })
  if (sums.size > 0) unit.add(reserveBudget, ...sums.values())
  return reserved
}

/** A message that will not arrive, or not now, gives back what was reserved for it. */
export function addRelease<Row extends MessageRow>(unit: Unit, row: Row): Row {
  if (row.reserved === null) return row
  const held = JSON.parse(row.reserved) as Reservation[]
  unit.add(settleBudget, ...held.map(({ amount, ...place }) => ({ ...place, released: amount, spent: 0 })))
  unit.add(keepReserved, { id: row.id, reserved: null })
  return { ...row, reserved: null }
}

/**
 * Meta said what a message is charged as: that is spent, on the day it counts for, whether anything was reserved or not.
 */
export function addSpending<Row extends MessageRow>(unit: Unit, terms: Terms | null, row: Row, price: Price): Row {
  const next = addRelease(unit, row)
  const currency = terms?.billed.get(row.number_id)?.currency
  if (!terms || !currency) return next
  const { country } = row
  const micros = priceOf(terms.prices, { country, currency, day: price.day, facts: readPriceKey(price.key) }) ?? 0
  if (micros === 0) return next
  const spent = budgetsFor(terms.budgets, currency, row).map(({ id, period }) => ({
    budget_id: id,
    period: periodOf(period, price.day),
    released: 0,
    spent: micros,
  }))
  if (spent.length > 0) unit.add(settleBudget, ...spent)
  return next
}

export function isOverBudget(error: unknown): boolean {
  return error instanceof ConditionFailed && error.operation === 'budgets.reserve'
}

/** The error for the caller of a send, after people were notified. */
export async function overBudget(rt: Runtime, accountId: string, rows: readonly MessageRow[]): Promise<AppError> {
  const full = await noteRefused(rt, accountId, rows)
  rt.metrics.budgetRefusals.inc({})
  return new AppError('budget_exceeded', full ?? 'A budget of the account is used up.')
}
