import { formatInstant } from '../lib/instant.ts'
import { type Counter, counterNames, type Grouping, type SeriesRow } from '../store/rollups.ts'
import { type DeliveryRates, deliveryRates } from './rates.ts'
import type { Bucket } from './time-buckets.ts'

export type Counts = Record<Counter, number>
export type ShownCounts = Omit<Counts, 'created'> & DeliveryRates
export type Point = { start: string; end: string } & ShownCounts
/** Null where the messages of a group have no such thing, for example texts no template. */
export type Group = Partial<Record<Grouping, string | null>>
export type Series = { group: Group; totals: ShownCounts; points: Point[] }

export const otherGroup = 'other'

export function emptyCounts(): Counts {
  return { created: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 }
}

/** Rows into the buckets they lie in; every bucket is there, also those in which nothing happened. */
export function countByBucket(buckets: readonly Bucket[], rows: readonly SeriesRow[]): Counts[] {
  const counts = buckets.map(emptyCounts)
  for (const row of rows) {
    const counted = counts[indexAt(buckets, row.at)]
    if (counted) addTo(counted, row, 1)
  }
  return counts
}

/** What is left of all when the shown groups are taken away. */
export function without(all: readonly Counts[], shown: readonly (readonly Counts[])[]): Counts[] {
  return all.map((counts, index) => {
    const rest = { ...counts }
    for (const group of shown) addTo(rest, group[index] ?? emptyCounts(), -1)
    return rest
  })
}

export function toSeries(group: Group, buckets: readonly Bucket[], counts: readonly Counts[]): Series {
  return {
    group,
    totals: shown(sumOf(counts)),
    points: buckets.map(({ start, end }, index) => ({
      start: formatInstant(start),
      end: formatInstant(end),
      ...shown(counts[index] ?? emptyCounts()),
    })),
  }
}

export function sumOf(counts: readonly Counts[]): Counts {
  const total = emptyCounts()
  for (const one of counts) addTo(total, one, 1)
  return total
}

export function shown({ created: _, ...counts }: Counts): ShownCounts {
  return { ...counts, ...deliveryRates(counts) }
}

function addTo(total: Counts, counts: Counts, sign: 1 | -1): void {
  for (const name of counterNames) total[name] += sign * counts[name]
}

/** The last bucket that begins at or before the time. */
function indexAt(buckets: readonly Bucket[], at: number): number {
  let [low, high] = [0, buckets.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((buckets[middle]?.start ?? at) <= at) low = middle
    else high = middle - 1
  }
  return low
}
