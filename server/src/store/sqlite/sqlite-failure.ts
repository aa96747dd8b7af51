import { StoreUnavailable, UniqueViolation } from '../engine/store-error.ts'
import type { WireError } from './sqlite-wire.ts'

// SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE
const uniqueCodes = [1555, 2067]

/**
 * The machine and not the statement: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL. The same statement
 * works again when there is space, or the disk takes writes.
 */
const unavailableCodes = [5, 6, 7, 8, 10, 13, 14, 15]

/** What a failed statement means to the domain. Extended codes have their family in the lowest byte. */
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
