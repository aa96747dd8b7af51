import type pg from 'pg'
import type { Topic } from '../engine/operation.ts'
import { addTouched, type Topics, type Touched, type TouchedTopics } from '../engine/topics.ts'
import { connection, connectionNames } from './postgres-connection.ts'
import { tearDown } from './postgres-pipeline.ts'
import type { Primary } from './postgres-primary.ts'

const channelName = 'postern'
const notifyEveryMs = 5
// PostgreSQL takes 8,000 bytes. Eight topics with 30 ids of 30 characters stay below; more accounts are "anybody".
const accountsMax = 30
const greetEveryMs = 10_000
/** Three greetings of another node have not come. */
const aloneAfterMs = 3 * greetEveryMs

// PostgreSQL takes 8,000 bytes: thirty notes of at most 200.
const notesMax = 30

type Signals = { notify(touched: TouchedTopics): void; tell(note: string): void; stop(): Promise<void> }

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
  let heardAt = performance.now()
  const listener = createListener(primary, { channel: channelName, onConnected, onHeard })
  const notifier = createNotifier(listener, isAlone)
  await listener.connect()
  const greeting = setInterval(() => {
    notifier.greet()
    notifier.sendSoon()
  }, greetEveryMs)
  greeting.unref()

  return {
    notify(touched) {
      const alone = isAlone()
      // Without the accounts: a node may be alone for months, and there may be many accounts.
      for (const [topic, accounts] of touched) notifier.add(topic, alone ? 'anybody' : accounts)
      notifier.sendSoon()
    },
    tell(note) {
      if (!isAlone()) notifier.tell(note)
    },
    async stop() {
      listener.stopReconnecting()
      clearInterval(greeting)
      await notifier.stop()
      await listener
        .client()
        ?.end()
        .catch(() => {})
    },
  }

  async function onConnected(): Promise<void> {
    notifier.greet()
    heardAt = performance.now()
    topics.wakeAll()
    await notifier.send()
  }

  function onHeard(payload: string): void {
    const wasAlone = isAlone()
    heardAt = performance.now()
    if (wasAlone) notifier.sendSoon()
    if (payload.startsWith(noteMark)) {
      for (const note of payload.slice(1).split(' ')) topics.hear(note)
      return
    }
    for (const [topic, touched] of fromPayload(payload)) topics.wake(topic, touched)
  }

  function isAlone(): boolean {
    return performance.now() - heardAt > aloneAfterMs
  }
}

/** Says one thing at a time. What the database did not take, and what comes meanwhile, is in the next notification. */
function createNotifier({ client }: Pick<Listener, 'client'>, isAlone: () => boolean) {
  const pending: TouchedTopics = new Map()
  let notes: string[] = []
  let greets = true
  let timer: NodeJS.Timeout | null = null
  let underWay: Promise<void> | null = null
  let stopped = false

  return {
    add: (topic: Topic, touched: Touched) => addTouched(pending, topic, touched),
    greet() {
      greets = true
    },
    tell(note: string) {
      notes.push(note)
      sendSoon()
    },
    sendSoon,
    send,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await underWay
      await send()
    },
  }

  function sendSoon(): void {
    const nothingToSay = (pending.size === 0 && notes.length === 0) || isAlone()
    if ((nothingToSay && !greets) || timer || underWay || stopped) return
    timer = setTimeout(() => {
      timer = null
      void send()
    }, notifyEveryMs)
  }

  async function send(): Promise<void> {
    const through = client()
    if (!through || underWay || (pending.size === 0 && notes.length === 0 && !greets)) return
    const sending = new Map(pending)
    const telling = notes.slice(0, notesMax)
    pending.clear()
    notes = notes.slice(notesMax)
    greets = false
    // If it fails, the next connection brings it. Of a host that vanished, or that others took the place of, this one would
    // hear nothing for a quarter of an hour, or for ever.
    underWay = notifyOthers(through, sending, telling).catch(() => {
      for (const [topic, touched] of sending) addTouched(pending, topic, touched)
      tearDown(through)
    })
    await underWay
    underWay = null
    sendSoon()
  }
}

async function notifyOthers(client: pg.Client, sending: TouchedTopics, notes: readonly string[]): Promise<void> {
  const values = [channelName, toPayload(sending)]
  if (notes.length === 0) return void (await client.query({ name: 'notify', text: 'select pg_notify($1, $2)', values }))
  const text = 'select pg_notify($1, $2), pg_notify($1, $3)'
  await client.query({ name: 'notify_notes', text, values: [...values, noteMark + notes.join(' ')] })
}

/** Before notes, which no topic begins with. */
const noteMark = '~'

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

const reconnectAfterMs = 1_000

type Listener = {
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
  /** A notification from another node. */
  onHeard(payload: string): void
}

/** A connection that listens to one channel. When it breaks, the next one is opened after a second. */
function createListener(primary: Primary, { channel, onConnected, onHeard }: Options): Listener {
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
