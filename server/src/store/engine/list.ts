import type { CompiledQuery, RawBuilder } from 'kysely'
import { kysely, listCompiler, type Position } from './cursor.ts'
import type { Engine } from './dialect.ts'
import type { Store } from './store.ts'

/**
 * A list as its pages are read: along one index, in its order. Whatever the filters are, a page reads at most `entriesMax`
 * entries of that index, and says where it stopped.
 */
export type Listing<Row> = {
  /** Called `r` in every part. */
  table: string
  /** The columns read of a row. */
  columns: string
  joins?: string
  /** Tells rows apart. */
  key: readonly string[]
  /** The columns of the index before those of the order, with their values. */
  fixed: Readonly<Record<string, string>>
  /** The order: the other columns of the index. */
  along: readonly (keyof Row & string)[]
  order: 'asc' | 'desc'
  /** Bounds of the first column of the order. */
  since?: number | undefined
  until?: number | undefined
  /** The condition of a partial index, as the schema has it. */
  only?: string | undefined
  /** The column with the time of a row; null where the order has nothing to do with time. */
  time: (keyof Row & string) | null
  /** Everything else; each entry is looked at. */
  filters: readonly Condition[]
}

export type Condition = RawBuilder<unknown>
export type Stretch = { after: Position | null; count: number }

/** Rows of a stretch; `edge` is the last one that was looked at, where the search ended before there were enough. */
export type Found<Row> = { rows: Row[]; edge: Row | null }

/** Some 20 ms of work on either engine. */
export const entriesMax = 20_000

export async function readList<Row>(
  store: Pick<Store, 'engine' | 'list'>,
  accountId: string,
  listing: Listing<Row>,
  stretch: Stretch,
): Promise<Found<Row>> {
  const [found] = await readLists(store, accountId, [[listing, stretch]])
  return found ?? { rows: [], edge: null }
}

/** Of several lists in one statement: who moves from one to another while it runs is in one of them. */
export async function readLists<Row>(
  store: Pick<Store, 'engine' | 'list'>,
  accountId: string,
  lists: readonly (readonly [Listing<Row>, Stretch])[],
): Promise<Found<Row>[]> {
  const read = await store.list(listsQuery(store.engine, lists), accountId)
  return lists.map((_, index) => {
    const own = read.filter(({ list_index }) => list_index === index)
    return { rows: own.filter(({ is_edge }) => is_edge === 0), edge: own.find(({ is_edge }) => is_edge === 1) ?? null }
  })
}

type Place = { list_index: number; is_edge: number }

export function listsQuery<Row>(engine: Engine, lists: readonly (readonly [Listing<Row>, Stretch])[]) {
  const { sql } = kysely()
  const [only, ...others] = lists.map(([listing, stretch], index) => pageOf(engine, listing, stretch, index))
  if (!only) throw new Error('There is no list to read.')
  const parts = [only, ...others].map((part, index) => sql`select * from (${part}) as ${sql.raw(`part_${index}`)}`)
  const query = others.length === 0 ? only : sql.join(parts, sql` union all `)
  return sql`${query}`.compile(listCompiler(engine)) as CompiledQuery<Row & Place>
}

/**
 * One statement, so that a row that is deleted meanwhile moves no edge. Filters stand as a column of the walk and not as its
 * conditions: there the planner could choose another index, and read all of it.
 */
function pageOf<Row>(
  engine: Engine,
  listing: Listing<Row>,
  { after, count }: Stretch,
  index: number,
): RawBuilder<unknown> {
  const { sql } = kysely()
  const { table, columns, joins = '', key, fixed, along, order, filters } = listing
  const path = [...Object.keys(fixed), ...along]
  const of = (alias: string, names: readonly string[]) => sql.raw(names.map((name) => `${alias}.${name}`).join(', '))
  const sorted = (alias: string) => sql.raw(path.map((name) => `${alias}.${name} ${order}`).join(', '))
  const source = sql.raw(`${table} r`)
  const entries = sql`${entriesOf(engine, listing, after)} order by ${sorted('r')}`
  const rows = sql.raw(`select ${columns}, ${index} as list_index`)
  if (filters.length === 0) return sql`${rows}, 0 as is_edge from ${source} ${sql.raw(joins)} ${entries} limit ${count}`
  const names = [...new Set([...key, ...path])]
  const same = sql.raw(key.map((name) => `r.${name} = found.${name}`).join(' and '))
  const most = sql.raw(String(entriesMax))
  // PostgreSQL can't foresee a limit that is selected, and takes a tenth for granted: expecting all of them, it would rather
  // read and sort a table of middle size, and join it as a whole with the few rows that were found.
  return sql`with
    hits as materialized (
      select ${of('walk', names)} from (
        select ${of('r', names)}, (${sql.join([...filters], sql` and `)}) as fits from ${source} ${entries} limit (select ${most})) walk
      where walk.fits order by ${sorted('walk')} limit ${count}),
    found as (
      select ${of('hits', names)}, 0 as is_edge from hits
      union all select * from (
        select ${of('last', names)}, 1 from (
          select ${of('r', names)} from ${source} ${entries}
          limit (case when (select count(*) from hits) < ${count} then 1 else 0 end) offset (select ${most} - 1)) last
        limit 1) edge)
    ${rows}, found.is_edge from (select * from found limit (select ${most})) found join ${source} on ${same} ${sql.raw(joins)} order by ${sorted('r')}`
}

/**
 * The entries of a walk. PostgreSQL gets the bounds as whole entries of the index: with a column that is equal to
 * a value it would choose any index in the order of the others, and pass by the rows of all other accounts.
 */
function entriesOf<Row>(engine: Engine, listing: Listing<Row>, after: Position | null): RawBuilder<unknown> {
  const { sql } = kysely()
  const { fixed, along, order, since, until, only } = listing
  const [time = ''] = along
  const names = Object.keys(fixed)
  const bound = (columns: readonly string[], sign: string, values: readonly (string | number)[]) => {
    const left = engine === 'postgres' ? [...names, ...columns] : columns
    const right = engine === 'postgres' ? [...Object.values(fixed), ...values] : values
    return sql`(${sql.raw(left.map((name) => `r.${name}`).join(', '))}) ${sql.raw(sign)} (${sql.join([...right])})`
  }
  const equal = Object.entries(fixed).map(([name, value]) => sql`${sql.raw(`r.${name}`)} = ${value}`)
  const whole = [bound([], '>=', []), bound([], '<=', [])]
  const conditions = [
    ...(engine === 'postgres' ? whole : equal),
    ...(only === undefined ? [] : [sql.raw(only)]),
    ...(since === undefined ? [] : [bound([time], '>=', [since])]),
    ...(until === undefined ? [] : [bound([time], '<', [until])]),
    ...(after === null ? [] : [bound(along, order === 'asc' ? '>' : '<', after)]),
  ]
  return sql`where ${sql.join(conditions, sql` and `)}`
}
