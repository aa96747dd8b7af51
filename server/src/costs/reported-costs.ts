import type { Runtime } from '../runtime.ts'
import { readReported } from '../store/costs/reported-days.ts'
import { formatAmount } from './money.ts'
import type { Cost, CostGroup, CostGrouping } from './sum-costs.ts'

type Sums = Map<string | null, number>
type ReportedGroup = { values: CostGroup['values']; sums: Sums }
export type Reported = {
  /** Null before Meta was asked for the first time. */
  asOf: number | null
  totals: Sums
  /** Null for groupings by what Meta does not tell apart. */
  groups: Map<string, ReportedGroup> | null
}
type Request = { accountId: string; from: number; to: number; groupBy: readonly CostGrouping[] }

/** Meta's own figures of a range of days, in millionths by currency. */
export async function readReportedCosts(rt: Runtime, request: Request): Promise<Reported> {
  const { accountId, from, to, groupBy } = request
  const rows = await rt.store.read(readReported, { account_id: accountId, since: from, until: to })
  const known = groupBy.every((name) => name === 'country' || name === 'day' || name === 'pricing_category')
  const reported: Reported = { asOf: null, totals: new Map(), groups: known ? new Map() : null }
  for (const row of rows) {
    reported.asOf = Math.max(reported.asOf ?? 0, row.fetched_at)
    if (row.cost_micros === null) continue
    add(reported.totals, row.currency, row.cost_micros)
    if (!reported.groups) continue
    const all: Partial<Record<CostGrouping, string>> = {
      country: row.country,
      day: new Date(row.day).toISOString().slice(0, 10),
      pricing_category: row.category,
    }
    const values = Object.fromEntries(groupBy.map((name) => [name, all[name] ?? '']))
    const key = groupBy.map((name) => values[name]).join('\n')
    const group = reported.groups.get(key) ?? { values, sums: new Map() }
    reported.groups.set(key, group)
    add(group.sums, row.currency, row.cost_micros)
  }
  return reported
}

function add(sums: Sums, currency: string | null, micros: number): void {
  sums.set(currency, (sums.get(currency) ?? 0) + micros)
}

type Figures = { totals: Cost[]; groups: CostGroup[] }

/** Ours with Meta's beside them; what Meta alone counted has a line of its own. */
export function besideReported({ totals, groups }: Figures, reported: Reported): Figures {
  const left = new Map(reported.groups ?? [])
  const known = groups.map((group) => {
    const other = left.get(group.key)
    left.delete(group.key)
    return { ...group, costs: beside(group.costs, other?.sums ?? new Map()) }
  })
  const alone = [...left].map(([key, { values, sums }]) => ({ key, values, costs: beside([], sums) }))
  return { totals: beside(totals, reported.totals), groups: [...known, ...alone] }
}

function beside(costs: readonly Cost[], sums: Sums): Cost[] {
  const known = costs.map((cost) => {
    const micros = sums.get(cost.currency)
    return { ...cost, reported: micros === undefined ? null : formatAmount(micros) }
  })
  const alone = [...sums].filter(([currency]) => !costs.some((cost) => cost.currency === currency))
  const nothing = { amount: null, priced: 0, free: 0, unpriced: 0 }
  return [...known, ...alone.map(([currency, micros]) => ({ currency, ...nothing, reported: formatAmount(micros) }))]
}
