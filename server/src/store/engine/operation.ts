/**
 * The vocabulary of the store. A write is data: a unit is a list of calls, each naming an operation that was declared
 * once with its statement, its input columns and its result columns. Because units are data, the writer can put many of
 * them into one transaction and merge equal operations into one statement.
 */
export type ColumnType = 'text' | 'text?' | 'int' | 'int?' | 'real' | 'real?' | 'blob' | 'blob?' | 'text[]'
export type Shape = Readonly<Record<string, ColumnType>>
export type Value = string | number | Uint8Array | null | readonly string[]

type Plain = { text: string; int: number; real: number; blob: Uint8Array }
type ValueOf<T extends ColumnType> = T extends 'text[]'
  ? readonly string[]
  : T extends `${infer Base extends keyof Plain}?`
    ? Plain[Base] | null
    : T extends keyof Plain
      ? Plain[T]
      : never

/** Rows keep the names of their columns: what is read is what was stored, and what the API shows is snake_case too. */
export type RowOf<S extends Shape> = { [K in keyof S]: ValueOf<S[K]> }

export type Operation<In extends Shape = Shape, Out extends Shape = Shape> = {
  readonly name: string
  readonly input: In
  readonly returns: Out
  /** Input columns that tell result rows apart; two rows with one key never share a statement. Also in `returns`. */
  readonly key: readonly string[]
  /** Common table expressions, after `rows`. Those that change something belong to PostgreSQL and to operations that stand alone. */
  readonly ctes: string
  /** One statement over the relation `rows`, which holds the input. `{tokens}` differ by engine, see dialect.ts. */
  readonly sql: string
  /** Every input row must give a result row, or the whole unit is undone and fails with ConditionFailed. */
  readonly required: boolean
  /** Required, changes nothing, and nobody looks at what it returns: SQLite runs it once for equal rows of a batch. */
  readonly onlyChecks: boolean
  readonly together?: Together<In, Out> | undefined
  /** Never merged with other calls; may return any number of rows. */
  readonly alone: boolean
  /**
   * The topic whose listeners are woken when this has been committed and changed something. Whose data it was is told by
   * `account_id`, among what goes in or what comes out; without that column it could be anybody's.
   */
  readonly wakes: Topic | null
}

/**
 * What units of one batch ask for under one key is asked for once: `add` makes one row of two, and when its condition does
 * not hold all of them fail; with `orEach`, only those for which it does not hold without the others. `share` is what the unit
 * at `place` of `count` is told of the result; without it, all of it. PostgreSQL only: SQLite runs every row by itself.
 */
type Together<In extends Shape, Out extends Shape> = {
  add(row: RowOf<In>, other: RowOf<In>): RowOf<In>
  readonly orEach?: true
  share?(result: RowOf<Out>, place: number, count: number): RowOf<Out>
}

/**
 * Things others wait for. Nobody works on `attempts`, `audit` and `channels` (these with their numbers and templates): they
 * are for people who look on.
 */
export type Topic =
  | 'jobs'
  | 'waiting'
  | 'events'
  | 'deliveries'
  | 'callbacks'
  | 'messages'
  | 'attempts'
  | 'audit'
  | 'channels'

type OperationParts<In extends Shape, Out extends Shape> = {
  name: string
  input: In
  sql: string
  returns?: Out
  key?: readonly (keyof In & string)[]
  ctes?: string
  required?: boolean
  onlyChecks?: boolean
  together?: Together<NoInfer<In>, NoInfer<Out>> | undefined
  alone?: boolean
  wakes?: Topic
}

export function operation<const In extends Shape, const Out extends Shape = Record<never, never>>(
  parts: OperationParts<In, Out>,
): Operation<In, Out> {
  const returns = (parts.returns ?? {}) as Out
  const required = parts.required ?? false
  const onlyChecks = parts.onlyChecks ?? false
  const alone = parts.alone ?? false
  const key = parts.key ?? []
  const returnsRows = Object.keys(returns).length > 0
  if (required && alone) throw new Error(`${parts.name}: an operation that stands alone cannot be required.`)
  if (onlyChecks && !required) throw new Error(`${parts.name}: a check that nothing depends on.`)
  if (required && !returnsRows) throw new Error(`${parts.name}: a required operation must return rows.`)
  if (returnsRows && !alone && key.some((column) => !(column in returns))) {
    throw new Error(`${parts.name}: its key must be among its result columns.`)
  }
  if (returnsRows && !alone && key.length === 0) throw new Error(`${parts.name}: results need a key to find their row.`)
  return {
    name: parts.name,
    input: parts.input,
    returns,
    key,
    ctes: parts.ctes ?? '',
    sql: parts.sql.trim(),
    required,
    onlyChecks,
    together: parts.together,
    alone,
    wakes: parts.wakes ?? null,
  }
}

export type Query<Params extends Shape = Shape, Out extends Shape = Shape> = {
  readonly name: string
  readonly params: Params
  readonly returns: Out
  readonly sql: string
  /** A `point` read finds a handful of rows by index, in microseconds; a `list` may take longer and runs elsewhere. */
  readonly lane: 'point' | 'list'
}

export function query<const Params extends Shape, const Out extends Shape>(parts: {
  name: string
  params: Params
  returns: Out
  sql: string
  lane?: 'point' | 'list'
}): Query<Params, Out> {
  return { ...parts, sql: parts.sql.trim(), lane: parts.lane ?? 'point' }
}

/**
 * Makes rows with these columns. An object that is filled name by name becomes a hash table at its thirteenth name, and a
 * copy of it, as in `{ ...row, status }`, takes 7 us instead of 0.2. What `JSON.parse` makes stays an object with a
 * shape, and so do its copies.
 */
export function createRowMaker(columns: readonly string[]): (values: readonly Value[]) => Record<string, Value> {
  const blank = blankRow(columns)
  return (values) => {
    const row: Record<string, Value> = { ...blank }
    for (const [index, column] of columns.entries()) row[column] = values[index] ?? null
    return row
  }
}

/** One with every column, all of them null. */
export function blankRow<Column extends string>(columns: readonly Column[]): Record<Column, null> {
  return JSON.parse(`{${columns.map((column) => `${JSON.stringify(column)}:null`).join(',')}}`)
}
