import type { PoolClient } from 'pg'
import { postgresOperation, type Statement } from '../engine/dialect.ts'
import type { UnitOutcome } from '../engine/group-commit.ts'
import { type MergedStatement, mergeCalls } from '../engine/merge-calls.ts'
import type { Operation } from '../engine/operation.ts'
import { ConditionFailed, StoreUnavailable } from '../engine/store-error.ts'
import type { Call, InputRow } from '../engine/unit.ts'
import { isFromServer, isUnavailable, isWorthRepeating, toStoreError, unmetPositions } from './postgres-failure.ts'
import { inOnePacket } from './postgres-packet.ts'
import { runSequence, type SequenceFailed } from './postgres-sequence.ts'

type Units = readonly (readonly Call[])[]
type Attempt = { rows: InputRow[][][] } | { unmet: Map<number, string> } | { failed: Error }

const repeatsMax = 5

/**
 * One transaction for the whole batch, in one round trip: begin, statements and commit leave in one packet, and a condition
 * that does not hold aborts the transaction in the database. When a statement fails, nobody knows which unit was to blame, so the batch is undone and run again in halves until the culprit is alone.
 */
export async function runPostgresBatch(connect: () => Promise<PoolClient>, units: Units): Promise<UnitOutcome[]> {
  for (let repeat = 0; ; repeat++) {
    const attempt = await attemptBatch(connect, units)
    if ('rows' in attempt) return attempt.rows.map((rowsByCall) => ({ rowsByCall }))
    if ('unmet' in attempt) return withoutUnmet(connect, units, attempt.unmet)
    if (isWorthRepeating(attempt.failed) && repeat < repeatsMax) continue
    if (units.length === 1) return [{ error: toStoreError(attempt.failed) }]
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
  let broken: Error | undefined
  try {
    const beginning = beginningOf(client)
    const [sequence, commit] = await Promise.allSettled(
      inOnePacket(
        client,
        () => [runSequence(client, [...beginning, ...statements.map(toQuery)]), client.query('commit')] as const,
      ),
    )
    if (sequence.status === 'rejected') {
      const { cause: reason, failedAt } = sequence.reason as SequenceFailed
      // The commit behind a failed statement is a rollback; behind a failed `begin` it has nothing to commit.
      if (isUnavailable(reason)) throw new StoreUnavailable(isFromServer(reason) ? 'not_stored' : 'unknown', reason)
      if (!('code' in reason)) throw new StoreUnavailable('unknown', reason)
      const positions = unmetPositions(reason)
      const statement = statements[failedAt - beginning.length]
      return positions && statement ? { unmet: findUnmet(statement, positions) } : { failed: reason }
    }
    if (commit.status === 'rejected') {
      const reason = asError(commit.reason)
      if (isUnavailable(reason) || !('code' in reason)) throw new StoreUnavailable('unknown', reason)
      return { failed: reason }
    }
    const results = sequence.value.slice(beginning.length).map(({ rows }) => rows as InputRow[])
    return { rows: distribute(units, statements, results) }
  } catch (error) {
    broken = asError(error)
    if (broken instanceof StoreUnavailable) throw broken
    if (isUnavailable(broken)) throw new StoreUnavailable('not_stored', broken)
    return { failed: broken }
  } finally {
    client.release(broken)
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

const plansKeptMs = 5_000
const plannedAt = new WeakMap<PoolClient, number>()

/**
 * Plans are kept for seconds, not for ever: one that was made when a table was empty would read all of it when it has
 * grown, and how large a table is now PostgreSQL sees whenever it plans.
 */
function beginningOf(client: PoolClient): { text: string }[] {
  const begin = { text: 'begin' }
  const now = performance.now()
  const at = plannedAt.get(client) ?? Number.NEGATIVE_INFINITY
  if (now - at < plansKeptMs) return [begin]
  plannedAt.set(client, now)
  return [{ text: 'discard plans' }, begin]
}

/** A kept plan is made for about ten rows; a statement with more has time for a plan of its own, and has no name. */
const rowsOfKeptPlanMax = 256

const compiled = new WeakMap<Operation, Statement>()

function toQuery({ operation, rows }: MergedStatement): { name?: string; text: string; values: unknown[] } {
  let statement = compiled.get(operation)
  if (!statement) {
    statement = postgresOperation(operation)
    compiled.set(operation, statement)
  }
  const values = statement.parameters.map((column) => rows.map((row) => toPostgres(row[column])))
  return { ...(rows.length > rowsOfKeptPlanMax ? {} : { name: operation.name }), text: statement.text, values }
}

/** pg sends Buffers inside arrays correctly, but not plain Uint8Arrays. */
function toPostgres(value: InputRow[string] | undefined): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : (value ?? null)
}

/** The units that the rows at these positions belong to, each with the operation whose condition did not hold. */
function findUnmet({ operation, origins }: MergedStatement, positions: Set<number>): Map<number, string> {
  const unmet = origins.filter((_, index) => positions.has(index + 1))
  return new Map(unmet.map(({ unit }) => [unit, operation.name]))
}

/** Result rows go back to their calls, in the order of the input rows. */
function distribute(units: Units, statements: MergedStatement[], results: InputRow[][]): InputRow[][][] {
  const byUnit: { at: number; row: InputRow }[][][] = units.map((calls) => calls.map(() => []))
  for (const [index, { operation, origins }] of statements.entries()) {
    for (const result of results[index] ?? []) {
      const origin = operation.alone ? origins[0] : origins[Number(result.n) - 1]
      if (!origin) continue
      const { n: _, unmet: __, ...row } = result
      byUnit[origin.unit]?.[origin.call]?.push({ at: origin.row, row: operation.alone ? result : row })
    }
  }
  return byUnit.map((calls) => calls.map((rows) => rows.sort((a, b) => a.at - b.at).map((entry) => entry.row)))
}
