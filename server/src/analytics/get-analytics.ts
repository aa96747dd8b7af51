import { listNumbers } from '../channels/list-numbers.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { countRecipients } from '../store/recipients.ts'
import {
  failuresQuery,
  type Grouping,
  type GroupRow,
  groupsQuery,
  type RollupFilters,
  type SeriesRow,
  seriesQuery,
  type ValueRow,
  valuesQuery,
} from '../store/rollups.ts'
import {
  type Counts,
  countByBucket,
  type Group,
  otherGroup,
  type Series,
  type ShownCounts,
  shown,
  sumOf,
  toSeries,
  without,
} from './build-series.ts'
import { foldSteps } from './fold-steps.ts'
import { emptyHistogram, percentile } from './latency-histogram.ts'
import { type AnalyticsQuery, type AnalyticsRequest, readRequest } from './read-request.ts'
import { seriesStretches, stretchesOf } from './stretches.ts'
import { dayMs } from './time-buckets.ts'

export type Analytics = {
  from: string
  to: string
  granularity: string
  timezone: string
  group_by: string[]
  as_of: string
  totals: ShownCounts & {
    created: number
    unique_recipients: number | null
    delivery_seconds_p50: number | null
    delivery_seconds_p95: number | null
  }
  series: Series[]
  failures: { code: string; count: number }[]
  pricing: { category: string; count: number }[]
}

/** Answers from roll-ups alone; the cost depends on the length of the range, not on the number of messages. */
export async function getAnalytics(rt: Runtime, accountId: string, query: AnalyticsQuery): Promise<Analytics> {
  const asOf = rt.clock.now()
  const request = readRequest(query, asOf)
  const scope = { accountId, filters: await knownFilters(rt, accountId, request.filters) }
  await foldSteps(rt)
  const [all, series, values, failures, uniqueRecipients] = await Promise.all([
    readCounts(rt, scope, request),
    request.groupBy.length > 0 ? readGroups(rt, scope, request) : null,
    readValues(rt, scope, request),
    readFailures(rt, scope, request),
    readRecipients(rt, scope, request, asOf),
  ])
  const total = sumOf(all)
  return {
    from: formatInstant(request.from),
    to: formatInstant(request.to),
    granularity: request.granularity,
    timezone: request.timezone,
    group_by: request.groupBy,
    as_of: formatInstant(asOf),
    totals: {
      ...shown(total),
      created: total.created,
      unique_recipients: uniqueRecipients,
      delivery_seconds_p50: percentile(values.latencies, 0.5),
      delivery_seconds_p95: percentile(values.latencies, 0.95),
    },
    series: series ? toGroupedSeries(request, all, series) : [toSeries({}, request.buckets, all)],
    failures,
    pricing: values.pricing,
  }
}

/** A number may be named by its id or as people dial it. */
async function knownFilters(rt: Runtime, accountId: string, filters: RollupFilters['filters']) {
  if (!filters.some(([name, value]) => name === 'phone_number' && value.startsWith('+'))) return filters
  const numbers = await listNumbers(rt, accountId)
  return filters.map(([name, value]) => {
    const own = name === 'phone_number' ? numbers.find(({ phone_number }) => phone_number === value) : undefined
    return [name, own?.id ?? value] as const
  })
}

async function readCounts(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest): Promise<Counts[]> {
  const parts = seriesStretches(request.steadyTimes, request.granularity)
  const rows = await rt.store.list(seriesQuery(rt.store.engine, { ...scope, parts, groupBy: [], groups: null }))
  return countByBucket(request.buckets, rows)
}

type Groups = { shown: { values: string[]; counts: Counts[] }[]; more: boolean }

/** The largest groups and, whether there are more. Few cells leave the database, however many groups there are. */
async function readGroups(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest): Promise<Groups> {
  const { groupBy, limitGroups, from, to, buckets } = request
  const { engine } = rt.store
  const ranked = await rt.store.list(
    groupsQuery(engine, { ...scope, parts: stretchesOf(from, to), groupBy, count: limitGroups + 1 }),
  )
  const groups = ranked.slice(0, limitGroups).map((row) => valuesOf(row, groupBy))
  if (groups.length === 0) return { shown: [], more: false }
  const parts = seriesStretches(request.steadyTimes, request.granularity)
  const rows = await rt.store.list(seriesQuery(engine, { ...scope, parts, groupBy, groups }))
  const byGroup = Map.groupBy(rows, (row) => keyOf(valuesOf(row, groupBy)))
  return {
    shown: groups.map((values) => ({ values, counts: countByBucket(buckets, byGroup.get(keyOf(values)) ?? []) })),
    more: ranked.length > limitGroups,
  }
}

function toGroupedSeries({ groupBy, buckets }: AnalyticsRequest, all: Counts[], groups: Groups): Series[] {
  const series = groups.shown.map(({ values, counts }) => toSeries(groupOf(groupBy, values), buckets, counts))
  if (!groups.more) return series
  const rest = without(
    all,
    groups.shown.map(({ counts }) => counts),
  )
  return [...series, toSeries(Object.fromEntries(groupBy.map((name) => [name, otherGroup])), buckets, rest)]
}

function valuesOf(row: SeriesRow | GroupRow, groupBy: readonly Grouping[]): string[] {
  return groupBy.map((name) => row[name] ?? '')
}

function keyOf(values: readonly string[]): string {
  return values.join('\n')
}

function groupOf(groupBy: readonly Grouping[], values: readonly string[]): Group {
  return Object.fromEntries(groupBy.map((name, index) => [name, values[index] || null]))
}

async function readValues(rt: Runtime, scope: RollupFilters, { from, to }: AnalyticsRequest) {
  const rows = await rt.store.list(valuesQuery(rt.store.engine, { ...scope, parts: stretchesOf(from, to) }))
  const latencies = [...emptyHistogram()]
  for (const { value, n } of rows.filter(({ kind }) => kind === 'latency')) {
    latencies[Number(value)] = (latencies[Number(value)] ?? 0) + n
  }
  return { latencies, pricing: pricingOf(rows) }
}

function pricingOf(rows: readonly ValueRow[]): Analytics['pricing'] {
  const counted = ranked(rows.filter(({ kind }) => kind === 'pricing').map(({ value, n }) => [value, n]))
  return counted.map(([category, count]) => ({ category, count }))
}

async function readFailures(rt: Runtime, scope: RollupFilters, { from, to }: AnalyticsRequest) {
  const rows = await rt.store.list(failuresQuery(rt.store.engine, { ...scope, parts: stretchesOf(from, to) }))
  const counted = ranked(rows.map(({ error_code, failed }) => [error_code, failed]))
  return counted.map(([code, count]) => ({ code, count }))
}

/** Sums by name, the largest first. */
function ranked(rows: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [name, n] of rows) sums.set(name, (sums.get(name) ?? 0) + n)
  return [...sums].filter(([, n]) => n > 0).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

/** Recipients are known by UTC day. An end that lies ahead stands for that of today: nothing comes after it. */
async function readRecipients(
  rt: Runtime,
  { accountId, filters }: RollupFilters,
  { from, to }: AnalyticsRequest,
  now: number,
): Promise<number | null> {
  const endsWithDay = to % dayMs === 0 || to > now
  if (filters.length > 0 || from % dayMs !== 0 || !endsWithDay) return null
  const params = { account_id: accountId, from_day: from, to_day: Math.ceil(to / dayMs) * dayMs }
  return (await rt.store.read(countRecipients, params))[0]?.total ?? 0
}
