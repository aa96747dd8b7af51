import type { Static } from 'typebox'
import type { Analytics as AnalyticsSchema } from '../contract/analytics.ts'
import { readPriceKey } from '../costs/price-of.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { parseRecipient } from '../lib/phone.ts'
import type { Runtime } from '../runtime.ts'
import {
  type Counter,
  counterNames,
  failuresQuery,
  type Grouping,
  type GroupRow,
  groupsQuery,
  type RollupFilters,
  type SlotRow,
  slotsQuery,
  type ValueRow,
  valuesQuery,
} from '../store/analytics/rollups.ts'
import { findNumberByPhone } from '../store/channels/numbers.ts'
import { countRecipients } from '../store/messages/recipients.ts'
import { foldSteps, recipientsSince } from './fold-steps.ts'
import { costsInAnalytics } from './get-costs.ts'
import { emptyHistogram, percentile } from './latency-histogram.ts'
import {
  type AnalyticsQuery,
  type AnalyticsRequest,
  addSlot,
  rangesBetween,
  rangesOf,
  readRequest,
} from './read-request.ts'
import type { Bucket } from './time-buckets.ts'

export type Analytics = Static<typeof AnalyticsSchema>

/** Answers from roll-ups alone; the cost depends on the length of the range, not on the number of messages. */
export async function getAnalytics(
  rt: Runtime,
  accountId: string,
  query: AnalyticsQuery,
  { seesCosts = false }: { seesCosts?: boolean } = {},
): Promise<Analytics> {
  const asOf = rt.clock.now()
  const request = readRequest(query, asOf)
  const scope = { accountId, filters: await knownFilters(rt, accountId, request.filters) }
  await foldSteps(rt)
  const [{ all, series }, values, failures, uniqueRecipients, costs] = await Promise.all([
    request.groupBy.length > 0 ? readGroups(rt, scope, request) : readWhole(rt, scope, request),
    readValues(rt, scope, request),
    readFailures(rt, scope, request),
    readRecipients(rt, scope, request, asOf),
    seesCosts ? costsInAnalytics(rt, scope, request, request.groupBy) : null,
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
      costs: costs?.totals ?? null,
      unique_recipients: uniqueRecipients,
      delivery_seconds_p50: percentile(values.latencies, 0.5),
      delivery_seconds_p95: percentile(values.latencies, 0.95),
    },
    series: series.map((one) => ({
      ...one,
      totals: { ...one.totals, costs: costs?.of(one.group) ?? null },
      points: request.withPoints ? one.points : [],
    })),
    failures,
    pricing: values.pricing,
  }
}

/** A number may be named by its id or as people write it, also one that has been disconnected since. */
async function knownFilters(rt: Runtime, accountId: string, filters: RollupFilters['filters']) {
  return Promise.all(
    filters.map(async ([name, value]) => {
      const written = name === 'phone_number' ? parseRecipient(value) : null
      if (!written?.ok || written.kind !== 'phone') return [name, value] as const
      const params = { account_id: accountId, phone_number: written.value }
      const [own] = await rt.store.read(findNumberByPhone, params)
      return [name, own?.id ?? value] as const
    }),
  )
}

type Counted = { all: Counts[]; series: Series[] }

async function readWhole(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest): Promise<Counted> {
  const rows = await rt.store.list(
    slotsQuery(rt.store.engine, { ...scope, ranges: seriesRanges(request) }),
    scope.accountId,
  )
  const all = countByBucket(request.buckets, rows)
  return { all, series: [toSeries({}, labelsOf(request.buckets), all)] }
}

/** The largest groups and all others as one. Few cells leave the database, however many groups there are. */
async function readGroups(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest): Promise<Counted> {
  const { groupBy, limitGroups, buckets } = request
  const ranges = seriesRanges(request)
  const rows = await rt.store.list(
    groupsQuery(rt.store.engine, { ...scope, ranges, groupBy, groupsMax: limitGroups }),
    scope.accountId,
  )
  const byRank = [...Map.groupBy(rows, ({ rank }) => rank)].filter(([rank]) => rank > 0).sort(([a], [b]) => a - b)
  const labels = labelsOf(buckets)
  const series = byRank.map(([rank, own]) => {
    const group = rank > limitGroups ? everythingElse(groupBy) : groupOf(groupBy, own[0])
    return toSeries(group, labels, countByBucket(buckets, own))
  })
  return { all: countByBucket(buckets, rows), series }
}

/** Start, end and bucket boundaries of the range. There is no data before 1970. */
function seriesRanges({ from, readTo, granularity, buckets }: AnalyticsRequest) {
  const starts = buckets.slice(1).map(({ start }) => start)
  const borders = [from, ...starts.filter((start) => start < readTo), readTo]
  return rangesOf(
    borders.map((border) => Math.min(Math.max(border, 0), readTo)),
    granularity === 'hour' ? hourMs : dayMs,
  )
}

function wholeRanges({ from, readTo }: AnalyticsRequest) {
  return rangesBetween(Math.min(Math.max(from, 0), readTo), Math.max(readTo, 0))
}

function groupOf(groupBy: readonly Grouping[], row: GroupRow | undefined): Group {
  return Object.fromEntries(groupBy.map((name) => [name, row?.[name] || null]))
}

function everythingElse(groupBy: readonly Grouping[]): Group {
  return Object.fromEntries(groupBy.map((name) => [name, otherGroup]))
}

async function readValues(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest) {
  const rows = await rt.store.list(
    valuesQuery(rt.store.engine, { ...scope, ranges: wholeRanges(request) }),
    scope.accountId,
  )
  const latencies = [...emptyHistogram()]
  for (const { value, n } of rows.filter(({ kind }) => kind === 'latency')) {
    latencies[Number(value)] = (latencies[Number(value)] ?? 0) + n
  }
  return { latencies, pricing: pricingOf(rows) }
}

function pricingOf(rows: readonly ValueRow[]): Analytics['pricing'] {
  const counted = ranked(rows.filter(({ kind }) => kind === 'pricing').map(({ value, n }) => [value, n]))
  return counted.map(([key, count]) => ({ ...readPriceKey(key), count }))
}

async function readFailures(rt: Runtime, scope: RollupFilters, request: AnalyticsRequest) {
  const rows = await rt.store.list(
    failuresQuery(rt.store.engine, { ...scope, ranges: wholeRanges(request) }),
    scope.accountId,
  )
  const counted = ranked(rows.map(({ error_code, failed }) => [error_code, failed]))
  return counted.map(([code, count]) => ({ code, count }))
}

/** Sums by name, the largest first. */
function ranked(rows: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [name, n] of rows) sums.set(name, (sums.get(name) ?? 0) + n)
  return [...sums].filter(([, n]) => n > 0).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

/** Recipients are known by UTC day, and as long as messages are. */
async function readRecipients(
  rt: Runtime,
  { accountId, filters }: RollupFilters,
  { from, readTo }: AnalyticsRequest,
  now: number,
): Promise<number | null> {
  const wholeDays = from % dayMs === 0 && readTo % dayMs === 0
  if (filters.length > 0 || !wholeDays || from < recipientsSince(rt, now)) return null
  const params = { account_id: accountId, from_day: from, to_day: readTo }
  return (await rt.store.read(countRecipients, params))[0]?.total ?? 0
}

export type Counts = Record<Counter, number>
type ShownCounts = Counts & DeliveryRates
type Label = { start: string; end: string }
type Point = Label & ShownCounts
/** Null where the messages of a group have no such thing, for example texts no template. */
type Group = Partial<Record<Grouping, string | null>>
type Series = { group: Group; totals: ShownCounts; points: Point[] }

const otherGroup = 'other'

/** Rows into the buckets they lie in; every bucket is there, also those in which nothing happened. */
function countByBucket(buckets: readonly Bucket[], rows: readonly SlotRow[]): Counts[] {
  const counts = buckets.map(emptyCounts)
  for (const row of rows) addSlot(counts, row.slot, (counted, sign) => addTo(counted, row, sign))
  return counts
}

/** Start and end of each bucket, written once for all series. */
function labelsOf(buckets: readonly Bucket[]): Label[] {
  return buckets.map(({ start, end }) => ({ start: formatInstant(start), end: formatInstant(end) }))
}

function toSeries(group: Group, labels: readonly Label[], counts: readonly Counts[]): Series {
  return {
    group,
    totals: shown(sumOf(counts)),
    points: labels.map((label, index) => ({ ...label, ...shown(counts[index] ?? emptyCounts()) })),
  }
}

function sumOf(counts: readonly Counts[]): Counts {
  const total = emptyCounts()
  for (const one of counts) addTo(total, one, 1)
  return total
}

function shown(counts: Counts): ShownCounts {
  return { ...counts, ...deliveryRates(counts) }
}

function emptyCounts(): Counts {
  return { created: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0, replies: 0, taps: 0 }
}

function addTo(total: Counts, counts: Counts, sign: 1 | -1): void {
  for (const name of counterNames) total[name] += sign * counts[name]
}

/** A percentage with two decimals; null when there is nothing to divide by. */
export function rate(part: number, whole: number): number | null {
  // Scaled before dividing: both counts are whole, so the only rounding is the last one.
  return whole === 0 ? null : Math.round((part * 10_000) / whole) / 100
}

type DeliveryCounts = { sent: number; delivered: number; read: number }
type DeliveryRates = { delivery_rate: number | null; read_rate: number | null }

/** `sent` counts every message the platform accepted, so neither rate exceeds 100. */
export function deliveryRates(counts: DeliveryCounts): DeliveryRates {
  return { delivery_rate: rate(counts.delivered, counts.sent), read_rate: rate(counts.read, counts.delivered) }
}
