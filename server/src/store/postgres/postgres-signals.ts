import type pg from 'pg'
import type { Topic } from '../engine/operation.ts'
import { addTouched, type Topics, type Touched, type TouchedTopics } from '../engine/topics.ts'
import { connection, connectionNames } from './postgres-connection.ts'
import type { Primary } from './postgres-primary.ts'

const channelName = 'postern'
const notifyEveryMs = 5
const reconnectAfterMs = 1_000
// PostgreSQL takes 8,000 bytes. Seven topics with 30 ids of 30 characters stay below; more accounts are "anybody".
const accountsMax = 30
const greetEveryMs = 10_000
/** Three greetings of another node have not come. */
const aloneAfterMs = 3 * greetEveryMs

export type Signals = { notify(touched: TouchedTopics): void; stop(): Promise<void> }

/**
 * Wake-ups between nodes over LISTEN/NOTIFY, on a connection of their own. Notifications are sent after the commit, one
 * at a time and at most every 5 ms: inside each write transaction they would halve the commits per second, and a database
 * that is slow to take one gets the signals of the meantime in the next. When the connection breaks, what this node has to say
 * waits for the next one, and what others said meanwhile is made up for by waking everybody.
 *
 * A node greets when it begins to listen, and every 10 s. One that hears nobody for half a minute is alone: for a lone send a
 * notification is a sixth of the work of PostgreSQL, so what there is to say waits for the next greeting, its own or that
 * of a node that comes or was stopped for a while.
 */
export async function listenForTopics(primary: Primary, topics: Topics): Promise<Signals> {
  const pending: TouchedTopics = new Map()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let retry: NodeJS.Timeout | null = null
  let stopped = false
  let underWay: Promise<void> | null = null
  let greets = true
  let heardAt = performance.now()
  await connect()
  const greeting = setInterval(() => {
    greets = true
    sendSoon()
  }, greetEveryMs)
  greeting.unref()

  return {
    notify(touched) {
      const alone = isAlone()
      // Without the accounts: a node may be alone for months, and there may be many accounts.
      for (const [topic, accounts] of touched) addTouched(pending, topic, alone ? 'anybody' : accounts)
      if (!alone) sendSoon()
    },
    async stop() {
      stopped = true
      clearInterval(greeting)
      if (timer) clearTimeout(timer)
      if (retry) clearTimeout(retry)
      await underWay
      await send()
      await client?.end().catch(() => {})
    },
  }

  async function connect(): Promise<void> {
    // A notification is a transaction too, and need not wait for the disk.
    const next = new primary.Client(connection({ name: connectionNames.signals, durable: false }))
    next.on('error', () => giveUp(next))
    next.on('notification', ({ processId, payload = '' }) => {
      // What this node says it knows already.
      if (processId === (next as unknown as { processID: number }).processID) return
      const wasAlone = isAlone()
      heardAt = performance.now()
      if (wasAlone) sendSoon()
      for (const [topic, touched] of fromPayload(payload)) topics.wake(topic, touched)
    })
    try {
      await next.connect()
      await next.query(`listen ${channelName}`)
    } catch {
      return giveUp(next)
    }
    if (stopped) return next.end().catch(() => {})
    client = next
    greets = true
    heardAt = performance.now()
    topics.wakeAll()
    await send()
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

  function isAlone(): boolean {
    return performance.now() - heardAt > aloneAfterMs
  }

  function sendSoon(): void {
    if ((pending.size === 0 && !greets) || timer || underWay || stopped) return
    timer = setTimeout(() => {
      timer = null
      void send()
    }, notifyEveryMs)
  }

  async function send(): Promise<void> {
    if (!client || underWay || (pending.size === 0 && !greets)) return
    const sending = new Map(pending)
    pending.clear()
    greets = false
    underWay = notifyOthers(client, sending)
    await underWay
    underWay = null
    sendSoon()
  }

  async function notifyOthers(through: pg.Client, sending: TouchedTopics): Promise<void> {
    try {
      await through.query({
        name: 'notify',
        text: 'select pg_notify($1, $2)',
        values: [channelName, toPayload(sending)],
      })
    } catch {
      // Most likely the connection is gone, and the next one brings it.
      for (const [topic, touched] of sending) addTouched(pending, topic, touched)
    }
  }
}

/** `messages:acc_1:acc_2,jobs`: a topic with the accounts it is about, or alone. Nothing at all is a greeting. */
function toPayload(topics: TouchedTopics): string {
  return [...topics]
    .map(([topic, touched]) =>
      touched === 'anybody' || touched.size > accountsMax ? topic : [topic, ...touched].join(':'),
    )
    .join(',')
}

function fromPayload(payload: string): [Topic, Touched][] {
  return payload.split(',').map((part) => {
    const [topic = '', ...accounts] = part.split(':')
    return [topic as Topic, accounts.length > 0 ? new Set(accounts) : 'anybody']
  })
}
