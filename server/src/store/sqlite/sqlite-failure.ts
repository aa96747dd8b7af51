import { StoreUnavailable, UniqueViolation } from '../engine/store-error.ts'

// SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE
const uniqueCodes = [1555, 2067]

/**
 * The machine and not the statement: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. The same statement
 * works again when there is space, or the disk takes writes.
 */
const unavailableCodes = [5, 6, 7, 8, 10, 13, 14, 15]

/** The domain's error for a failed statement. Extended codes have their family in the lowest byte. */
export function toStoreError({ code, message }: WireError): Error {
  if (code !== null && uniqueCodes.includes(code)) {
    return new UniqueViolation(/failed: (\w+)\./.exec(message)?.[1] ?? 'unknown')
  }
  const cause = new Error(message)
  return code !== null && unavailableCodes.includes(code & 0xff) ? new StoreUnavailable('not_stored', cause) : cause
}

const fsyncFailed = 1034

/**
 * A batch that was not committed. Without its fsync it is rolled back here, but its end stands in the log, where a crash
 * before the next commit would find it.
 */
export function toCommitError({ code, message }: WireError): StoreUnavailable {
  return new StoreUnavailable(code === fsyncFailed ? 'unknown' : 'not_stored', new Error(message))
}

export function describeSqliteError(error: unknown): WireError {
  const code = (error as { errcode?: unknown }).errcode
  return {
    message: error instanceof Error ? error.message : String(error),
    code: typeof code === 'number' ? code : null,
  }
}

/**
 * Messages between the main thread and the SQLite threads. Units and their results are one flat array each, filled value by
 * value. Arrays that `map` made may have holes, and are cloned one by one as objects with numbers for names.
 */
export type WireValue = string | number | Uint8Array | null
/**
 * Told once, with the first request that needs it; calls name it by its place. How many values a row of it has, in and
 * out.
 */
export type WireStatement = {
  name: string
  text: string
  parameters: number
  columns: number
  required: boolean
  onlyChecks: boolean
  /** Others are woken by it, and want to know whether it changed anything. */
  wakes: boolean
}
type WireError = { message: string; code: number | null }

export type OpenRequest = { open: string; role: 'writer' | 'reader' }
export type CloseRequest = { id: number; close: true }

/** Each unit as its length, then its calls: the place of the statement, the number of rows, the values of the rows. */
export type WriterRequest = { id: number; learn: WireStatement[]; units: WireValue[] }
/** For each unit the number of rows it gave, then these: the number of the call within the unit, and the values. */
export type WriterResults = {
  results: WireValue[]
  failures: WireFailure[]
  /** Places of the statements that wake others, and changed nothing. */
  idle: number[]
}
/** A unit that was undone alone, by its number within the batch. */
export type WireFailure = { unit: number } & ({ unmet: string } | { error: WireError })
export type WriterReply = ({ id: number } & WriterResults) | { id: number; failed: WireError }

/** Asks for a step of shrinking the file, which sqlite-worker.ts takes; the only result is how many pages are left. */
export type ShrinkRequest = { id: number; shrink: true }

export type ReaderRequest = { id: number; text: string; values: WireValue[] }
/** Asks for zeros in what the pages from `from` on leave unused, see sqlite-remains.ts. */
export type ZeroRequest = { id: number; zero: { file: number; from: number } }
export type ReaderReply = { id: number; columns: string[]; rows: WireValue[][] } | { id: number; error: WireError }
