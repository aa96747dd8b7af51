import type { Database } from './database.ts'
import type { ColumnType, Operation, Query, Shape } from './operation.ts'

export type Engine = Database['kind']

/**
 * The only place where the two engines differ in language. Statements are written once, over the relation `rows`, with
 * a few tokens:
 *
 *   {key}          column type of ids: sorted bytewise on both engines
 *   {serial}       a counting primary key
 *   {counter}      the same of a table in days, whose key on PostgreSQL is its id
 *   {skip_locked}  row locks that do not wait; SQLite has one writer and needs none
 *   {max}, {min}   the larger and the smaller of two values
 *   {tx}           number of the running transaction, for reading events in commit order
 *   {settled}      every number below it belongs to a finished transaction
 *   {unused_tx}    no transaction has had this number or a higher one
 *   {timeline}     another text after a standby took over; the same for ever where there is none
 *   {database_bytes} what the database takes on its disk
 *   {table_bytes}  a sub-select with the bytes of each table, its indexes and partitions included
 *   {last_archived} when the log was last archived; null where there is no archive
 *   {list:name}    the values of a text[] parameter, as a sub-select with one column, `value`
 *   {numbers:name} a query for the numbers in an input column that holds a JSON array of them
 *   {in:name}      among what a common table expression selects; PostgreSQL looks each of them up, where for a sub-select
 *                  whose size it cannot tell it would read the whole table
 *   {rows_in_key}  of a table with short rows, which SQLite then keeps in the index of their key
 *   {days:id}      of a table, in partitions by the day of an id where an engine has them: see day-tables.ts
 *   {row:a, b}     the key of a row, for `({row:a, b}) {in:name}`; not of a table in days. On PostgreSQL it is the place of the
 *                  row: there is no array of keys with several columns, and a place is found without an index
 */
type Dialect = {
  readonly tokens: Readonly<Record<string, string>>
  readonly list: (name: string) => string
  readonly in: (name: string) => string
  readonly row: (columns: string) => string
  readonly numbers: (column: string) => string
  readonly days: (column: string) => string
  /** The nth parameter of a statement; `type` is that of its column. */
  readonly parameter: (n: number, type: ColumnType | 'text[]') => string
}

const dialects: Readonly<Record<Engine, Dialect>> = {
  sqlite: {
    tokens: {
      key: 'text',
      serial: 'integer primary key autoincrement',
      counter: 'integer primary key autoincrement',
      rows_in_key: 'without rowid',
      skip_locked: '',
      max: 'max',
      min: 'min',
      tx: '0',
      settled: '1',
      unused_tx: '1',
      timeline: "''",
      database_bytes: '(select page_count * page_size from pragma_page_count(), pragma_page_size())',
      table_bytes: `(select m.tbl_name as name, sum(s.pgsize) as bytes from dbstat s join sqlite_master m on m.name = s.name
        group by m.tbl_name)`,
      last_archived: 'null',
    },
    list: (name) => `(select value from json_each(:${name}))`,
    in: (name) => `in (select * from ${name})`,
    row: (columns) => columns,
    numbers: (column) => `select value from json_each((select ${column} from rows))`,
    days: () => '',
    parameter: (n) => `?${n}`,
  },
  postgres: {
    tokens: {
      key: 'text collate "C"',
      serial: 'bigint generated always as identity primary key',
      counter: 'bigserial',
      rows_in_key: '',
      skip_locked: 'for update skip locked',
      max: 'greatest',
      min: 'least',
      tx: 'pg_current_xact_id()::text::bigint',
      settled: 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
      unused_tx: 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint',
      timeline: 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)',
      database_bytes: 'pg_database_size(current_database())',
      table_bytes: `(select coalesce(p.relname, c.relname)::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes
        from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace group by 1)`,
      last_archived: '(select (extract(epoch from last_archived_time) * 1000)::bigint from pg_stat_archiver)',
    },
    list: (name) => `(select unnest(:${name}::text[]) as value)`,
    in: (name) => `= any (array(select * from ${name}))`,
    row: () => 'ctid',
    numbers: (column) => `select value::bigint from json_array_elements_text((select ${column} from rows)::json)`,
    days: (column) => `partition by range (${column})`,
    parameter: (n, type) => `$${n}::${castType(type)}`,
  },
}

export function translate(engine: Engine, sql: string): string {
  const dialect = dialects[engine]
  return sql
    .replace(/\{list:([a-z_]+)\}/g, (_, name: string) => dialect.list(name))
    .replace(/\{in:([a-z_]+)\}/g, (_, name: string) => dialect.in(name))
    .replace(/\{row:([a-z_, ]+)\}/g, (_, columns: string) => dialect.row(columns))
    .replace(/\{numbers:([a-z_]+)\}/g, (_, name: string) => dialect.numbers(name))
    .replace(/\{days:([a-z_]+)\}/g, (_, name: string) => dialect.days(name))
    .replace(/\{([a-z_]+)\}/g, (whole, name: string) => dialect.tokens[name] ?? unknownToken(whole))
}

function unknownToken(token: string): never {
  throw new Error(`Unknown token ${token} in a statement.`)
}

/** A statement as an engine takes it: positional parameters, in the order of `parameters`. */
export type Statement = {
  readonly text: string
  readonly parameters: readonly string[]
  readonly columns: readonly string[]
}

/** SQLite runs an operation row by row; without input columns there is still one row to run for. */
export function sqliteOperation(operation: Operation): Statement {
  const parameters = Object.keys(operation.input)
  const rows =
    parameters.length > 0
      ? `rows(${parameters.join(', ')}) as (values (${parameters.map(() => '?').join(', ')}))`
      : 'rows(one) as (values (1))'
  const text = translate('sqlite', `with ${withCtes(rows, operation)} ${operation.sql}`)
  return { text, parameters, columns: Object.keys(operation.returns) }
}

/**
 * PostgreSQL runs an operation once for all rows of a batch; `n`, the last parameter, counts them from 1 and leads each
 * result back to its input row. The arrays are unnested among the columns that are selected: side by side in a `from` each
 * of them is read into a store of its own first, which for a message of 34 columns was most of the work of its insert. A lone
 * row comes as values: PostgreSQL starts a function for each array in every call, and plans for ten rows.
 */
export function postgresOperation(operation: Operation, form: 'arrays' | 'values' = 'arrays'): Statement {
  const isLone = form === 'values'
  const columns = Object.keys(operation.returns)
  const parameters = [...Object.keys(operation.input), ...(isLone ? [] : ['n'])]
  const selected = parameters.map((column, index) => {
    const type = operation.input[column] ?? 'int'
    const place = isLone ? dialects.postgres.parameter(index + 1, type) : `unnest($${index + 1}::${arrayType(type)})`
    return `${place} as ${column}`
  })
  if (isLone) selected.push('1::bigint as n')
  const ctes = withCtes(`rows as (select ${selected.join(', ')})`, operation)
  return { text: translate('postgres', wrapResults(operation, `with ${ctes}`, columns)), parameters, columns }
}

function withCtes(rows: string, { ctes }: Operation): string {
  return ctes ? `${rows}, ${ctes}` : rows
}

/**
 * A required operation gives its condition to the database: input rows without a result abort the transaction there, so
 * that its commit need not wait until the process has looked at the results.
 */
function wrapResults(operation: Operation, withClause: string, returned: string[]): string {
  if (returned.length === 0 || operation.alone) return `${withClause} ${operation.sql}`
  const same = operation.key.map((column) => `done.${column} = rows.${column}`).join(' and ')
  const selected = returned.map((column) => `done.${column}`).join(', ')
  const found = `${withClause}, done as (${operation.sql}) select rows.n, ${selected}`
  if (!operation.required) return `${found} from done join rows on ${same} order by rows.n`
  const unmet = `postern_unmet(array_agg(rows.n) filter (where done.${certainOf(operation)} is null) over ())`
  return `${found}, ${unmet} as unmet from rows left join done on ${same} order by rows.n`
}

/** A key column that every result has. */
function certainOf({ key, input }: Operation): string | undefined {
  return key.find((column) => !input[column]?.endsWith('?')) ?? key[0]
}

const arrayTypes: Record<string, string> = {
  text: 'text[]',
  int: 'bigint[]',
  real: 'double precision[]',
  blob: 'bytea[]',
}

function arrayType(type: ColumnType): string {
  return arrayTypes[type.replace('?', '')] ?? unknownToken(type)
}

/** Compiles each declared query once per store. */
export function createQueryCompiler(engine: Engine): (query: Query<Shape, Shape>) => Statement {
  const known = new Map<object, Statement>()
  return (query) => {
    const statement = known.get(query)
    if (statement) return statement
    const compiled = compileQuery(engine, query)
    known.set(query, compiled)
    return compiled
  }
}

/** Named parameters (`:name`) become positional ones; a name used twice is sent once. */
export function compileQuery(engine: Engine, query: Pick<Query, 'sql' | 'params' | 'returns'>): Statement {
  const parameters: string[] = []
  const text = translate(engine, query.sql).replace(/(?<![:\w]):([a-z_]+)/g, (_, name: string) => {
    const type = query.params[name]
    if (type === undefined) throw new Error(`Unknown parameter :${name}.`)
    if (!parameters.includes(name)) parameters.push(name)
    return dialects[engine].parameter(parameters.indexOf(name) + 1, type)
  })
  return { text, parameters, columns: Object.keys(query.returns) }
}

const castTypes: Record<string, string> = {
  text: 'text',
  int: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  'text[]': 'text[]',
}

function castType(type: string): string {
  return castTypes[type.replace('?', '')] ?? 'text'
}
