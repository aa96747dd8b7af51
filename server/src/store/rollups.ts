import type { CompiledQuery, RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Engine } from './dialect.ts'
import { kysely, listCompiler } from './list-query.ts'
import { query } from './operation.ts'

export const counterNames = ['created', 'sent', 'delivered', 'read', 'failed', 'received'] as const
export type Counter = (typeof counterNames)[number]
export type Dimension = 'direction' | 'type' | 'template' | 'category' | 'country' | 'phone_number' | 'api_key'
/** `error_code` tells the failed ones apart; everything else has none. */
export type Grouping = Exclude<Dimension, 'direction'> | 'error_code'

/** Rows of one size between two times; `start` inclusive, `end` exclusive, both whole multiples of the size. */
export type Stretch = { spanMs: number; start: number; end: number }
/** How rows become cells of a series: rows whose local time shares a step are one. */
export type Cell = { offsetMs: number; stepMs: number }

export type RollupFilters = { accountId: string; filters: readonly (readonly [Dimension, string])[] }
type Place = { account_id: string; series: number; start: number } & Record<Dimension, string>
type Tables = {
  message_rollups: Place & { error_code: string } & Record<Counter, number>
  rollup_values: Place & { kind: string; value: string; n: number }
}

export type SeriesRow = { at: number } & Record<Counter, number> & Partial<Record<Grouping, string>>
export type SeriesRequest = RollupFilters & {
  parts: readonly (Stretch & Cell)[]
  groupBy: readonly Grouping[]
  /** Only these groups, each with one value per grouping; null for all. */
  groups: readonly (readonly string[])[] | null
}

/** The cells of a series; one cell may come in several rows. */
export function seriesQuery(engine: Engine, request: SeriesRequest): CompiledQuery<SeriesRow> {
  const { parts, groupBy, groups } = request
  const { sql } = kysely()
  const level = levelFor(request.filters, groupBy)
  return unionOf(parts, ({ offsetMs, stepMs, ...stretch }) => {
    let part = inStretch(listCompiler<Tables>(engine).selectFrom('message_rollups'), request, stretch, level)
      .select((eb) => eb.fn.min<number>('start').as('at'))
      .select((eb) => counterNames.map((name) => eb.fn.sum<number>(name).as(name)))
      .select(groupBy)
      .groupBy(sql`(start + ${sql.raw(String(offsetMs))}) / ${sql.raw(String(stepMs))}`)
      .groupBy(groupBy)
    if (groups) part = part.where(anyOf(groups.map((values) => allOf(groupBy, values))))
    return part
  }) as unknown as CompiledQuery<SeriesRow>
}

export type GroupRow = Partial<Record<Grouping, string>>

/** The groups with the most messages first. */
export function groupsQuery(
  engine: Engine,
  request: RollupFilters & { parts: readonly Stretch[]; groupBy: readonly Grouping[]; count: number },
): CompiledQuery<GroupRow> {
  const { parts, groupBy, count } = request
  const { sql } = kysely()
  const db = listCompiler<Tables>(engine)
  const level = levelFor(request.filters, groupBy)
  const weight = sql<number>`sum(sent + received + failed + created)`
  const counted = parts.map((stretch) =>
    inStretch(db.selectFrom('message_rollups'), request, stretch, level)
      .select(groupBy)
      .select(weight.as('weight'))
      .groupBy(groupBy),
  )
  const [first, ...rest] = counted
  if (!first) throw new Error('A range has at least one part.')
  const all = rest.reduce((union, part) => union.unionAll(part) as typeof union, first)
  return db
    .selectFrom(all.as('counted'))
    .select(groupBy as never)
    .groupBy(groupBy as never)
    .orderBy(sql`sum(weight)`, 'desc')
    .$call((query) => groupBy.reduce((ordered, name) => ordered.orderBy(sql.ref(name)), query))
    .limit(count)
    .compile() as unknown as CompiledQuery<GroupRow>
}

export type FailureRow = { error_code: string; failed: number }

export function failuresQuery(
  engine: Engine,
  request: RollupFilters & { parts: readonly Stretch[] },
): CompiledQuery<FailureRow> {
  return unionOf(request.parts, (stretch) =>
    inStretch(listCompiler<Tables>(engine).selectFrom('message_rollups'), request, stretch, levelFor(request.filters))
      .where('error_code', '<>', '')
      .select((eb) => ['error_code', eb.fn.sum<number>('failed').as('failed')])
      .groupBy('error_code'),
  ) as unknown as CompiledQuery<FailureRow>
}

export type ValueRow = { kind: 'latency' | 'pricing'; value: string; n: number }

export function valuesQuery(
  engine: Engine,
  request: RollupFilters & { parts: readonly Stretch[] },
): CompiledQuery<ValueRow> {
  return unionOf(request.parts, (stretch) =>
    inStretch(listCompiler<Tables>(engine).selectFrom('rollup_values'), request, stretch, levelFor(request.filters))
      .select((eb) => ['kind', 'value', eb.fn.sum<number>('n').as('n')])
      .groupBy(['kind', 'value']),
  ) as unknown as CompiledQuery<ValueRow>
}

/**
 * How far roll-ups are told apart: at level 0 not at all, at level 1 by every dimension, at the others by one. Most
 * questions name one dimension at most, and then read as many rows as it has values, not as there are kinds of message.
 */
export const levelOf = { type: 2, template: 3, category: 4, country: 5, phone_number: 6, api_key: 7 } as const

/** Quarter hour, hour, day. */
export const spanOf: Readonly<Record<number, number>> = { 900000: 0, 3600000: 1, 86400000: 2 }

export function seriesOf(level: number, spanMs: number): number {
  const span = spanOf[spanMs]
  if (span === undefined) throw new Error(`There are no roll-ups of ${spanMs} ms.`)
  return level * 10 + span
}

function levelFor(filters: RollupFilters['filters'], groupBy: readonly Grouping[] = []): number {
  // Direction and error code are told apart at every level.
  const named = [...filters.map(([name]) => name), ...groupBy].filter((name) => name in levelOf)
  const [first, ...rest] = named as (keyof typeof levelOf)[]
  if (!first) return 0
  return rest.every((name) => name === first) ? levelOf[first] : 1
}

function inStretch<Table extends keyof Tables, Out>(
  query: SelectQueryBuilder<Tables, Table, Out>,
  { accountId, filters }: RollupFilters,
  { spanMs, start, end }: Stretch,
  level: number,
): SelectQueryBuilder<Tables, Table, Out> {
  const { sql } = kysely()
  const placed = query
    .where(sql<boolean>`account_id = ${accountId} and series = ${seriesOf(level, spanMs)}`)
    .where(sql<boolean>`start >= ${start} and start < ${end}`)
  return filters.reduce((narrowed, [name, value]) => narrowed.where(isValue(name, value)), placed)
}

/**
 * Compared as an expression on purpose: as a condition on a later column of the key, PostgreSQL takes the scan of a short
 * range for a search in thousands of places, and reads the whole table instead (1 ms became 300).
 */
function isValue(name: Dimension | Grouping, value: string): RawBuilder<boolean> {
  const { sql } = kysely()
  return sql<boolean>`(${sql.ref(name)} || '') = ${value}`
}

function allOf(names: readonly Grouping[], values: readonly string[]): RawBuilder<boolean> {
  const { sql } = kysely()
  const conditions = names.map((name, index) => isValue(name, values[index] ?? ''))
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  const { sql } = kysely()
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

type Part = { unionAll(other: Part): Part; compile(): CompiledQuery<unknown> }

function unionOf<Stretches>(parts: readonly Stretches[], build: (part: Stretches) => unknown): CompiledQuery<unknown> {
  const [first, ...rest] = parts.map(build) as Part[]
  if (!first) throw new Error('A range has at least one part.')
  return rest.reduce((union, part) => union.unionAll(part), first).compile()
}

export const templateUsage = query({
  name: 'message_rollups.template_usage',
  params: { account_id: 'text', since: 'int', names: 'text[]' },
  returns: { template: 'text', sent: 'int', delivered: 'int', read: 'int', failed: 'int' },
  lane: 'list',
  sql: `select template, sum(sent) as sent, sum(delivered) as delivered, sum(read) as read, sum(failed) as failed
        from message_rollups
        where account_id = :account_id and series = ${seriesOf(levelOf.template, 86_400_000)} and start >= :since
          and template in {list:names}
        group by template`,
})
