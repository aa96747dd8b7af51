import type { Static } from 'typebox'
import { AppError, validationFailed } from '../contract/app-error.ts'
import { type CostsQuery, type Costs as CostsSchema, costGroupings } from '../contract/costs/costs.ts'
import type { FieldProblem } from '../contract/schema.ts'
import { besideReported, listTiers, readReportedCosts } from '../costs/reported-costs.ts'
import { type Cost, type CostGroup, type CostGrouping, sumCosts } from '../costs/sum-costs.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant, parseDate, startOfUtcDay } from '../lib/instant.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import type { Runtime } from '../runtime.ts'
import type { RollupFilters } from '../store/analytics/rollups.ts'
import { readNumberFacts } from '../store/channels/numbers.ts'
import type { PriceFilter } from '../store/costs/price-days.ts'
import { foldSteps } from './fold-steps.ts'

type Costs = Static<typeof CostsSchema>
type Query = Readonly<Omit<Static<typeof CostsQuery>, 'group_by'>> & { group_by?: readonly string[] }

const daysMax = 1_100

/** Messages delivered in a range of days, and their cost. */
export async function getCosts(rt: Runtime, accountId: string, query: Query): Promise<Costs> {
  const asOf = rt.clock.now()
  const groupBy = readGroupings(query.group_by ?? [])
  const zones = await timeZonesOf(rt, accountId)
  const { from, to } = readDays(query, asOf, zones)
  const filters = (['template', 'phone_number', 'api_key', 'broadcast'] as const).flatMap(
    (name): [PriceFilter, string][] => {
      const value = query[name]
      return value === undefined ? [] : [[name, value]]
    },
  )
  await foldSteps(rt)
  const ours = await sumCosts(rt, { accountId, from, to, groupBy, filters })
  const reported = filters.length > 0 ? null : await readReportedCosts(rt, { accountId, from, to, groupBy })
  const { totals, groups } = reported ? besideReported(ours, reported) : ours
  const limit = groupBy.includes('day') ? groups.length : (query.limit_groups ?? 50)
  const shown = groupBy.length === 0 ? [] : groups.sort(groupBy[0] === 'day' ? byKey : byCost)
  return {
    from: dayText(from),
    to: dayText(to),
    group_by: groupBy,
    as_of: formatInstant(asOf),
    time_zones: zones,
    totals,
    groups: shown.slice(0, limit).map(({ values, costs }) => ({
      group: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || null])),
      costs,
    })),
    groups_left_out: Math.max(0, shown.length - limit),
    reported_as_of: formatInstant(reported?.asOf ?? null),
    volume_tiers: await listTiers(rt, accountId, { from, to }),
  }
}

/** Of the connected accounts of Meta; of the sandbox where there is nothing else. */
async function timeZonesOf(rt: Runtime, accountId: string): Promise<string[]> {
  const numbers = await rt.store.read(readNumberFacts, { account_id: accountId })
  const live = numbers.filter(({ kind }) => kind === 'cloud')
  const zones = new Set((live.length > 0 ? live : numbers).map(({ time_zone }) => time_zone ?? 'UTC'))
  return zones.size === 0 ? ['UTC'] : [...zones].sort()
}

function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

function byKey(a: CostGroup, b: CostGroup): number {
  return a.key < b.key ? -1 : 1
}

/** Amounts of different currencies are not compared: the largest number of the first one counts. */
function byCost(a: CostGroup, b: CostGroup): number {
  const amount = ({ costs: [first] }: CostGroup) => Number(first?.amount ?? 0)
  const count = ({ costs }: CostGroup) => costs.reduce((sum, { priced, unpriced }) => sum + priced + unpriced, 0)
  return amount(b) - amount(a) || count(b) - count(a) || byKey(a, b)
}

function readDays(query: Query, now: number, zones: readonly string[]): { from: number; to: number } {
  // Where one account is a day ahead, its messages of today belong in too.
  const today = Math.max(...zones.map((zone) => calendarDayOf(now, zone)))
  const firstOfMonth = new Date(today).setUTCDate(1)
  const from = query.from === undefined ? firstOfMonth : readDay('from', query.from)
  const to = query.to === undefined ? today + dayMs : readDay('to', query.to)
  if (from < to && to - from <= daysMax * dayMs) return { from, to }
  const message = from < to ? `A range has at most ${daysMax} days.` : '`from` must be before `to`.'
  const details: FieldProblem[] = [{ field: 'from', location: 'query', code: 'out_of_range', message }]
  throw new AppError('invalid_date_range', message, { details })
}

function readDay(field: 'from' | 'to', text: string): number {
  const date = parseDate(text)
  if (date) return startOfUtcDay(date)
  const message = 'This day does not exist. Use for example 2026-11-01.'
  throw new AppError('invalid_date_range', message, {
    details: [{ field, location: 'query', code: 'invalid_value', message, received: text }],
  })
}

function readGroupings(given: readonly string[]): CostGrouping[] {
  const names = [...new Set(given.flatMap((text) => text.split(',')).map((name) => name.trim()))]
  const unknown = names.find((name) => !costGroupings.some((known) => known === name))
  const message = unknown === undefined ? 'Use at most two groupings.' : `Use up to two of ${costGroupings.join(', ')}.`
  if (unknown !== undefined || names.length > 2) {
    throw validationFailed([
      {
        field: 'group_by',
        location: 'query',
        code: unknown === undefined ? 'too_many_items' : 'invalid_value',
        message,
      },
    ])
  }
  return names as CostGrouping[]
}

/** Of the calendar days that a time range touches; null for a group that stands for several, or for error codes. */
export async function costsInAnalytics(
  rt: Runtime,
  { accountId, filters }: Pick<RollupFilters, 'accountId' | 'filters'>,
  range: { from: number; to: number; timezone: string },
  groupBy: readonly string[],
): Promise<{ totals: Cost[]; of(group: Readonly<Record<string, string | null>>): Cost[] | null }> {
  const named = groupBy.filter((name): name is CostGrouping => costGroupings.some((known) => known === name))
  const isKnown = named.length === groupBy.length
  const { totals, groups } = await sumCosts(rt, {
    accountId,
    filters,
    from: calendarDayOf(range.from, range.timezone),
    to: calendarDayOf(range.to - 1, range.timezone) + dayMs,
    groupBy: isKnown ? named : [],
  })
  const byValues = new Map(groups.map(({ key, costs }) => [key, costs]))
  const of = (group: Readonly<Record<string, string | null>>) => {
    if (groupBy.length === 0) return totals
    const found = byValues.get(groupBy.map((name) => group[name] ?? '').join('\n'))
    return found ?? (isKnown && Object.values(group).every((value) => value !== 'other') ? [] : null)
  }
  return { totals, of }
}
