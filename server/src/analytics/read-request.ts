import type { Static } from 'typebox'
import { type AnalyticsQuery as AnalyticsQuerySchema, groupings } from '../contract/analytics.ts'
import { AppError, validationFailed } from '../contract/app-error.ts'
import type { FieldCode, FieldProblem } from '../contract/schema.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { parseDate, parseInstant } from '../lib/instant.ts'
import type { Dimension, Grouping, RollupRange } from '../store/analytics/rollups.ts'
import {
  type Bucket,
  bucketsOf,
  type Granularity,
  quarterHourMs,
  quarterHourOf,
  startOfDay,
  startOfDayBefore,
} from './time-buckets.ts'

/** The query of a caller, its values still text. */
export type AnalyticsQuery = Readonly<Omit<Static<typeof AnalyticsQuerySchema>, 'group_by'>> & {
  group_by?: readonly string[]
}

export type AnalyticsRequest = {
  /** Widened to quarter hours, which is as fine as figures are kept. */
  from: number
  to: number
  /** Where reading ends: with the day of UTC when the end is now or lies ahead, because nothing comes after now. */
  readTo: number
  granularity: Granularity
  timezone: string
  groupBy: Grouping[]
  limitGroups: number
  withPoints: boolean
  filters: (readonly [Dimension, string])[]
  buckets: Bucket[]
}

const filterNames = ['template', 'type', 'direction', 'phone_number', 'api_key'] as const
const groupingsMax = 2
const defaultDays = 7
const groupsWithPointsMax = 50

/** Everything about a question that can be wrong, before anything is read. */
export function readRequest(query: AnalyticsQuery, now: number): AnalyticsRequest {
  const granularity = query.granularity ?? 'day'
  const timezone = query.timezone ?? 'UTC'
  const groupBy = readGroupings(query.group_by ?? [])
  const limitGroups = query.limit_groups ?? 10
  const withPoints = query.points ?? true
  if (withPoints && limitGroups > groupsWithPointsMax) {
    const message = `With points, at most ${groupsWithPointsMax} groups. Add points=false for more.`
    throw validationFailed([problemAt('limit_groups', 'out_of_range', message)])
  }
  const asked = {
    from: readTime('from', query.from, timezone) ?? defaultFrom(now, timezone),
    to: readTime('to', query.to, timezone) ?? now,
  }
  const result = bucketsOf({ ...asked, granularity, timeZone: timezone })
  if (!result.ok && result.error === 'validation_failed') throw validationFailed([result.problem])
  if (!result.ok) throw new AppError(result.error, result.problem.message, { details: [result.problem] })
  // Cells begin at quarter hours in every zone, so widening the range reaches into no other bucket.
  const from = quarterHourOf(asked.from)
  const to = quarterHourOf(asked.to + quarterHourMs - 1)
  const filters = filterNames.flatMap((name): (readonly [Dimension, string])[] => {
    const value = query[name]
    return value === undefined ? [] : [[name, value]]
  })
  return {
    from,
    to,
    readTo: asked.to >= now ? (Math.floor(now / dayMs) + 1) * dayMs : to,
    granularity,
    timezone,
    groupBy,
    limitGroups,
    withPoints,
    filters,
    buckets: result.buckets,
  }
}

function defaultFrom(now: number, timezone: string): number {
  // Without a zone there is no day; the buckets will say what is wrong.
  return startOfDayBefore(now, defaultDays, timezone) ?? now - 1
}

/** A bare date is the start of that day in the zone. */
function readTime(field: 'from' | 'to', text: string | undefined, timezone: string): number | null {
  if (text === undefined) return null
  const date = parseDate(text)
  const at = (date && startOfDay(date, timezone)) ?? parseInstant(text)
  if (at !== null) return at
  const message = 'This day or time does not exist. Use for example 2026-11-15 or 2026-11-15T10:30:00Z.'
  throw new AppError('invalid_date_range', message, { details: [problemAt(field, 'invalid_value', message, text)] })
}

/** Separate parameters or one with commas, which is how people write lists in an address. */
function readGroupings(given: readonly string[]): Grouping[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim())
  const unknown = names.find((name) => !groupings.some((known) => known === name))
  if (unknown !== undefined) {
    throw validationFailed([
      problemAt('group_by', 'invalid_value', `Use up to two of ${groupings.join(', ')}.`, unknown),
    ])
  }
  if (new Set(names).size < names.length) {
    throw validationFailed([problemAt('group_by', 'duplicate', 'Use each grouping once.')])
  }
  if (names.length > groupingsMax) {
    throw validationFailed([problemAt('group_by', 'too_many_items', `Use at most ${groupingsMax} groupings.`)])
  }
  return names as Grouping[]
}

function problemAt(field: string, code: FieldCode, message: string, received?: string): FieldProblem {
  return {
    field,
    location: 'query',
    code,
    message,
    ...(received === undefined ? {} : { received: received.slice(0, 64) }),
  }
}

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

/** The contents of the slots, bucket by bucket. */
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
