import type { Duplex } from 'node:stream'
import type { ClientBase } from 'pg'

/** What the client writes inside `write` leaves in one packet. Left alone, every statement is a write of its own. */
export function inOnePacket<Result>(client: ClientBase, write: () => Result): Result {
  const stream = streamOf(client)
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}

/** Closes the connection at once: its own goodbye waits for the answers to everything that was sent. */
export function tearDown(client: ClientBase): void {
  streamOf(client).destroy()
}

function streamOf(client: ClientBase): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream
}
