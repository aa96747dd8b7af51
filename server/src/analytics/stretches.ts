import type { Cell, Stretch } from '../store/rollups.ts'
import { dayMs, type Granularity, hourMs, quarterHourMs, type SteadyTime } from './time-buckets.ts'

/** A range in whole quarter hours as few roll-up rows: whole days inside, hours around them, quarters at the ends. */
export function stretchesOf(from: number, to: number, largestMs: number = dayMs): Stretch[] {
  const spanMs = largestMs
  const start = Math.ceil(from / spanMs) * spanMs
  const end = Math.floor(to / spanMs) * spanMs
  const smaller = smallerOf(spanMs)
  if (smaller === null) return from < to ? [{ spanMs, start: from, end: to }] : []
  if (start >= end) return from < to ? stretchesOf(from, to, smaller) : []
  return [...stretchesOf(from, start, smaller), { spanMs, start, end }, ...stretchesOf(end, to, smaller)]
}

/**
 * The same for a series: no row may reach over the border of two cells. Cells are hours or days of the zone; only where
 * its clocks stand at a whole hour, or at UTC, can larger rows be used.
 */
export function seriesStretches(times: readonly SteadyTime[], granularity: Granularity): (Stretch & Cell)[] {
  const stepMs = granularity === 'hour' ? hourMs : dayMs
  return times.flatMap(({ from, to, offsetMs }) =>
    stretchesOf(from, to, largestFor(stepMs, offsetMs)).map((stretch) => ({ ...stretch, offsetMs, stepMs })),
  )
}

function largestFor(stepMs: number, offsetMs: number): number {
  const spans = [dayMs, hourMs, quarterHourMs].filter((spanMs) => spanMs <= stepMs)
  return spans.find((spanMs) => offsetMs % spanMs === 0) ?? quarterHourMs
}

function smallerOf(spanMs: number): number | null {
  if (spanMs === dayMs) return hourMs
  return spanMs === hourMs ? quarterHourMs : null
}
