import pg from 'pg'
import { processNow } from '../lib/clock.ts'
import type { Topic } from './operation.ts'
import { connection } from './postgres-connection.ts'
import type { Topics } from './topics.ts'

const channelName = 'postern'
const notifyEveryMs = 5
const reconnectAfterMs = 1_000

export type Signals = { notify(topics: Set<Topic>): void; stop(): Promise<void> }

/**
 * Wake-ups between nodes over LISTEN/NOTIFY, on a connection of their own. Notifications are sent after the commit and
 * at most every 5 ms: inside each write transaction they would halve the commits per second. A lost one costs a polling
 * interval, nothing else.
 */
export function listenForTopics(url: string, topics: Topics): Signals {
  const pending = new Set<Topic>()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let retry: NodeJS.Timeout | null = null
  let stopped = false
  void connect()

  return {
    notify(touched) {
      for (const topic of touched) pending.add(topic)
      if (pending.size > 0 && !timer) timer = setTimeout(send, notifyEveryMs)
    },
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      if (retry) clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }

  async function connect(): Promise<void> {
    const next = new pg.Client(connection(url))
    next.on('error', reconnect)
    next.on('notification', ({ payload }) => {
      for (const topic of (payload ?? '').split(',')) topics.wake(topic as Topic)
    })
    try {
      await next.connect()
      await next.query(`listen ${channelName}`)
      if (stopped) await next.end()
      else client = next
    } catch {
      reconnect()
    }
  }

  function reconnect(): void {
    client = null
    if (!stopped && !retry) {
      retry = setTimeout(() => {
        retry = null
        void connect()
      }, reconnectAfterMs)
    }
  }

  function send(): void {
    timer = null
    const payload = [...pending].join(',')
    pending.clear()
    client?.query('select pg_notify($1, $2)', [channelName, payload]).catch(() => {})
  }
}

export type DatabaseClock = { offsetMs(): number; stop(): void }

const sampleEveryMs = 10_000

/** The difference between the database's clock and ours, sampled every 10 s; half the round trip is taken off. */
export async function followDatabaseClock(pool: pg.Pool): Promise<DatabaseClock> {
  let offset = 0

  async function sample(): Promise<void> {
    const asked = processNow()
    const { rows } = await pool.query('select extract(epoch from clock_timestamp()) * 1000 as now')
    const answered = processNow()
    offset = Number(rows[0]?.now) - (asked + answered) / 2
  }

  await sample()
  const timer = setInterval(() => void sample().catch(() => {}), sampleEveryMs)
  return { offsetMs: () => offset, stop: () => clearInterval(timer) }
}
