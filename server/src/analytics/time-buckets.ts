import type { FieldProblem } from '../contract/schema.ts'
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts'
import type { CalendarDate } from '../lib/instant.ts'
import { startOfUtcDay } from '../lib/instant.ts'
import { offsetAt, openZone, wallOf, type Zone } from '../lib/time-zone.ts'

export type Granularity = 'hour' | 'day' | 'month'
/** `start` inclusive, `end` exclusive, epoch milliseconds. */
export type Bucket = { start: number; end: number }
export type BucketRequest = { from: number; to: number; granularity: Granularity; timeZone: string }
export type BucketResult =
  | { ok: true; buckets: Bucket[] }
  | { ok: false; error: 'invalid_date_range' | 'validation_failed'; problem: FieldProblem }

/**
 * Every calendar hour, day or month of the zone that touches `from` (inclusive) to `to` (exclusive), whole and without
 * gaps, so a series is complete and aligned. A day lasts 23 or 25 hours where the clocks change. An hour never spans a
 * change of clocks: the repeated one gives two buckets, and a half-hour change gives one of 30 minutes.
 */
export function bucketsOf(request: BucketRequest): BucketResult {
  const zone = openZone(request.timeZone)
  if (!zone) return refused('validation_failed', zoneProblem(request.timeZone))
  const problem = rangeProblem(zone, request)
  if (problem) return refused('invalid_date_range', problem)
  const starts = request.granularity === 'month' ? monthStarts(zone, request) : stepStarts(zone, request)
  const buckets = starts.slice(1).map((end, index) => ({ start: starts[index] ?? end, end }))
  // A day that a zone skipped entirely (Samoa, 30 December 2011) has no length and no bucket.
  return { ok: true, buckets: buckets.filter((b) => b.start < b.end && b.end > request.from && b.start < request.to) }
}

/** The first instant of a calendar day in the zone; null for an unknown zone. Midnight itself may be skipped. */
export function startOfDay(date: CalendarDate, timeZone: string): number | null {
  const zone = openZone(timeZone)
  return zone && firstInstantAt(zone, startOfUtcDay(date))
}

/** The start of the local day that lies some calendar days before that of `ms`; null for an unknown zone. */
export function startOfDayBefore(ms: number, days: number, timeZone: string): number | null {
  const zone = openZone(timeZone)
  return zone && firstInstantAt(zone, (Math.floor(wallOf(zone, ms) / dayMs) - days) * dayMs)
}

/** Roll-ups are kept by UTC quarter hour: the coarsest step from which days at +5:30 and +5:45 can be summed exactly. */
export function quarterHourOf(ms: number): number {
  return Math.floor(ms / quarterHourMs) * quarterHourMs
}

export const quarterHourMs = 15 * minuteMs

const limits = {
  hour: { days: 31, months: 0, words: '31 days by hour' },
  day: { days: 366, months: 0, words: '366 days by day' },
  month: { days: 0, months: 36, words: '36 months by month' },
} as const satisfies Record<Granularity, { days: number; months: number; words: string }>

/** Looks at the two ends only, so that a hundred years of hours are refused at no cost. */
function rangeProblem(zone: Zone, { from, to, granularity }: BucketRequest): FieldProblem | null {
  if (from >= to) {
    return { field: 'from', location: 'query', code: 'out_of_range', message: '`from` must be before `to`.' }
  }
  const { days, months, words } = limits[granularity]
  // Counted on the calendar of the zone: 31 days with a change of clocks in them may last an hour longer.
  const wall = new Date(wallOf(zone, from))
  wall.setUTCMonth(wall.getUTCMonth() + months, wall.getUTCDate() + days)
  if (to <= firstInstantAt(zone, wall.getTime())) return null
  const message = `The range is too long: at most ${words}. Use a shorter range or a coarser granularity.`
  return { field: 'to', location: 'query', code: 'out_of_range', message }
}

function zoneProblem(timeZone: string): FieldProblem {
  const message = 'Give an IANA time zone name, for example Europe/Lisbon or UTC.'
  return { field: 'timezone', location: 'query', code: 'invalid_value', message, received: timeZone.slice(0, 64) }
}

function refused(error: 'invalid_date_range' | 'validation_failed', problem: FieldProblem): BucketResult {
  return { ok: false, error, problem }
}

function monthStarts(zone: Zone, { from, to }: BucketRequest): number[] {
  const wallFrom = new Date(wallOf(zone, from))
  const startAt = (step: number) =>
    firstInstantAt(zone, Date.UTC(wallFrom.getUTCFullYear(), wallFrom.getUTCMonth() + step, 1))
  const starts = [startAt(0)]
  do starts.push(startAt(starts.length))
  while ((starts.at(-1) ?? to) < to)
  return starts
}

/** Hours and days by arithmetic between two changes of clocks: asking the zone about each would take 25 ms a month. */
function stepStarts(zone: Zone, { from, to, granularity }: BucketRequest): number[] {
  const stepMs = granularity === 'hour' ? hourMs : dayMs
  const starts: number[] = []
  let lastDay = Number.NEGATIVE_INFINITY
  // Two days more on either side hold the start of the first and the end of the last one.
  for (const [index, { from: begin, to: end, offsetMs }] of steadyTimes(
    zone,
    from - 2 * dayMs,
    to + 2 * dayMs,
  ).entries()) {
    const firstStep = Math.ceil((begin + offsetMs) / stepMs) * stepMs - offsetMs
    if (index > 0) addStart(begin, offsetMs)
    for (let start = firstStep; start < end; start += stepMs) addStart(start, offsetMs)
  }
  return starts

  /** An hour begins anew where the clocks change; a day that begins twice or was skipped begins once. */
  function addStart(start: number, offsetMs: number): void {
    const day = Math.floor((start + offsetMs) / dayMs)
    const isNew = granularity === 'hour' ? start > (starts.at(-1) ?? Number.NEGATIVE_INFINITY) : day > lastDay
    if (isNew) starts.push(start)
    lastDay = Math.max(lastDay, day)
  }
}

/** A stretch of time in which the zone's clocks are not changed. */
type SteadyTime = { from: number; to: number; offsetMs: number }

/** The range cut where the clocks of the zone change. */
function steadyTimes(zone: Zone, from: number, to: number): SteadyTime[] {
  const times: SteadyTime[] = []
  let start = from
  let offsetMs = offsetAt(zone, from)
  // Looked at once a day and at the end: no zone changes its clocks twice within one.
  for (let seen = from; seen < to - 1; ) {
    const next = Math.min(seen + dayMs, to - 1)
    const nextOffsetMs = offsetAt(zone, next)
    if (nextOffsetMs !== offsetMs) {
      const change = changeBetween(zone, seen, next)
      times.push({ from: start, to: change, offsetMs })
      start = change
      offsetMs = nextOffsetMs
    }
    seen = next
  }
  return [...times, { from: start, to, offsetMs }]
}

/** The first instant at which the wall clock shows `wall` or, where that time is skipped, a later one. */
function firstInstantAt(zone: Zone, wall: number): number {
  // Offsets stay below 26 hours, so these two instants lie on either side; no zone changes its clocks twice between.
  const before = wall - offsetAt(zone, wall - 26 * hourMs)
  const after = wall - offsetAt(zone, wall + 26 * hourMs)
  const exact = [before, after].filter((ms) => wallOf(zone, ms) === wall)
  return exact.length > 0 ? Math.min(...exact) : changeBetween(zone, after, before)
}

/** The first instant after `low` whose offset is that of `high`. */
function changeBetween(zone: Zone, low: number, high: number): number {
  const offset = offsetAt(zone, high)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle) === offset) high = middle
    else low = middle
  }
  return high
}
