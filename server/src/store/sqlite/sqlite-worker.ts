import { statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { SqliteBatches } from './sqlite-batches.ts'
import { openSqlite } from './sqlite-connection.ts'
import {
  type CloseRequest,
  describeSqliteError,
  type OpenRequest,
  type ReaderReply,
  type ReaderRequest,
  type ShrinkRequest,
  type WireValue,
  type WriterReply,
  type WriterRequest,
  type ZeroRequest,
} from './sqlite-failure.ts'
import { zeroUnused } from './sqlite-remains.ts'

/**
 * One thread, one connection; when its database is closed the thread may open another. The writer commits batches, so that
 * waiting for the disk never holds the main loop (its use falls from 1.00 to about 0.25 under load); the reader answers
 * lists and moves the log into the database file.
 */
const port = parentPort
if (!port) throw new Error('This file runs as a worker thread.')

let path = ''
let db: DatabaseSync
let batches: SqliteBatches
let checkpoints: NodeJS.Timeout | undefined
const statements = new Map<string, StatementSync>()

type Request = OpenRequest | CloseRequest | WriterRequest | ShrinkRequest | ReaderRequest | ZeroRequest

port.on('message', (request: Request) => port.postMessage(answer(request)))

function answer(request: Request): object {
  if ('open' in request) return open(request)
  if ('close' in request) return close(request)
  if ('text' in request) return list(request)
  if ('zero' in request) return zero(request)
  if ('shrink' in request) return giveBack(request)
  return batches.commit(request)
}

function open(request: OpenRequest): object {
  path = request.open
  db = openSqlite(path, 'write')
  batches = new SqliteBatches(db, prepared)
  // The reader thread checkpoints; this is only the ceiling of the log, 64 MB, should it fall behind.
  if (request.role === 'writer') db.exec('pragma wal_autocheckpoint = 16000')
  else checkpoints = setInterval(checkpointWhenLarge, 250)
  return { ready: true }
}

function close({ id }: CloseRequest): object {
  clearInterval(checkpoints)
  statements.clear()
  db.close()
  return { id }
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

function zero({ id, zero: asked }: ZeroRequest): ReaderReply {
  try {
    return { id, columns: ['next'], rows: [[zeroUnused(db, path, asked)]] }
  } catch (error) {
    return { id, error: describeSqliteError(error) }
  }
}

function giveBack({ id }: ShrinkRequest): WriterReply {
  try {
    return { id, results: [shrink(db)], failures: [], idle: [] }
  } catch (error) {
    return { id, failed: describeSqliteError(error) }
  }
}

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

/**
 * SQLite uses freed pages again, and its file stays as large as it ever was. What is free beyond an eighth of it goes back to
 * the disk: after a shorter retention or an account that was deleted, not in steady operation, where each day takes what
 * another one frees. The writer moves 1 MB at a time, which holds it for some 3 ms.
 */
const stepPages = 256
const sharePages = 8
/** 16 MB: less is not worth a write. */
const keptMin = 4_096

/** Gives back some pages; how many are left to give. None in a file without a map of its pages: only `vacuum` shrinks it. */
function shrink(db: DatabaseSync): number {
  const number = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
  const pages = number('page_count')
  const spare = number('freelist_count') - Math.max(keptMin, Math.floor(pages / sharePages))
  if (spare <= 0 || number('auto_vacuum') === 0) return 0
  db.exec(`pragma incremental_vacuum(${Math.min(stepPages, spare)})`)
  return Math.max(0, spare - stepPages)
}
