import { formatInstant } from '../lib/instant.ts'
import { type Counter, counterNames, type Grouping, type SlotRow } from '../store/analytics/rollups.ts'
import { type DeliveryRates, deliveryRates } from './rates.ts'
import { addSlot } from './rollup-ranges.ts'
import type { Bucket } from './time-buckets.ts'

export type Counts = Record<Counter, number>
export type ShownCounts = Counts & DeliveryRates
type Label = { start: string; end: string }
export type Point = Label & ShownCounts
/** Null where the messages of a group have no such thing, for example texts no template. */
export type Group = Partial<Record<Grouping, string | null>>
export type Series = { group: Group; totals: ShownCounts; points: Point[] }

export const otherGroup = 'other'

/** Rows into the buckets they lie in; every bucket is there, also those in which nothing happened. */
export function countByBucket(buckets: readonly Bucket[], rows: readonly SlotRow[]): Counts[] {
  const counts = buckets.map(emptyCounts)
  for (const row of rows) addSlot(counts, row.slot, (counted, sign) => addTo(counted, row, sign))
  return counts
}

/** When each bucket begins and ends, written once for all series. */
export function labelsOf(buckets: readonly Bucket[]): Label[] {
  return buckets.map(({ start, end }) => ({ start: formatInstant(start), end: formatInstant(end) }))
}

export function toSeries(group: Group, labels: readonly Label[], counts: readonly Counts[]): Series {
  return {
    group,
    totals: shown(sumOf(counts)),
    points: labels.map((label, index) => ({ ...label, ...shown(counts[index] ?? emptyCounts()) })),
  }
}

export function sumOf(counts: readonly Counts[]): Counts {
  const total = emptyCounts()
  for (const one of counts) addTo(total, one, 1)
  return total
}

export function shown(counts: Counts): ShownCounts {
  return { ...counts, ...deliveryRates(counts) }
}

function emptyCounts(): Counts {
  return { created: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 }
}

function addTo(total: Counts, counts: Counts, sign: 1 | -1): void {
  for (const name of counterNames) total[name] += sign * counts[name]
}
