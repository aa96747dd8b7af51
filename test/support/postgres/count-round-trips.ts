import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What left for the database between two of its answers: the statements by name, unnamed ones by their text. */
export type RoundTrip = { readonly connection: number; readonly statements: readonly string[] }

export type CountedDatabase = {
  /** The same database, seen through the counter. */
  readonly url: string
  /** Every round trip since the last call, in the order they began. */
  take(): RoundTrip[]
  close(): Promise<void>
}

/**
 * Stands between a gateway and PostgreSQL and tells what crosses: round trips are counted, not timed. `alter` may change
 * what goes to the database, but not its length.
 */
export async function countRoundTrips(
  databaseUrl: string,
  alter: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<CountedDatabase> {
  const target = new URL(databaseUrl)
  const trips: { connection: number; statements: string[] }[] = []
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((client) => {
    const connection = ++connections
    const database = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    let current: { connection: number; statements: string[] } | null = null
    const read = readFrontend((statement) => {
      const trip = current ?? { connection, statements: [] }
      if (!current) trips.push(trip)
      trip.statements.push(statement)
      current = trip
    })
    client.on('data', (bytes) => {
      read(bytes)
      database.write(alter(bytes))
    })
    database.on('data', (bytes) => {
      current = null
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    take: () => trips.splice(0),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Reads the client's half of the protocol: a simple query (Q) has a text, a bind (B) the name of its statement. */
function readFrontend(found: (statement: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  let unnamed = ''
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const type = started ? String.fromCharCode(rest[0] ?? 0) : ''
      if (type === 'Q') found(rest.toString('utf8', 5, length - 1))
      if (type === 'P' && rest[5] === 0) unnamed = textAt(rest, 6)
      if (type === 'B') found(textAt(rest, rest.indexOf(0, 5) + 1) || unnamed)
      started = true
      rest = rest.subarray(length)
    }
  }
}

function textAt(bytes: Buffer, from: number): string {
  return bytes.toString('utf8', from, bytes.indexOf(0, from))
}
