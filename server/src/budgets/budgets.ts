import type { Static } from 'typebox'
import { type Author, writeAudited } from '../audit/audit.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import { type BudgetChange, type BudgetRequest, budgetsMax } from '../contract/costs/budgets.ts'
import { formatAmount, parseAmount } from '../costs/money.ts'
import { cardOf, readPriceList } from '../costs/price-of.ts'
import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey } from '../store/accounts/api-keys.ts'
import {
  type BudgetRow,
  deleteBudget,
  deleteBudgetPeriods,
  findBudgetPeriods,
  findBudgets,
  forgetWarnings,
  insertBudget,
  markBudgets,
  updateBudget,
} from '../store/costs/budgets.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { currentPeriod, todayOf, view } from './budget-view.ts'
import { recountBudgets } from './follow-budgets.ts'
import { type Budget, readBilled, toBudget } from './terms.ts'

type Request = Static<typeof BudgetRequest>
type Change = Static<typeof BudgetChange>

export async function listBudgets(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(findBudgets, { account_id: accountId })
  return { budgets: await describe(rt, accountId, rows.map(toBudget)) }
}

async function describe(rt: Runtime, accountId: string, budgets: readonly Budget[]) {
  const now = rt.clock.now()
  const [periods, prices, billed] = await Promise.all([
    rt.store.read(findBudgetPeriods, { account_id: accountId, since: now - 33 * dayMs }),
    readPriceList(rt, accountId),
    readBilled(rt, accountId),
  ])
  return budgets.map((budget) => {
    const period = currentPeriod(budget, { billed }, now)
    const used = periods.find((one) => one.budget_id === budget.id && one.period === period)
    return view(budget, { prices, billed }, used ?? { period, reserved: 0, spent: 0 }, now)
  })
}

/** Messages delivered in its first period before it was set count too. */
export async function createBudget(rt: Runtime, accountId: string, wanted: Request, author: Author) {
  const { name, limit, period, currency, api_key_id: keyId = null } = wanted
  const { warn_at = 80, stop = true, exempt = ['authentication'] } = wanted
  await requireRates(rt, accountId, currency)
  if (keyId !== null) {
    const [key] = await rt.store.read(findApiKey, { account_id: accountId, id: keyId })
    if (!key) throw new AppError('api_key_not_found', 'This account has no API key with this id.')
  }
  const now = rt.clock.now()
  const row: BudgetRow = {
    id: rt.newId('bdg'),
    account_id: accountId,
    name: name.trim(),
    key_id: keyId ?? '',
    period,
    currency,
    limit_micros: readLimit(limit),
    warn_at,
    stop: Number(stop),
    exempt: JSON.stringify(exempt),
    created_at: now,
    updated_at: now,
    revision: 1,
  }
  await change(rt, row, author, 'budget.created', budgetLimit, (unit) => {
    unit.add(insertBudget, { ...row, most: budgetsMax })
  })
  return afterChange(rt, row)
}

const budgetLimit = () => new AppError('budget_limit_reached', `The account has ${budgetsMax} budgets.`)
const changed = () =>
  new AppError('concurrent_change', 'The budget was changed at the same time. Read it again and retry.')

function readLimit(limit: string): number {
  const micros = parseAmount(limit)
  if (micros !== null && micros > 0) return micros
  throw invalidField('limit', 'out_of_range', 'Give an amount above 0, such as 500.00.')
}

async function requireRates(rt: Runtime, accountId: string, currency: string): Promise<void> {
  const [list, billed] = await Promise.all([readPriceList(rt, accountId), readBilled(rt, accountId)])
  const known = new Set([...billed.values()].flatMap((one) => one.currency ?? []))
  if (!known.has(currency)) {
    const named =
      known.size === 0 ? 'Meta has not told the currency of any number yet' : `Use ${[...known].join(' or ')}`
    throw invalidField('currency', 'invalid_value', `No number of the account is billed in ${currency}. ${named}.`)
  }
  const { day } = todayOf({ billed }, currency, rt.clock.now())
  const cards = list.rates.filter((card) => card.currency === currency)
  if (cardOf(cards, day)) return
  throw new AppError('budget_needs_rates', `No rate card in ${currency} holds today.`)
}

export async function changeBudget(
  rt: Runtime,
  accountId: string,
  { id, ...wanted }: Change & { id: string },
  author: Author,
) {
  const row = await requireBudget(rt, accountId, id)
  const next: BudgetRow = {
    ...row,
    name: wanted.name?.trim() ?? row.name,
    limit_micros: wanted.limit === undefined ? row.limit_micros : readLimit(wanted.limit),
    warn_at: wanted.warn_at ?? row.warn_at,
    stop: wanted.stop === undefined ? row.stop : Number(wanted.stop),
    exempt: wanted.exempt ? JSON.stringify(wanted.exempt) : row.exempt,
    updated_at: rt.clock.now(),
  }
  const hasOtherLimit = next.limit_micros !== row.limit_micros || next.warn_at !== row.warn_at
  await change(rt, next, author, 'budget.changed', changed, (unit) => {
    unit.add(updateBudget, next)
    if (hasOtherLimit) unit.add(forgetWarnings, { budget_id: id })
  })
  return afterChange(rt, next)
}

export async function removeBudget(rt: Runtime, accountId: string, id: string, author: Author) {
  const row = await requireBudget(rt, accountId, id)
  await change(rt, row, author, 'budget.deleted', notFound, (unit) => {
    unit.add(deleteBudget, { id, account_id: accountId })
    unit.add(deleteBudgetPeriods, { budget_id: id })
  })
  return { budget_id: id, deleted: true as const }
}

const notFound = () => new AppError('budget_not_found', 'The account has no such budget.')

async function requireBudget(rt: Runtime, accountId: string, id: string): Promise<BudgetRow> {
  const rows = await rt.store.read(findBudgets, { account_id: accountId })
  const row = rows.find((one) => one.id === id)
  if (!row) throw notFound()
  return row
}

/** With the mark that makes every process read the budgets again before it sends. */
async function change(
  rt: Runtime,
  row: BudgetRow,
  author: Author,
  action: string,
  failed: () => AppError,
  build: (unit: Unit) => void,
): Promise<void> {
  const { account_id: accountId, id, name, limit_micros, currency, period } = row
  const metadata = { limit: formatAmount(limit_micros), currency, period }
  const entry = { ...author, accountId, action, targets: [{ type: 'budget', id, name }], metadata }
  try {
    await writeAudited(rt, entry, (unit) => {
      build(unit)
      unit.add(markBudgets, { account_id: accountId, mark: rt.clock.now() })
    })
  } catch (error) {
    if (error instanceof ConditionFailed) throw failed()
    throw error
  }
}

async function afterChange(rt: Runtime, row: BudgetRow) {
  await recountBudgets(rt, row.account_id)
  const [seen] = await describe(rt, row.account_id, [toBudget(row)])
  if (!seen) throw notFound()
  return seen
}
