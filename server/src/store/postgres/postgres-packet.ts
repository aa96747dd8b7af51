import type { Duplex } from 'node:stream'
import type { PoolClient } from 'pg'

/** What the client writes inside `write` leaves in one packet. Left alone, every statement is a write of its own. */
export function inOnePacket<Result>(client: PoolClient, write: () => Result): Result {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}
