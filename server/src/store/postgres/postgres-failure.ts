import { StoreUnavailable, UniqueViolation } from '../engine/store-error.ts'

type PgError = Error & { code?: string; detail?: string; table?: string; constraint?: string; routine?: string }

/**
 * Connection lost or server going away. 57P0x: shutdown or fail-over; 53xxx: no space, memory or connections left; 58030:
 * an I/O error; 25006: the primary became a replica; 25P03, 25P04: the server ended a transaction that took too long. An
 * error without SQLSTATE comes from the socket.
 */
function isConnectionFailure(error: Error): boolean {
  const code = (error as PgError).code
  if (code === undefined) return /connection|terminated|timeout|ended/i.test(error.message)
  return /^(08|53|57P0|25006|25P03|25P04|58030)/.test(code) || /^E[A-Z]+$/.test(code)
}

/** 57014: the statement ran into its time limit, or an operator cancelled it; 55P03: it waited for a lock for too long. */
function isCutShort(error: Error): boolean {
  const code = (error as PgError).code
  return code === '57014' || code === '55P03'
}

/** A lock was not to be had in time; whatever has it ends. */
export function isLockTimeout(error: Error): boolean {
  return (error as PgError).code === '55P03'
}

/** No partition of a table has room for a row. */
export function isWithoutDay(error: Error): boolean {
  const { code, routine } = error as PgError
  return code === '23514' && routine === 'ExecFindPartition'
}

/** The database cannot do it now: nothing is wrong with the statement, and another one fares no better. */
export function isUnavailable(error: Error): boolean {
  return isConnectionFailure(error) || isCutShort(error)
}

/** The server itself reported the error. Everything else comes from the socket, and the server may have gone on. */
export function isFromServer(error: Error): boolean {
  return /^[0-9A-Z]{5}$/.test((error as PgError).code ?? '')
}

/**
 * The statement was prepared before a migration of a later release changed a column that it gives. It fails on this
 * connection for ever, and works on another. The message may be in any language.
 */
export function isOfOlderSchema(error: Error): boolean {
  const { code, routine } = error as PgError
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Deadlocks and serialization failures: the database asks for another try. */
export function isWorthRepeating(error: Error): boolean {
  const code = (error as PgError).code
  return code === '40P01' || code === '40001' || isOfOlderSchema(error)
}

/** Positions, from 1, of the input rows whose condition did not hold; null when the error is another. */
export function unmetPositions(error: Error): Set<number> | null {
  const { code, detail = '' } = error as PgError
  return code === 'PS001' ? new Set(detail.split(',').map(Number)) : null
}

export function toStoreError(error: Error): Error {
  const { code, table, constraint } = error as PgError
  if (code === '23505') return new UniqueViolation(table ?? constraint ?? 'unknown')
  if (isUnavailable(error)) return new StoreUnavailable('not_stored', error)
  return error
}
