import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { type EngineName, engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  aWebhookWorld,
  expectRecountToAgree,
  publish,
  secret,
} from '../support/webhook-world.ts'

const soakMs = scaled(3_000)
const webhooks = 20
/** Of one webhook, by default. */
const placesMax = 16
/** A thousand events a second: one for each webhook every 20 ms. */
const roundMs = 20
/** Rounds between restarts of the engine: 0.6 s here, a minute in the long proof. */
const roundsPerLife = Math.round(Math.min(60_000, soakMs / 5) / roundMs)
const samplesMost = Math.min(40, scaled(6))
/** How far the heap may lie above where it was: compiled code and statements still come in the second quarter. */
const heapBytesSlack = 24_000_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let world: Awaited<ReturnType<typeof aWebhookWorld>>
let receiver: CheckedReceiver
afterEach(async () => {
  await world.dispose()
  await receiver.close()
})

describe.each(engines)('a soak on %s', (engine) => {
  test(
    'with failing receivers and restarts accepted is delivered, and sockets and memory stay flat',
    async () => {
      receiver = await aReceiver()
      world = await aWebhookWorld(engine, { env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
      const tenants = await Promise.all(Array.from({ length: webhooks }, (_, index) => aTenant(`/soak${index}`)))
      receiver.on('/soak0', { run: (exchange) => respond({ status: Math.random() < 0.5 ? 500 : 200 }).run(exchange) })
      const arrivals = { failing: 0, healthy: 0 }
      const samples: Sample[] = []
      let socketsMost = 0
      const rounds = Math.floor(soakMs / roundMs)
      const roundsPerSample = Math.ceil(rounds / samplesMost)
      const moments = Math.floor(rounds / roundsPerSample)
      const startedAt = performance.now()
      for (let round = 1; round <= rounds; round++) {
        await Promise.all(tenants.map(({ accountId }) => publish({ ...world, accountId })))
        world.clock.advance(roundMs)
        if (round % roundsPerLife === 0) await restart()
        socketsMost = Math.max(socketsMost, receiver.openConnections)
        if (round % roundsPerSample === 0) {
          forget(arrivals)
          if (isCompared(round / roundsPerSample - 1, moments)) samples.push(takeSample())
        }
        await delay(Math.max(0, startedAt + round * roundMs - performance.now()))
      }
      receiver.on('/soak0', respond({}))
      for (let hour = 0; hour < 5; hour++) world.pass(3_600_000)
      for (const { id, accountId } of tenants) {
        await allDelivered(world, id, 60_000)
        await expectRecountToAgree({ ...world, accountId }, id)
      }
      countArrivals(arrivals)
      const accepted = rounds * (webhooks - 1)
      const duplicates = arrivals.healthy - accepted
      expect((await world.rt.store.read(delivered, {}))[0]?.count).toBe(rounds * webhooks)
      expect(duplicates).toBeGreaterThanOrEqual(0)
      expect(duplicates / accepted).toBeLessThan(0.001)
      expectFlat(engine, samples)
      // How many are in use depends on the load of the moment; what leaks goes beyond all places sooner or later.
      expect(socketsMost).toBeLessThanOrEqual(webhooks * placesMax)
      recordFigure('soak', `${engine}: events accepted and delivered`, rounds * webhooks)
      recordFigure('soak', `${engine}: duplicates`, duplicates)
    },
    // On a busy machine rounds take longer than their 20 ms.
    2 * soakMs + 120_000,
  )
})

async function aTenant(path: string): Promise<{ accountId: string; id: string }> {
  const accountId = world.rt.newId('acc')
  const draft = { url: receiver.url + path, events: ['*'], secret }
  return { accountId, id: (await registerWebhook(world.rt, accountId, draft)).id }
}

async function restart(): Promise<void> {
  // What is cut off is delivered again: on a busy machine it needs longer than the 5 s of a quiet one.
  await world.engine.drain(60_000)
  world.restart()
}

type Sample = { heapBytes: number; rssBytes: number; sockets: number }

function countArrivals(arrivals: { failing: number; healthy: number }): void {
  for (const { path } of receiver.requests.splice(0)) arrivals[path === '/soak0' ? 'failing' : 'healthy']++
}

/** What the test itself remembers must not count. */
function forget(arrivals: { failing: number; healthy: number }): void {
  countArrivals(arrivals)
  world.logLines.length = 0
}

/**
 * The first quarter warms up, and the last is held against the second. Only these two are sampled: each sample collects
 * the garbage of the whole process first, a quarter of a second of processor time.
 */
function isCompared(moment: number, moments: number): boolean {
  const quarter = Math.floor(moments / 4)
  return (moment >= quarter && moment < 2 * quarter) || moment >= moments - quarter
}

function takeSample(): Sample {
  collectGarbage()
  const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
  return { heapBytes, rssBytes, sockets: receiver.openConnections }
}

/** Samples of the second and of the last quarter: nothing grows between them. */
function expectFlat(engine: EngineName, samples: readonly Sample[]): void {
  const quarter = samples.length / 2
  const [early, late] = [samples.slice(0, quarter), samples.slice(-quarter)]
  const most = (part: readonly Sample[], figure: keyof Sample) => Math.max(...part.map((sample) => sample[figure]))
  expect(quarter).toBeGreaterThan(0)
  expect(most(late, 'heapBytes')).toBeLessThan(most(early, 'heapBytes') + heapBytesSlack)
  for (const [name, part] of Object.entries({ second: early, last: late })) {
    recordFigure('soak', `${engine}: heap, ${name} quarter (MB)`, Math.round(most(part, 'heapBytes') / 1e6))
    recordFigure('soak', `${engine}: resident, ${name} quarter (MB)`, Math.round(most(part, 'rssBytes') / 1e6))
    recordFigure('soak', `${engine}: sockets, ${name} quarter`, most(part, 'sockets'))
  }
}

const delivered = query({
  name: 'test.delivered',
  params: {},
  returns: { count: 'int' },
  lane: 'list',
  sql: `select count(*) as count from deliveries where status = 'delivered'`,
})
