import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { openSqlite } from './sqlite-connection.ts'
import { describeSqliteError } from './sqlite-failure.ts'
import type {
  CloseRequest,
  OpenRequest,
  ReaderReply,
  ReaderRequest,
  WireFailure,
  WireStatement,
  WireValue,
  WriterReply,
  WriterRequest,
  WriterResults,
} from './sqlite-wire.ts'

/**
 * One thread, one connection; when its database is closed the thread may open another. The writer commits batches, so that
 * waiting for the disk never holds the main loop (its use falls from 1.00 to about 0.25 under load); the reader answers
 * lists and moves the log into the database file.
 */
const port = parentPort
if (!port) throw new Error('This file runs as a worker thread.')

let path = ''
let db: DatabaseSync
let checkpoints: NodeJS.Timeout | undefined
const statements = new Map<string, StatementSync>()
type Learned = WireStatement & { prepared: StatementSync | null }
const learned: Learned[] = []

port.on('message', (request: OpenRequest | CloseRequest | WriterRequest | ReaderRequest) => {
  port.postMessage(answer(request))
})

function answer(request: OpenRequest | CloseRequest | WriterRequest | ReaderRequest): object {
  if ('open' in request) return open(request)
  if ('close' in request) return close(request)
  return 'text' in request ? list(request) : commit(request)
}

function open(request: OpenRequest): object {
  path = request.open
  db = openSqlite(path, 'write')
  // The reader thread checkpoints; this is only the ceiling of the log, 64 MB, should it fall behind.
  if (request.role === 'writer') db.exec('pragma wal_autocheckpoint = 16000')
  else checkpoints = setInterval(checkpointWhenLarge, 250)
  return { ready: true }
}

function close({ id }: CloseRequest): object {
  clearInterval(checkpoints)
  statements.clear()
  learned.length = 0
  db.close()
  return { id }
}

function commit(request: WriterRequest): WriterReply {
  for (const statement of request.learn) learned.push({ ...statement, prepared: null })
  return commitBatch(db, request)
}

function list({ id, text, values }: ReaderRequest): ReaderReply {
  try {
    const statement = prepared(text)
    const columns = statement.columns().map(({ name }) => name)
    const rows = statement.all(...values) as unknown as WireValue[][]
    return { id, columns, rows }
  } catch (error) {
    return { id, error: describeSqliteError(error) }
  }
}

/** All units in one transaction; what fails is undone alone. */
function commitBatch(connection: DatabaseSync, request: WriterRequest): WriterReply {
  try {
    prepared('begin immediate').run()
    const results = runTogether(request.units) ?? runApart(request.units)
    prepared('commit').run()
    return { id: request.id, ...results }
  } catch (error) {
    // A connection that cannot even roll back is of no use: throwing ends this thread, and another takes its place.
    if (connection.isTransaction) connection.exec('rollback')
    return { id: request.id, failed: describeSqliteError(error) }
  }
}

/** Nearly always no unit fails, and savepoints are a tenth of the work. Null, and nothing done, when one did. */
function runTogether(units: readonly WireValue[]): WriterResults | null {
  const batch = newBatch()
  try {
    for (let at = 0; at < units.length; at = endOf(units, at)) runUnit(units, at, batch)
    return { results: batch.results, failures: [], idle: idleIn(batch) }
  } catch (error) {
    if (!db.isTransaction) throw error
    prepared('rollback').run()
    prepared('begin immediate').run()
    return null
  }
}

function runApart(units: readonly WireValue[]): WriterResults {
  const batch = newBatch()
  const { results } = batch
  const failures: WireFailure[] = []
  for (let at = 0, unit = 0; at < units.length; at = endOf(units, at), unit++) {
    const before = results.length
    prepared('savepoint unit').run()
    try {
      batch.checked.clear()
      runUnit(units, at, batch)
    } catch (error) {
      // A full disk or a lost file ends the transaction itself; then nothing of the batch is left to save.
      if (!db.isTransaction) throw error
      prepared('rollback to unit').run()
      results.length = before
      results.push(0)
      failures.push({
        unit,
        ...(error instanceof Unmet ? { unmet: error.message } : { error: describeSqliteError(error) }),
      })
    }
    prepared('release unit').run()
  }
  return { results, failures, idle: idleIn(batch) }
}

/** `changes`: of the statements that wake others, by their place. */
type Batch = { results: WireValue[]; checked: Set<string>; changes: Map<number, number> }

const newBatch = (): Batch => ({ results: [], checked: new Set(), changes: new Map() })

function idleIn({ changes }: Batch): number[] {
  return [...changes].flatMap(([place, count]) => (count === 0 ? [place] : []))
}

function endOf(units: readonly WireValue[], at: number): number {
  return at + 1 + Number(units[at])
}

/** Units of a batch that rely on the same fact need to find out only once: none of them has been answered before the others. */
function runUnit(units: readonly WireValue[], from: number, { results, checked, changes }: Batch): void {
  const countAt = results.push(0) - 1
  const end = endOf(units, from)
  let count = 0
  for (let at = from + 1, call = 0; at < end; call++) {
    const place = Number(units[at])
    const statement = statementAt(place)
    const rows = Number(units[at + 1])
    at += 2
    for (let row = 0; row < rows; row++, at += statement.parameters) {
      const values = units.slice(at, at + statement.parameters)
      if (statement.onlyChecks) checkRow(statement, values, checked)
      else if (statement.columns > 0) count += readRow(statement, values, call, results)
      else {
        const changed = Number(preparedOf(statement).run(...values).changes)
        if (statement.wakes) changes.set(place, (changes.get(place) ?? 0) + changed)
      }
    }
  }
  results[countAt] = count
}

function statementAt(place: number): Learned {
  const statement = learned[place]
  if (!statement) throw new Error(`Nobody told of statement ${place}.`)
  return statement
}

function checkRow(statement: Learned, values: WireValue[], checked: Set<string>): void {
  const fact = `${statement.name}\n${values.join('\n')}`
  if (checked.has(fact)) return
  readRow(statement, values, 0, [])
  checked.add(fact)
}

/** How many rows it gave. */
function readRow(statement: Learned, values: WireValue[], call: number, results: WireValue[]): number {
  const found = preparedOf(statement).all(...values) as unknown as WireValue[][]
  if (statement.required && found.length === 0) throw new Unmet(statement.name)
  for (const row of found) {
    results.push(call)
    for (const value of row) results.push(value)
  }
  return found.length
}

function preparedOf(statement: Learned): StatementSync {
  statement.prepared ??= prepared(statement.text)
  return statement.prepared
}

class Unmet extends Error {}

function prepared(text: string): StatementSync {
  let statement = statements.get(text)
  if (!statement) {
    statement = db.prepare(text)
    statement.setReturnArrays(true)
    statements.set(text, statement)
  }
  return statement
}

const checkpointBytes = 4 * 1024 * 1024

/** Checkpoints here instead of inside commits: the stall of a commit at p99 falls from about 20 ms to about 6. */
function checkpointWhenLarge(): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (size <= checkpointBytes) return
  try {
    db.exec('pragma wal_checkpoint(passive)')
  } catch {
    // A disk that is full or fails: the log still has everything, and the next round tries again.
  }
}
