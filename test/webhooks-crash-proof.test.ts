import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerWebhook } from '../server/src/webhooks/register-webhook.ts'
import { engines, freshDatabase, type TestDatabase } from './support/databases.ts'
import { type SharedWorld, shareDatabase } from './support/delivery-process.ts'
import { type HostileReceiver, startHostileReceiver } from './support/hostile-receiver.ts'
import {
  allDelivered,
  expectGenuine,
  expectRecountToAgree,
  publish,
  secret,
  webhookNow,
} from './support/webhook-world.ts'

/** 1 for every run of the tests; 25 makes the 50,000 events of the long proof. */
const scale = Number(process.env.PROOF_SCALE ?? 1)
const perLife = 500

/**
 * A crash repeats at most as many deliveries as the webhook has places, here two: with a life of 500 deliveries that is
 * 0.4 % at worst.
 */
describe.each(engines)('a worker that is killed again and again on %s', (engine) => {
  let world: SharedWorld
  let database: TestDatabase
  let receiver: HostileReceiver
  beforeEach(async () => {
    database = await freshDatabase(engine)
    world = await shareDatabase(database.database, database.folder)
    receiver = await startHostileReceiver()
  })
  afterEach(async () => {
    await world.close()
    await receiver.close()
    await database.remove()
  })

  test(
    `the crash proof: ${2_000 * scale} events, a worker killed every ${perLife}, none lost`,
    async () => {
      const draft = { url: receiver.url, events: ['*'], secret, max_in_flight: 2 }
      const { id } = await registerWebhook(world.rt, world.accountId, draft)
      const total = 2_000 * scale
      const published = new Set<string>()
      for (let from = 0; from < total; from += 500) {
        const batch = Array.from({ length: 500 }, () => publish(world, { data: { text: 'a message like any other' } }))
        for (const event of await Promise.all(batch)) published.add(event)
      }
      let kills = 0
      for (let goal = perLife; goal < total; goal += perLife) {
        const worker = await world.startWorker()
        await receiver.waitForRequests(goal, 150_000)
        worker.kill()
        await worker.exited
        kills++
      }
      await world.startWorker()
      await allDelivered(world, id, 150_000)
      const arrived = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '')
      const duplicates = arrived.length - total
      const percent = (duplicates / total) * 100
      console.log(
        `crash proof on ${engine}: ${total} events, ${kills} kills, ${duplicates} duplicates (${percent.toFixed(2)} %)`,
      )
      expect(new Set(arrived)).toEqual(published)
      expect(percent).toBeLessThan(0.5)
      expect((await webhookNow(world, id)).stats).toEqual({ total_sent: total, total_failed: 0, success_rate: 100 })
      await expectRecountToAgree(world, id)
      expectGenuine(receiver.requests.slice(0, 2_000))
    },
    180_000 * scale,
  )
})
