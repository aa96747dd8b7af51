import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { AccountItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { readReported } from '../store/costs/reported-days.ts'
import { readTiers, saveTier } from '../store/costs/volume-tiers.ts'
import { unitOf } from '../store/engine/unit.ts'
import { formatAmount } from './money.ts'
import type { Cost, CostGroup, CostGrouping } from './sum-costs.ts'

type Sums = Map<string | null, number>
type ReportedGroup = { values: CostGroup['values']; sums: Sums }
type Reported = {
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

/** Information beside the list rate: what a message costs in a tier stands in no report, so nothing is computed from it. */
export async function keepTier(
  rt: Pick<Runtime, 'store'>,
  channel: { id: string; accountId: string },
  { event, detail }: Pick<AccountItem, 'event' | 'detail'>,
): Promise<void> {
  if (event !== 'VOLUME_BASED_PRICING_TIER_UPDATE') return
  const tier = tierIn(detail?.volume_tier_info)
  if (tier) await rt.store.write(unitOf(saveTier, { account_id: channel.accountId, channel_id: channel.id, ...tier }))
}

/** Null where a part is missing or is not what Meta documents. */
function tierIn(info: unknown) {
  if (typeof info !== 'object' || info === null) return null
  const given = info as Record<string, unknown>
  const wordOf = (name: string) => {
    const word = given[name]
    return typeof word === 'string' && word.length <= 100 ? word : ''
  }
  const [month, tier, region] = [wordOf('effective_month'), wordOf('tier'), wordOf('region')]
  const category = wordOf('pricing_category').toLowerCase()
  const since = Number(given.tier_update_time) * 1_000
  const isWhole = category !== '' && region !== '' && tier !== '' && Number.isSafeInteger(since) && since > 0
  return isWhole && /^\d{4}-\d{2}$/.test(month) ? { month, category, region, tier, since } : null
}

/** Of the months that a range of days touches, the newest month first. */
export async function listTiers(rt: Runtime, accountId: string, { from, to }: { from: number; to: number }) {
  const monthOf = (day: number) => new Date(day).toISOString().slice(0, 7)
  const range = { first: monthOf(from), last: monthOf(to - dayMs) }
  const rows = await rt.store.read(readTiers, { account_id: accountId, ...range })
  return rows.map(({ since, ...row }) => ({ ...row, since: formatInstant(since) }))
}
