import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { countRoundTrips } from '../../../../test/support/postgres/count-round-trips.ts'
import { freshDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createTopics, type Touched } from '../engine/topics.ts'
import { followDatabaseClock } from './postgres.ts'
import { timeLimits } from './postgres-connection.ts'
import { findPrimary } from './postgres-primary.ts'
import { listenForTopics } from './postgres-signals.ts'

let database: TestDatabase
let url: string
beforeEach(async () => {
  database = await freshDatabase('postgres')
  if (database.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  url = database.database.url
})
afterEach(() => database.remove())

/** A node that writes down which accounts it heard of, call by call; the first wake-up is that of its own start. */
async function aListener() {
  const heard: Touched[] = []
  const topics = createTopics()
  const signals = await listenForTopics(findPrimary(url), topics)
  topics.listen('messages', (touched) => void heard.push(touched))
  return { heard, stop: signals.stop }
}

const about = (account: string) => new Map([['messages' as const, new Set([account])]])

describe('wake-ups between nodes', () => {
  test('while the database is slow to take one, the next gathers what comes', async () => {
    const listener = await aListener()
    const wire = await aWire(url)
    const speaker = await listenForTopics(findPrimary(wire.url), createTopics())
    wire.holdAnswers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (const account of ['acc_1', 'acc_2', 'acc_3']) {
      speaker.notify(about(account))
      vi.advanceTimersByTime(10)
    }
    vi.useRealTimers()
    await waitFor(() => listener.heard.length === 1)
    wire.letAnswersPass()
    await waitFor(() => listener.heard.length > 1)
    await speaker.stop()
    expect(listener.heard).toEqual([new Set(['acc_1']), new Set(['acc_2', 'acc_3'])])
    await listener.stop()
    await wire.close()
  })

  test('a connection on which nothing is answered any more is replaced by one on which everything is said and heard', async () => {
    const listener = await aListener()
    const wire = await aWire(url)
    const topics = createTopics()
    const speaker = await listenForTopics(findPrimary(wire.url), topics)
    const woken: Touched[] = []
    topics.listen('messages', (touched) => void woken.push(touched))
    wire.holdAnswers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    speaker.notify(about('acc_1'))
    vi.advanceTimersByTime(10 + timeLimits.long.queryMs)
    vi.useRealTimers()
    await waitFor(() => listener.heard.length === 2)
    expect(listener.heard).toEqual([new Set(['acc_1']), new Set(['acc_1'])])
    expect(woken).toEqual(['anybody'])
    await speaker.stop()
    await listener.stop()
    await wire.close()
  })

  test('who stops says first what there was to say, after what is under way', async () => {
    const listener = await aListener()
    const wire = await aWire(url)
    const speaker = await listenForTopics(findPrimary(wire.url), createTopics())
    wire.holdAnswers()
    speaker.notify(about('acc_1'))
    await waitFor(() => listener.heard.length === 1)
    speaker.notify(about('acc_2'))
    const stopping = speaker.stop()
    wire.letAnswersPass()
    await stopping
    await waitFor(() => listener.heard.length === 2)
    expect(listener.heard).toEqual([new Set(['acc_1']), new Set(['acc_2'])])
    await listener.stop()
    await wire.close()
  })
})

test('a node that has heard of no other for half a minute keeps what it has to say until one comes', async () => {
  const counted = await countRoundTrips(url)
  const notified = () => counted.take().filter(({ statements }) => statements.some((name) => name === 'notify'))
  try {
    const alone = await listenForTopics(findPrimary(counted.url), createTopics())
    expect(notified()).toHaveLength(1)
    alone.notify(about('acc_1'))
    await waitFor(() => notified().length === 1)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    alone.notify(about('acc_2'))
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
    const listener = await aListener()
    await waitFor(() => listener.heard.length > 0)
    expect(listener.heard).toEqual(['anybody'])
    alone.notify(about('acc_3'))
    await waitFor(() => listener.heard.length > 1)
    expect(listener.heard[1]).toEqual(new Set(['acc_3']))
    await listener.stop()
    await alone.stop()
  } finally {
    vi.useRealTimers()
    vi.restoreAllMocks()
    await counted.close()
  }
})

describe('the clock of the database', () => {
  test('is not mistaken by the time that opening a connection takes', async () => {
    const openMs = 1_000
    const wire = await aWire(url, openMs)
    const pool = new pg.Pool({ connectionString: wire.url, max: 1 })
    const clock = await followDatabaseClock(() => pool.connect())
    // Database and test share a machine and so a clock; half the time of opening would be an error of 500 ms.
    expect(Math.abs(clock.offsetMs())).toBeLessThan(openMs / 4)
    clock.stop()
    await pool.end()
    await wire.close()
  })
})

/** A connection to the database that takes its time to open, and on which answers can be held up. */
async function aWire(to: string, openMs = 0) {
  const { hostname, port } = new URL(to)
  const answering: net.Socket[] = []
  const sockets: net.Socket[] = []
  const server = net.createServer({ pauseOnConnect: true }, async (near) => {
    if (openMs > 0) await delay(openMs)
    const far = net.connect(Number(port), hostname)
    answering.push(far)
    sockets.push(near, far)
    near.on('error', () => {}).pipe(far)
    far.on('error', () => {}).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(to)
  through.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return {
    url: through.href,
    holdAnswers: () => answering.forEach((far) => void far.pause()),
    letAnswersPass: () => answering.forEach((far) => void far.resume()),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
