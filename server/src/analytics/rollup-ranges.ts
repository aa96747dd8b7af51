import { dayMs, hourMs } from '../lib/durations.ts'
import type { RollupRange } from '../store/analytics/rollups.ts'
import { quarterHourMs } from './time-buckets.ts'

const sixHoursMs = 6 * hourMs
const spans = [dayMs, sixHoursMs, hourMs, quarterHourMs] as const

/**
 * The roll-ups between neighbouring borders, as few rows as give exact sums. Each border is led back to the nearest day
 * of UTC (or hour, with steps of one): whole days lie between those, and the hours and quarters from there to the border
 * belong to the buckets on both sides, to one with the opposite sign. They are read once and have a slot of their own:
 * borders the even ones, buckets the odd ones between them. So a day at +5:30 costs one row of a day, one of six hours and
 * two of quarters, instead of 96.
 */
export function rangesOf(
  borders: readonly number[],
  stepMs: number,
  lengths: readonly number[] = spans,
): RollupRange[] {
  const last = borders.length - 1
  return borders.flatMap((border, index) => {
    const next = borders[index + 1]
    const between = next === undefined ? [] : rowsBetween(nearest(border, stepMs), nearest(next, stepMs), stepMs)
    const ahead = index === last ? 1 : index === 0 ? -1 : 0
    return [
      ...rowsTo(border, stepMs, lengths).map((row) => ({
        ...row,
        slot: 2 * index,
        net: (row.sign * ahead) as RollupRange['net'],
      })),
      ...between.map((row) => ({ ...row, slot: 2 * index + 1, net: 1 as const })),
    ]
  })
}

/** The same for one sum, of which only the net counts; two borders are not worth rows of six hours. */
export function rangesBetween(from: number, to: number): RollupRange[] {
  return rangesOf([from, to], to - from < dayMs ? hourMs : dayMs, [hourMs, quarterHourMs])
}

/** What is in the slots, bucket by bucket. */
export function addSlot<T>(buckets: readonly T[], slot: number, add: (bucket: T, sign: 1 | -1) => void): void {
  const index = Math.floor(slot / 2)
  const [before, at] = [buckets[index - 1], buckets[index]]
  if (slot % 2 === 1) {
    if (at !== undefined) add(at, 1)
    return
  }
  if (before !== undefined) add(before, 1)
  if (at !== undefined) add(at, -1)
}

type Row = Pick<RollupRange, 'spanMs' | 'start' | 'sign'>

/** From the nearest step to the border, first in long rows, then in shorter ones, forth and back. */
function rowsTo(border: number, stepMs: number, lengths: readonly number[]): Row[] {
  let at = nearest(border, stepMs)
  return lengths
    .filter((spanMs) => spanMs < stepMs)
    .flatMap((spanMs) => {
      const from = at
      at = nearest(border, spanMs, from)
      return rowsBetween(from, at, spanMs)
    })
}

function rowsBetween(from: number, to: number, spanMs: number): Row[] {
  const first = Math.min(from, to)
  const sign = from < to ? 1 : -1
  return Array.from({ length: Math.abs(to - from) / spanMs }, (_, index) => ({
    spanMs,
    start: first + index * spanMs,
    sign,
  }))
}

/** Of two that are equally near, the one towards `from`. */
function nearest(time: number, spanMs: number, from: number = time): number {
  const round = from < time ? (parts: number) => Math.ceil(parts - 0.5) : Math.round
  return round(time / spanMs) * spanMs
}
