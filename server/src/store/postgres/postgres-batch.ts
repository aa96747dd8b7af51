import type { PoolClient } from 'pg'
import { postgresOperation, type Statement } from '../engine/dialect.ts'
import type { UnitOutcome } from '../engine/group-commit.ts'
import { type MergedStatement, mergeCalls } from '../engine/merge-calls.ts'
import { blankRow, type ColumnType, type Operation, type Value } from '../engine/operation.ts'
import { ConditionFailed, StoreUnavailable } from '../engine/store-error.ts'
import type { Call, InputRow } from '../engine/unit.ts'
import { toArray, toPlaces } from './postgres-array.ts'
import { discardPlans, plansAreOld } from './postgres-connection.ts'
import { makeDayOf } from './postgres-days.ts'
import {
  isFromServer,
  isOfOlderSchema,
  isUnavailable,
  isWithoutDay,
  isWorthRepeating,
  toStoreError,
  unmetPositions,
} from './postgres-failure.ts'
import { PipelineError, type PipelineResult, type PipelineStatement, runPipeline } from './postgres-pipeline.ts'

type Units = readonly (readonly Call[])[]
type Unmet = { unmet: Map<number, string>; mayHoldForSome: boolean }
type Attempt = { rows: InputRow[][][]; idle: ReadonlySet<Operation> } | Unmet | { failed: Error }

const repeatsMax = 5
/** Different days that the rows of one batch may be of without any of them having a partition. */
const daysMax = 100

/**
 * One transaction for the whole batch, in one round trip: statements and commit leave in one packet, and a condition that
 * does not hold aborts the transaction in the database. When a statement fails, nobody knows which unit was to blame, so the
 * batch is undone and run again in halves until the culprit is alone; likewise where a condition may hold for some of those
 * that asked together.
 */
export async function runPostgresBatch(connect: () => Promise<PoolClient>, units: Units): Promise<UnitOutcome[]> {
  for (let repeat = 0; ; repeat++) {
    const attempt = await attemptBatch(connect, units)
    if ('rows' in attempt) return attempt.rows.map((rowsByCall) => ({ rowsByCall, idle: attempt.idle }))
    if ('unmet' in attempt) {
      if (!attempt.mayHoldForSome) return withoutUnmet(connect, units, attempt.unmet)
    } else {
      if (isWorthRepeating(attempt.failed) && repeat < repeatsMax) continue
      if (isWithoutDay(attempt.failed) && repeat < daysMax) {
        await makeDayOf(connect, attempt.failed)
        continue
      }
      if (units.length === 1) return [{ error: toStoreError(attempt.failed) }]
    }
    const middle = units.length >> 1
    const left = await runPart(connect, units.slice(0, middle))
    return [...left, ...(await runPart(connect, units.slice(middle)))]
  }
}

/** A part of a batch whose other part may be on disk already: a lost connection is the failure of these units alone. */
async function runPart(connect: () => Promise<PoolClient>, units: Units): Promise<UnitOutcome[]> {
  try {
    return await runPostgresBatch(connect, units)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return units.map(() => ({ error }))
  }
}

/** The units whose condition did not hold are known by name: they fail, the others run again without them. */
async function withoutUnmet(
  connect: () => Promise<PoolClient>,
  units: Units,
  unmet: Map<number, string>,
): Promise<UnitOutcome[]> {
  const others = units.filter((_, index) => !unmet.has(index))
  const rest = others.length > 0 ? await runPart(connect, others) : []
  return units.map((_, index) => {
    const operation = unmet.get(index)
    return operation === undefined ? (rest.shift() ?? lost()) : { error: new ConditionFailed(operation) }
  })
}

function lost(): UnitOutcome {
  return { error: new Error('The batch lost an outcome.') }
}

async function attemptBatch(connect: () => Promise<PoolClient>, units: Units): Promise<Attempt> {
  const statements = mergeCalls(units)
  const client = await connect().catch((error: unknown) => {
    throw new StoreUnavailable('not_stored', error)
  })
  const before = plansAreOld(client) ? [discardStatement] : []
  let broken: Error | undefined
  try {
    const results = await runPipeline(client, [...before, ...statements.map(toStatement)])
    const own = results.slice(before.length)
    return { rows: distribute(units, statements, own), idle: idleOf(statements, own) }
  } catch (error) {
    if (!(error instanceof PipelineError)) return { failed: asError(error) }
    const { cause } = error
    const at = error.at - before.length
    // An error before the commit undoes the transaction, whatever else was sent.
    const isUndone = isFromServer(cause) && at < statements.length
    if (isUnavailable(cause) || !('code' in cause)) {
      broken = new StoreUnavailable(isUndone ? 'not_stored' : 'unknown', cause)
      throw broken
    }
    if (isOfOlderSchema(cause)) broken = cause
    const positions = unmetPositions(cause)
    const statement = statements[at]
    return positions && statement ? findUnmet(statement, positions) : { failed: cause }
  } finally {
    client.release(broken)
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

const discardStatement: PipelineStatement = { name: null, text: discardPlans, values: [], described: false }

/** A kept plan is made for about ten rows; a statement with more has time for a plan of its own, and has no name. */
const rowsOfKeptPlanMax = 256

type Compiled = Record<'arrays' | 'values', Statement>
const compiled = new WeakMap<Operation, Compiled>()

function compiledOf(operation: Operation): Compiled {
  const known = compiled.get(operation)
  if (known) return known
  const both = { arrays: postgresOperation(operation, 'arrays'), values: postgresOperation(operation, 'values') }
  compiled.set(operation, both)
  return both
}

function toStatement({ operation, rows }: MergedStatement): PipelineStatement {
  const { arrays, values } = compiledOf(operation)
  const described = operation.alone && values.columns.length > 0
  const [row] = rows
  if (row && rows.length === 1) {
    const own = values.parameters.map((column) => toParameter(row[column] ?? null))
    return { name: operation.name, text: values.text, values: own, described }
  }
  const own = arrays.parameters.map((column) => (column === 'n' ? toPlaces(rows.length) : toArray(rows, column)))
  const name = rows.length > rowsOfKeptPlanMax ? null : `${operation.name}.many`
  return { name, text: arrays.text, values: own, described }
}

function toParameter(value: Value): string | Buffer | null {
  if (value === null || typeof value === 'string') return value
  return value instanceof Uint8Array ? Buffer.from(value) : String(value)
}

/** The units that the rows at these positions belong to, each with the operation whose condition did not hold. */
function findUnmet({ operation, origins }: MergedStatement, positions: Set<number>): Unmet {
  const refused = origins.filter((_, index) => positions.has(index + 1)).map((row) => row.map(({ unit }) => unit))
  const sharesRow = refused.some(([first, ...others]) => others.some((unit) => unit !== first))
  const unmet = new Map(refused.flat().map((unit) => [unit, operation.name]))
  return { unmet, mayHoldForSome: sharesRow && operation.together?.orEach === true }
}

/** Notifications without a change would wake others for nothing. */
function idleOf(statements: MergedStatement[], results: readonly PipelineResult[]): ReadonlySet<Operation> {
  const idle = new Set<Operation>()
  for (const { operation } of statements) {
    if (operation.wakes !== null && Object.keys(operation.returns).length === 0) idle.add(operation)
  }
  for (const [index, { operation }] of statements.entries()) if (results[index]?.count !== 0) idle.delete(operation)
  return idle
}

type Found = { readonly unit: number; readonly call: number; readonly at: number; readonly row: InputRow }

/** Most calls give no rows. */
const noRows: InputRow[] = []
Object.freeze(noRows)

/** Result rows go back to their calls, in the order of the input rows. */
function distribute(units: Units, statements: MergedStatement[], results: readonly PipelineResult[]): InputRow[][][] {
  const byUnit = units.map((calls) => calls.map(() => noRows))
  const add = ({ unit, call, row }: Found): void => {
    const rowsByCall = byUnit[unit]
    const rows = rowsByCall?.[call]
    if (rowsByCall && rows === noRows) rowsByCall[call] = [row]
    else rows?.push(row)
  }
  const inOrder: Found[] = []
  for (const [index, { operation, origins }] of statements.entries()) {
    const { columns: described, rows = [] } = results[index] ?? { columns: [] }
    if (rows.length === 0) continue
    const toRow = rowReaderOf(operation, described)
    for (const fields of rows) {
      const shared = operation.alone ? origins[0] : origins[Number(fields[0]) - 1]
      const row = toRow(fields)
      for (const [place, { unit, call, row: at }] of shared?.entries() ?? []) {
        const own = operation.together?.share?.(row, place, shared?.length ?? 1) ?? row
        const found = { unit, call, at, row: own }
        if (operation.alone || units[unit]?.[call]?.rows.length === 1) add(found)
        else inOrder.push(found)
      }
    }
  }
  for (const found of inOrder.sort((a, b) => a.at - b.at)) add(found)
  return byUnit
}

type Fields = readonly (string | null)[]
type RowReader = (fields: Fields) => InputRow

const rowReaders = new WeakMap<Operation, RowReader>()

function rowReaderOf(operation: Operation, described: readonly string[]): RowReader {
  const known = rowReaders.get(operation)
  if (known) return known
  // Of statements that are not described, the position of the input row comes first.
  const reader = rowReader(operation, operation.alone ? described : ['', ...Object.keys(operation.returns)])
  rowReaders.set(operation, reader)
  return reader
}

/** Reads the columns that the operation declares. Rows begin as copies of one, for the reason that `rowMaker` gives. */
function rowReader({ returns }: Operation, columns: readonly string[]): RowReader {
  const wanted = columns.flatMap((column, at) => {
    const type = returns[column]
    return type ? [{ column, at, type, isText: type.startsWith('text') }] : []
  })
  const blank: InputRow = blankRow(wanted.map(({ column }) => column))
  return (fields) => {
    const row = { ...blank }
    for (const { column, at, type, isText } of wanted) {
      const text = fields[at] ?? null
      row[column] = isText || text === null ? text : toValue(type, text)
    }
    return row
  }
}

/** Types that PostgreSQL returns as text; all our numbers are below 2^53. */
function toValue(type: ColumnType, text: string): Value {
  return type.startsWith('blob') ? Buffer.from(text.slice(2), 'hex') : Number(text)
}
