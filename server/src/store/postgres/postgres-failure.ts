import { StoreUnavailable, UniqueViolation } from '../engine/store-error.ts'

type PgError = Error & { code?: string; table?: string; constraint?: string }

/**
 * Connection lost or server going away. 57P0x: shutdown or fail-over; 53xxx: no space, memory or connections left; 58030:
 * an I/O error; 25006: the primary became a replica. An error without SQLSTATE comes from the socket.
 */
export function isConnectionFailure(error: Error): boolean {
  const code = (error as PgError).code
  if (code === undefined) return /connection|terminated|timeout|ended/i.test(error.message)
  return /^(08|53|57P0)/.test(code) || code === '58030' || code === '25006' || /^E[A-Z]+$/.test(code)
}

/** Deadlocks and serialization failures: the database asks for another try. */
export function isWorthRepeating(error: Error): boolean {
  const code = (error as PgError).code
  return code === '40P01' || code === '40001'
}

export function toStoreError(error: Error): Error {
  const { code, table, constraint } = error as PgError
  if (code === '23505') return new UniqueViolation(table ?? constraint ?? 'unknown')
  if (isConnectionFailure(error)) return new StoreUnavailable('not_stored', error)
  return error
}
