import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { claimDue } from '../../server/src/webhooks/queue/claim-due.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { answerAfter, neverAnswer, type Reaction, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  attemptsReach,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectRecountToAgree,
  publish,
  secret,
  statusesOf,
  type WebhookWorld,
} from '../support/webhook-world.ts'

/** 1 for every run of the tests; 60 makes the flood of 300,000 of the long proof. */
const scale = Number(process.env.PROOF_SCALE ?? 1)

let world: WebhookWorld
let receiver: CheckedReceiver
afterEach(async () => {
  await world.dispose()
  await receiver.close()
})

const unverified = { POSTERN_WEBHOOK_VERIFICATION: 'off' }
/** With these deadlines a receiver counts as slow above 0.4 s. */
const patient = { POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS: '2500', POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS: '3000' }
const slowMs = 500

/** A webhook of an account of its own. */
async function aTenant(path: string, over = {}): Promise<{ accountId: string; id: string; path: string }> {
  const accountId = world.rt.newId('acc')
  const draft = { url: receiver.url + path, events: ['*'], secret, ...over }
  return { accountId, id: (await registerWebhook(world.rt, accountId, draft)).id, path }
}

/** How many requests to a path are unanswered, at most at any time. */
function watchInFlight(reaction: Reaction): Reaction & { most: number } {
  let now = 0
  const watched = {
    most: 0,
    async run(exchange: Parameters<Reaction['run']>[0]) {
      now++
      watched.most = Math.max(watched.most, now)
      exchange.socket.once('close', () => now--)
      await reaction.run(exchange)
    },
  }
  return watched
}

describe.each(engines)('fair shares on %s', (engine) => {
  test(
    'one account floods: the first round of claims holds every other webhook, and one share of the flood',
    async () => {
      receiver = await aReceiver()
      world = await aWebhookWorld(engine, { env: unverified, idle: true })
      const flooder = await aTenant('/flood')
      const healthy = await Promise.all(Array.from({ length: 50 }, (_, index) => aTenant(`/healthy${index}`)))
      for (let round = 0; round < 10 * scale; round++) {
        await Promise.all(Array.from({ length: 500 }, () => publish({ ...world, accountId: flooder.accountId })))
      }
      for (const { accountId } of healthy) await publish({ ...world, accountId })
      const claimer = { worker: 'test', room: () => 1_000, roomFor: () => 16, roomOfAccount: () => 1_000 }
      const { deliveries, cursor } = await claimDue(world.rt, claimer, '')
      const shares = new Map<string, number>()
      for (const { webhook_id } of deliveries) shares.set(webhook_id, (shares.get(webhook_id) ?? 0) + 1)
      expect(cursor).toBe('')
      expect(shares.get(flooder.id)).toBe(16)
      expect(healthy.every(({ id }) => shares.get(id) === 1)).toBe(true)
      world.restart()
      for (const { id } of healthy) expect(await statusesOf(world, id)).toEqual(['sending'])
      for (const { accountId } of healthy) await publish({ ...world, accountId })
      for (const { id } of healthy) await attemptsReach(world, id, 1)
      const flooded = (await deliveriesOf(world, flooder.id)).filter(({ status }) => status === 'pending')
      expect(flooded.length).toBeGreaterThan(2_500 * scale)
    },
    60_000 * scale,
  )

  test('one dead, one slow, many healthy: the bad ones keep to their share and the healthy never wait', async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine, { env: { ...unverified, ...patient, POSTERN_WEBHOOK_CONCURRENCY: '32' } })
    const dead = await aTenant('/dead')
    const slow = await aTenant('/slow')
    const healthy = await Promise.all(Array.from({ length: 20 }, (_, index) => aTenant(`/healthy${index}`)))
    const atDead = watchInFlight(neverAnswer())
    receiver.on('/dead', atDead)
    receiver.on('/slow', answerAfter(1_000, respond({})))
    const tenants = [dead, slow, ...healthy]
    for (let round = 0; round < 25; round++) {
      await Promise.all(tenants.map(({ accountId }) => publish({ ...world, accountId })))
    }
    for (const { id } of healthy) await allDelivered(world, id)
    expect(await statusesOf(world, dead.id)).not.toContain('delivered')
    expect(atDead.most).toBeGreaterThan(0)
    expect(atDead.most).toBeLessThanOrEqual(16)
    // All that was healthy went out before the slow one, at a second each, could use up the limit.
    expect((await statusesOf(world, slow.id)).filter((status) => status === 'delivered').length).toBeLessThan(25)
    for (const { id, accountId } of healthy) await expectRecountToAgree({ ...world, accountId }, id)
  })
})

describe.each(engines)('shares inside one process, on %s', (engine) => {
  test('webhooks that are slow share a quarter of the concurrency limit, however many they are', async () => {
    receiver = await aReceiver()
    const env = { ...unverified, ...patient, POSTERN_WEBHOOK_CONCURRENCY: '8' }
    world = await aWebhookWorld(engine, { env })
    const slow = await Promise.all(Array.from({ length: 6 }, (_, index) => aTenant(`/slow${index}`)))
    for (const { path } of slow) receiver.on(path, answerAfter(slowMs, respond({})))
    for (const { accountId } of slow) await publish({ ...world, accountId })
    for (const { id } of slow) await attemptsReach(world, id, 1)
    let most = 0
    let now = 0
    for (const { path } of slow) {
      receiver.on(path, {
        run: async (exchange) => {
          most = Math.max(most, ++now)
          await delay(slowMs)
          now--
          await respond({}).run(exchange)
        },
      })
    }
    for (let round = 0; round < 2; round++) {
      for (const { accountId } of slow) await publish({ ...world, accountId })
    }
    for (const { id } of slow) await allDelivered(world, id)
    expect(most).toBe(2)
  })

  test('503 with Retry-After under load: the rate falls to nothing, others go on', async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine, { env: unverified })
    const [busy, other] = [await aTenant('/busy'), await aTenant('/other')]
    receiver.on('/busy', respond({ status: 503, headers: { 'retry-after': '120' } }))
    for (let index = 0; index < 50; index++) await publish({ ...world, accountId: busy.accountId })
    for (let index = 0; index < 50; index++) await publish({ ...world, accountId: other.accountId })
    await allDelivered(world, other.id)
    expect(eventsAt(receiver, '/busy').length).toBeLessThanOrEqual(2)
    receiver.on('/busy', respond({ status: 503 }))
    world.pass(121_000)
    await attemptsReach(world, busy.id, 50)
    await eventually(async () => (await statusesOf(world, busy.id)).every((status) => status === 'pending'))
  })

  test('max_per_second spreads deliveries over time', async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine, { env: unverified })
    const paced = await aTenant('/paced', { max_per_second: 5 })
    for (let index = 0; index < 12; index++) await publish({ ...world, accountId: paced.accountId })
    await attemptsReach(world, paced.id, 5)
    world.pass(200)
    await attemptsReach(world, paced.id, 6)
    expect(eventsAt(receiver)).toHaveLength(6)
    world.pass(1_000)
    await attemptsReach(world, paced.id, 11)
    expect(eventsAt(receiver)).toHaveLength(11)
  })
})
