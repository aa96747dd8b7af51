import type { CompiledQuery, RawBuilder } from 'kysely'
import { kysely, listCompiler } from '../engine/cursor.ts'
import type { Engine } from '../engine/dialect.ts'
import { countSeries, failuresBeside, type SeriesDimension, seriesFor, valueSeries } from './rollups-series.ts'

export const counterNames = ['created', 'sent', 'delivered', 'read', 'failed', 'received', 'replies', 'taps'] as const
export type Counter = (typeof counterNames)[number]
export type Dimension = SeriesDimension | 'direction'
/** `error_code` tells the failed ones apart; everything else has none. */
export type Grouping = SeriesDimension | 'error_code'

/**
 * Rows that begin at a time, of one span. `slot` says what they are added up for; `sign` how they count there; `net` how
 * they count in the sum over the whole range.
 */
export type RollupRange = { spanMs: number; start: number; slot: number; sign: 1 | -1; net: 1 | 0 | -1 }

export type RollupFilters = { accountId: string; filters: readonly (readonly [Dimension, string])[] }
export type RollupRequest = RollupFilters & { ranges: readonly RollupRange[] }

export type SlotRow = { slot: number } & Record<Counter, number>
/** `rank` counts groups from 1, the largest first; what lies beyond the limit has one rank more, what is empty 0. */
export type GroupRow = SlotRow & { rank: number } & Partial<Record<Grouping, string>>

/** The counts of each slot. */
export function slotsQuery(engine: Engine, request: RollupRequest): CompiledQuery<SlotRow> {
  const { sql } = kysely()
  return compile(
    engine,
    sql`with ${rangesOf(engine, countedIn(request, []), request)}
      select p.slot, ${signedCounters()} from ${placed('message_rollups', request)} group by p.slot`,
  )
}

/**
 * The counts of each slot by group: one pass over the rows, which also says which groups are the largest. Everything is
 * of one moment, so that groups add up to the whole.
 */
export function groupsQuery(
  engine: Engine,
  request: RollupRequest & { groupBy: readonly Grouping[]; groupsMax: number },
): CompiledQuery<GroupRow> {
  const { sql } = kysely()
  const { groupBy, groupsMax } = request
  const names = sql.join(groupBy.map((name) => sql.ref(name)))
  // Beside the codes, those who failed must not count again as those who did not.
  const failed = groupBy.includes('error_code') ? sql`case when error_code = '' then 0 else failed end` : sql`failed`
  const same = sql.join(
    groupBy.map((name) => sql`k.${sql.ref(name)} = c.${sql.ref(name)}`),
    sql` and `,
  )
  return compile(
    engine,
    sql`with ${rangesOf(engine, groupedIn(request, groupBy), request)},
      cells as materialized (
        select ${names}, p.slot, sum(p.net * (created + sent + received + ${failed})) as weight, ${signedCounters(failed)}
        from ${placed('message_rollups', request)} group by ${names}, p.slot),
      ranked as materialized (
        select ${names}, row_number() over (order by sum(weight) desc, ${names}) as rank
        from cells group by ${names} having sum(weight) > 0)
      select case when k.rank > ${number(groupsMax)} then ${number(groupsMax + 1)} else coalesce(k.rank, 0) end as rank,
        c.slot, ${sql.join(groupBy.map((name) => sql`min(c.${sql.ref(name)}) as ${sql.ref(name)}`))},
        ${sql.join(counterNames.map((name) => sql`sum(c.${sql.ref(name)}) as ${sql.ref(name)}`))}
      from cells c left join ranked k on ${same} group by 1, c.slot`,
  )
}

export type FailureRow = { error_code: string; failed: number }

export function failuresQuery(engine: Engine, request: RollupRequest): CompiledQuery<FailureRow> {
  const { sql } = kysely()
  return compile(
    engine,
    sql`with ${rangesOf(engine, failedIn(request, []), request)}
      select error_code, sum(p.net * failed) as failed from ${placed('message_rollups', request)} group by error_code`,
  )
}

export type ValueRow = { kind: 'latency' | 'pricing'; value: string; n: number }

export function valuesQuery(engine: Engine, request: RollupRequest): CompiledQuery<ValueRow> {
  const { sql } = kysely()
  return compile(
    engine,
    sql`with ${rangesOf(engine, chosen(valueSeries, request, []), request)}
      select kind, value, sum(p.net * n) as n from ${placed('rollup_values', request)} group by kind, value`,
  )
}

function compile<Row>(engine: Engine, statement: RawBuilder<unknown>): CompiledQuery<Row> {
  return statement.compile(listCompiler(engine)) as CompiledQuery<Row>
}

// A range travels as one number, because one list of numbers is what both engines read fast: quarter hour, series,
// slot, sign and net, of which the last four stay below these.
const seriesMax = 1_000
const slotsMax = 2_000
const quarterMs = 900_000

function packed(range: RollupRange, series: number): number {
  const { start, slot, sign, net } = range
  return (((start / quarterMs) * seriesMax + series) * slotsMax + slot) * 9 + (sign + 1) * 3 + net + 1
}

/** In which series the rows of a span are found. */
type Choice = (spanMs: number) => number[]

function chosen(from: typeof countSeries, { filters }: RollupFilters, groupBy: readonly Grouping[]): Choice {
  const names = [...filters.map(([name]) => name), ...groupBy]
  const known = new Map<number, number[]>()
  return (spanMs) => {
    const series = known.get(spanMs) ?? [seriesFor(from, names, spanMs)]
    known.set(spanMs, series)
    return series
  }
}

function countedIn(request: RollupFilters, groupBy: readonly Grouping[]): Choice {
  return chosen(countSeries, request, groupBy)
}

function failedIn(request: RollupFilters, groupBy: readonly Grouping[]): Choice {
  const counted = countedIn(request, groupBy)
  return (spanMs) => counted(spanMs).map((series) => series + failuresBeside)
}

function groupedIn(request: RollupFilters, groupBy: readonly Grouping[]): Choice {
  const counted = countedIn(request, groupBy)
  if (!groupBy.includes('error_code')) return counted
  const failed = failedIn(request, groupBy)
  return (spanMs) => [...counted(spanMs), ...failed(spanMs)]
}

/** The relation `ranges`. */
function rangesOf(engine: Engine, seriesOf: Choice, { ranges }: RollupRequest): RawBuilder<unknown> {
  const { sql } = kysely()
  const list = ranges.flatMap((range) => seriesOf(range.spanMs).map((series) => packed(range, series)))
  const values: Record<Engine, RawBuilder<unknown>> = {
    sqlite: sql`json_each(${list})`,
    postgres: sql`unnest(${list}::bigint[]) as list(value)`,
  }
  return sql`ranges as materialized (
      select value / ${number(9 * slotsMax * seriesMax)} * ${number(quarterMs)} as start,
        value / ${number(9 * slotsMax)} % ${number(seriesMax)} as series, value / 9 % ${number(slotsMax)} as slot,
        value / 3 % 3 - 1 as sign, value % 3 - 1 as net
      from ${values[engine]})`
}

/** `cross join` makes SQLite go from ranges to rows: a few searches instead of a walk over the account. */
function placed(
  table: 'message_rollups' | 'rollup_values',
  { accountId, filters }: RollupFilters,
): RawBuilder<unknown> {
  const { sql } = kysely()
  const kept = filters.map(([name, value]) => sql` and ${isValue(name, value)}`)
  return sql`ranges p cross join ${sql.table(table)} r
    where r.account_id = ${accountId} and r.series = p.series and r.start = p.start${sql.join(kept, sql``)}`
}

/**
 * Compared as an expression on purpose: as a condition on a later column of the key, PostgreSQL takes the scan of a short
 * range for a search in thousands of ranges, and reads the whole table instead (1 ms became 300).
 */
function isValue(name: Dimension, value: string): RawBuilder<boolean> {
  const { sql } = kysely()
  return sql<boolean>`(${sql.ref(name)} || '') = ${value}`
}

function signedCounters(failed?: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sql } = kysely()
  const counted = (name: Counter) => (name === 'failed' && failed ? failed : sql.ref(name))
  return sql.join(counterNames.map((name) => sql`sum(p.sign * ${counted(name)}) as ${sql.ref(name)}`))
}

/** In the text: as parameters SQLite would bind them as reals and divide with a rest. */
function number(value: number): RawBuilder<number> {
  return kysely().sql.raw(String(value))
}
