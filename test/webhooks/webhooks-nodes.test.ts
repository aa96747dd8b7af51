import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Runtime } from '../../server/src/runtime.ts'
import { postgresOperation } from '../../server/src/store/engine/dialect.ts'
import type { Operation, Value } from '../../server/src/store/engine/operation.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import {
  claimDeliveries,
  endClaim,
  lockWebhooks,
  readClaimed,
} from '../../server/src/store/webhooks/delivery-claims.ts'
import { claimDue } from '../../server/src/webhooks/queue/claim-due.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { type SharedWorld, shareDatabase } from '../support/delivery-process.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { type Reaction, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  eventually,
  expectRecountToAgree,
  publish,
  secret,
  statusesOf,
} from '../support/webhook-world.ts'

/** What holds for a webhook holds for all nodes together. SQLite has one. */
let world: SharedWorld
let database: TestDatabase
let receiver: CheckedReceiver
beforeEach(async () => {
  database = await freshDatabase('postgres')
  world = await shareDatabase(database.database, database.folder)
  receiver = await aReceiver()
})
afterEach(async () => {
  await world.close()
  await receiver.close()
  await database.remove()
})

async function aWebhook(over = {}): Promise<string> {
  const draft = { url: `${receiver.url}/hook`, events: ['*'], secret, ...over }
  return (await registerWebhook(world.rt, world.accountId, draft)).id
}

type Watch = Reaction & { most: number; mostOfOne: number; ids: string[] }

/** Holds every request for a while and notes how many are there at once, in all and of one message. */
function watchInFlight(holdMs: number): Watch {
  let now = 0
  const subjects = new Map<string, number>()
  const watch: Watch = {
    most: 0,
    mostOfOne: 0,
    ids: [],
    async run(exchange) {
      const { data } = JSON.parse(String(exchange.request.body)) as { data: { message_id?: string } }
      const subject = data.message_id ?? ''
      watch.ids.push(exchange.request.headers['webhook-id'] ?? '')
      watch.most = Math.max(watch.most, ++now)
      subjects.set(subject, (subjects.get(subject) ?? 0) + 1)
      watch.mostOfOne = Math.max(watch.mostOfOne, subjects.get(subject) ?? 0)
      await delay(holdMs)
      now--
      subjects.set(subject, (subjects.get(subject) ?? 1) - 1)
      await respond({}).run(exchange)
    },
  }
  return watch
}

describe('two nodes that deliver', () => {
  test('strict order: one request at a time, in the order of events, whichever node sends it', async () => {
    const id = await aWebhook({ max_in_flight: 1 })
    const watch = watchInFlight(4)
    receiver.on('/hook', watch)
    await Promise.all([world.startWorker({ patient: true }), world.startWorker({ patient: true })])
    const events: string[] = []
    for (let index = 0; index < 150; index++) events.push(await publish(world))
    await allDelivered(world, id, 60_000)
    expect(watch.most).toBe(1)
    expect(watch.ids).toEqual(events)
    await expectRecountToAgree(world, id)
  })

  test('the events of one message go one after the other, in their order', async () => {
    const id = await aWebhook()
    const watch = watchInFlight(5)
    receiver.on('/hook', watch)
    await Promise.all([world.startWorker({ patient: true }), world.startWorker({ patient: true })])
    const expected = new Map<string, string[]>()
    for (let round = 0; round < 5; round++) {
      for (let message = 0; message < 30; message++) {
        const subject = `message ${message}`
        const event = await publish(world, { subject, data: { message_id: subject } })
        expected.set(subject, [...(expected.get(subject) ?? []), event])
      }
    }
    await allDelivered(world, id, 60_000)
    expect(watch.mostOfOne).toBe(1)
    for (const events of expected.values()) {
      expect(watch.ids.filter((arrived) => events.includes(arrived))).toEqual(events)
    }
  })

  test('max_in_flight is for both together', async () => {
    const id = await aWebhook({ max_in_flight: 3 })
    const watch = watchInFlight(10)
    receiver.on('/hook', watch)
    await Promise.all([world.startWorker({ patient: true }), world.startWorker({ patient: true })])
    for (let index = 0; index < 200; index++) await publish(world)
    await allDelivered(world, id, 60_000)
    expect(watch.most).toBeGreaterThan(1)
    expect(watch.most).toBeLessThanOrEqual(3)
  })
})

describe('two nodes that claim', () => {
  const everything = (worker: string) => ({ worker, room: () => 1_000, roomFor: () => 16, roomOfAccount: () => 1_000 })

  /** A node of its own: another store on the same database, and its own connections. */
  async function anotherNode(run: (rt: Runtime) => Promise<void>): Promise<void> {
    const store = await openStore({ database: database.database, now: 0, migrateFirst: false })
    await run({ ...world.rt, store }).finally(() => store.close())
  }

  /** A transaction that is open until `use` ends. */
  async function inTransaction(use: (client: pg.Client) => Promise<void>): Promise<void> {
    if (database.database.kind !== 'postgres') throw new Error('not PostgreSQL')
    const client = new pg.Client({ connectionString: database.database.url })
    await client.connect()
    try {
      await client.query('begin')
      await use(client)
      await client.query('commit')
    } finally {
      await client.end()
    }
  }

  /** Runs `meanwhile` after a slow node has claimed one delivery of a webhook, and before it commits. */
  async function whileClaiming(webhookId: string, cap: number, meanwhile: () => Promise<void>): Promise<void> {
    const now = world.rt.clock.now()
    const claim = { now, lease_until: now + 60_000, worker: 'slow', claim: 'slow.1' }
    await inTransaction(async (slow) => {
      await run(slow, lockWebhooks, { webhook_id: webhookId })
      const row = { webhook_id: webhookId, room: 1, cap, ceiling: cap, per_second: null, ...claim }
      await run(slow, claimDeliveries.postgres, row)
      expect(await run(slow, readClaimed, row)).toHaveLength(1)
      await meanwhile()
    })
  }

  test('while one has claimed and not committed, the other gets nothing of that webhook, but of others', async () => {
    const id = await aWebhook({ max_in_flight: 1 })
    const free = await aWebhook()
    await publish(world)
    await publish(world)
    await whileClaiming(id, 1, async () => {
      const { deliveries, againInMs } = await claimDue(world.rt, everything('fast'), '')
      expect(deliveries.map(({ webhook_id }) => webhook_id)).toEqual([free, free])
      expect(againInMs).toBeLessThan(1_000)
    })
    expect((await claimDue(world.rt, everything('fast'), '')).deliveries).toEqual([])
    expect(await statusesOf(world, id)).toEqual(['sending', 'pending'])
  })

  test('while one has claimed an event of a message and not committed, the other does not get the next', async () => {
    const id = await aWebhook()
    await publish(world, { subject: 'same' })
    await publish(world, { subject: 'same' })
    await publish(world, { subject: 'another' })
    await whileClaiming(id, 16, async () => {
      expect((await claimDue(world.rt, everything('fast'), '')).deliveries).toEqual([])
    })
    const { deliveries } = await claimDue(world.rt, everything('fast'), '')
    expect(deliveries.map(({ subject }) => subject)).toEqual(['another'])
  })

  test.each([
    { order: 'message', max_in_flight: 16 },
    { order: 'strict', max_in_flight: 1 },
  ])('when two give back the same event at once, nothing overtakes it in $order order', async ({ max_in_flight }) => {
    await aWebhook({ max_in_flight })
    const first = await publish(world, { subject: 'same' })
    const [lost] = (await claimDue(world.rt, everything('lost'), '')).deliveries
    if (!lost) throw new Error('not claimed')
    const second = await publish(world, { subject: 'same' })
    const another = await publish(world, { subject: 'another' })
    const isStrict = max_in_flight === 1
    const row = { id: lost.id, claim: lost.claim }
    const claimedNow = async () =>
      (await claimDue(world.rt, everything('fast'), '')).deliveries.map(({ event_id }) => event_id)
    await inTransaction(async (late) => {
      let waits: Promise<unknown> | undefined
      await inTransaction(async (early) => {
        await run(early, endClaim, row)
        waits = run(late, endClaim, row)
        await eventually(async () => (await waitingForLocks(early)) === 1)
      })
      await waits
      expect(await claimedNow()).toEqual(isStrict ? [first] : [first, second, another])
    })
    expect(await claimedNow()).toEqual([])
  })

  test('a hundred claims at the same moment never take two of a webhook in strict order', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => aWebhook({ max_in_flight: 1 })))
    for (let index = 0; index < 20; index++) await publish(world)
    await anotherNode(async (other) => {
      const nodes = [world.rt, other]
      const claims = Array.from({ length: 100 }, (_, index) =>
        claimDue(nodes[index % 2] ?? world.rt, everything(`node ${index % 2}`), ''),
      )
      const claimed = (await Promise.all(claims)).flatMap(({ deliveries }) => deliveries)
      expect(claimed.length).toBeGreaterThan(0)
      for (const id of ids) {
        expect(claimed.filter(({ webhook_id }) => webhook_id === id).length).toBeLessThanOrEqual(1)
      }
    })
    await eventually(async () => (await statusesOf(world, ids[0] ?? '')).filter((s) => s === 'sending').length === 1)
  })

  test('max_per_second is for all together, and what was not used adds up for one second', async () => {
    await aWebhook({ max_per_second: 5 })
    for (let index = 0; index < 30; index++) await publish(world)
    await anotherNode(async (other) => {
      let now = world.rt.clock.now() + 1_000
      const clock = { now: () => now }
      const take = async (rt: Runtime, worker: string) =>
        (await claimDue({ ...rt, clock }, everything(worker), '')).deliveries.length
      expect([await take(world.rt, 'one'), await take(other, 'two')]).toEqual([5, 0])
      now += 400
      expect([await take(other, 'two'), await take(world.rt, 'one')]).toEqual([2, 0])
      now += 60_000
      expect([await take(world.rt, 'one'), await take(other, 'two')]).toEqual([5, 0])
    })
  })
})

async function waitingForLocks(client: pg.Client): Promise<number> {
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  return (await client.query(waiting)).rows.length
}

async function run(client: pg.Client, operation: unknown, row: Record<string, Value>): Promise<unknown[]> {
  const { text, parameters } = postgresOperation(operation as Operation)
  return (
    await client.query(
      text,
      parameters.map((name) => [name === 'n' ? 1 : row[name]]),
    )
  ).rows
}
