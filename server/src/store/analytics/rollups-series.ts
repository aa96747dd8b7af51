import { dayMs, hourMs } from '../../lib/durations.ts'

/** What messages are told apart by. Direction besides, in every series; the error code in those of failures. */
export const dimensions = ['type', 'template', 'category', 'country', 'phone_number', 'api_key'] as const
export type SeriesDimension = (typeof dimensions)[number]

const quarterMs = 900_000
const sixHoursMs = 21_600_000
/** Lengths of time that rows stand for, by their number in `series`. */
const spans: readonly number[] = [quarterMs, hourMs, dayMs, sixHoursMs]

/** One row of every series is kept for each kind of message the series tells apart, and for each span of time. */
export type Series = { series: number; spanMs: number; keeps: readonly SeriesDimension[] }

/**
 * How far a level tells messages apart. Nearly every question names two dimensions at most, and then reads as many rows
 * as these have values, not as there are kinds of message. Two dimensions are kept by day alone: fifteen rows more for
 * every quarter hour would cost more than the few who ask by the hour save.
 */
const levels: readonly { keeps: readonly SeriesDimension[]; spans: readonly number[] }[] = [
  { keeps: [], spans },
  { keeps: dimensions, spans },
  ...dimensions.map((one) => ({ keeps: [one], spans })),
  ...dimensions.flatMap((one, index) =>
    dimensions.slice(index + 1).map((other) => ({ keeps: [one, other], spans: [dayMs] })),
  ),
]

/** The series of counts. Level and span are one number, so that the planner of PostgreSQL knows how many rows each has. */
export const countSeries: readonly Series[] = levels.flatMap(({ keeps, spans: kept }, level) =>
  kept.map((spanMs) => ({ series: level * 10 + spans.indexOf(spanMs), spanMs, keeps })),
)

/**
 * Failures by error code: a series beside each one of counts, with this much added to its number. Counts tell no codes
 * apart, so that an account in which everything fails for ten reasons has no more rows to add up than any other.
 */
export const failuresBeside = 500

// Latencies and prices are read once for a whole range and for filters alone: without the short cuts between two days, and
// without what nobody can filter by.
const neverFiltered: readonly string[] = ['category', 'country']

/** Those of latencies and prices. */
export const valueSeries: readonly Series[] = countSeries.filter(({ spanMs, keeps: [first = '', ...more], keeps }) => {
  const isFilter = more.length === 0 && !neverFiltered.includes(first)
  return spanMs !== sixHoursMs && (keeps === dimensions || isFilter)
})

/** The series with the fewest rows that still tells these dimensions apart. */
export function seriesFor(from: readonly Series[], names: Iterable<string>, spanMs: number): number {
  const needed = dimensions.filter((name) => new Set(names).has(name))
  const fitting = from.filter(
    (candidate) => candidate.spanMs === spanMs && needed.every((name) => candidate.keeps.includes(name)),
  )
  const [best] = fitting.sort((a, b) => a.keeps.length - b.keeps.length)
  if (!best) throw new Error(`There are no roll-ups of ${spanMs} ms.`)
  return best.series
}
