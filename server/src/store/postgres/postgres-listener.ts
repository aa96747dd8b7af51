import type pg from 'pg'
import { connection, connectionNames } from './postgres-connection.ts'
import type { Primary } from './postgres-primary.ts'

const reconnectAfterMs = 1_000

export type Listener = {
  connect(): Promise<void>
  /** Null while there is no connection. */
  client(): pg.Client | null
  /** Opens no further connection; the one that is open stays. */
  stopReconnecting(): void
}

type Options = {
  channel: string
  /** With every new connection; what others said before it was missed. */
  onConnected(): Promise<void>
  /** What another node said. */
  onHeard(payload: string): void
}

/** A connection that listens to one channel. When it breaks, the next one is opened after a second. */
export function createListener(primary: Primary, { channel, onConnected, onHeard }: Options): Listener {
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null
  let stopped = false

  return {
    connect,
    client: () => client,
    stopReconnecting() {
      stopped = true
      if (retry) clearTimeout(retry)
    },
  }

  async function connect(): Promise<void> {
    // A notification is a transaction too, and need not wait for the disk.
    const next = new primary.Client(connection({ name: connectionNames.signals, durable: false }))
    next.on('error', () => giveUp(next))
    next.on('notification', ({ processId, payload = '' }) => {
      // What this node says it knows already.
      if (processId !== (next as unknown as { processID: number }).processID) onHeard(payload)
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch {
      return giveUp(next)
    }
    if (stopped) return next.end().catch(() => {})
    client = next
    await onConnected()
  }

  function giveUp(broken: pg.Client): void {
    void broken.end().catch(() => {})
    if (client === broken) client = null
    if (stopped || retry || client) return
    retry = setTimeout(() => {
      retry = null
      void connect()
    }, reconnectAfterMs)
  }
}
