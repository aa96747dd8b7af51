import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { type SharedWorld, shareDatabase } from '../support/delivery-process.ts'
import { engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { allDelivered, aReceiver, expectRecountToAgree, publish, secret, webhookNow } from '../support/webhook-world.ts'

type Trial = { total: number; perLife: number; maxInFlight?: number }
type Outcome = { kills: number; duplicates: number; percent: number }

describe.each(engines)('a worker that is killed again and again on %s', (engine) => {
  let world: SharedWorld
  let database: TestDatabase
  let receiver: CheckedReceiver
  beforeEach(async () => {
    database = await freshDatabase(engine)
    world = await shareDatabase(database.database, database.folder)
    receiver = await aReceiver()
  })
  afterEach(async () => {
    await world.close()
    await receiver.close()
    await database.remove()
  })

  /** Publishes all, kills a worker after every life of so many deliveries, and accounts for every event. */
  async function survive({ total, perLife, maxInFlight }: Trial): Promise<Outcome> {
    const cap = maxInFlight === undefined ? {} : { max_in_flight: maxInFlight }
    const draft = { url: receiver.url, events: ['*'], secret, ...cap }
    const { id } = await registerWebhook(world.rt, world.accountId, draft)
    const published = await publishAll(total)
    let kills = 0
    for (let goal = perLife; goal < total; goal += perLife) {
      const worker = await world.startWorker()
      await receiver.waitForRequests(goal, 150_000)
      worker.kill('SIGKILL')
      await worker.exited
      kills++
    }
    await world.startWorker()
    await allDelivered(world, id, 150_000)
    const arrived = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '')
    expect(new Set(arrived)).toEqual(published)
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: total, total_failed: 0, success_rate: 100 })
    await expectRecountToAgree(world, id)
    const duplicates = arrived.length - total
    return { kills, duplicates, percent: (duplicates / total) * 100 }
  }

  async function publishAll(total: number): Promise<Set<string>> {
    const published = new Set<string>()
    for (let from = 0; from < total; from += 500) {
      const count = Math.min(500, total - from)
      const batch = Array.from({ length: count }, () => publish(world, { data: { text: 'a message like any other' } }))
      for (const event of await Promise.all(batch)) published.add(event)
    }
    return published
  }

  function report({ total, perLife }: Trial, places: string, { kills, duplicates, percent }: Outcome): void {
    const figure = (name: string, value: number | string) =>
      recordFigure('webhook crash', `${engine}, ${places}, killed after every ${perLife}: ${name}`, value)
    figure('events, all of them delivered and verified', total)
    figure('kills', kills)
    figure('duplicates', duplicates)
    figure('duplicates (%)', percent.toFixed(2))
  }

  // A crash repeats at most as many deliveries as the webhook has places: with two, 0.4 % of a life of 500.
  const narrow = { total: scaled(1_000), perLife: 500, maxInFlight: 2 }
  test(
    `the crash proof: ${narrow.total} events, a worker killed after every ${narrow.perLife}, none lost`,
    async () => {
      const outcome = await survive(narrow)
      report(narrow, '2 places', outcome)
      expect(outcome.percent).toBeLessThan(0.5)
    },
    scaled(180_000),
  )

  // With the 16 places of a webhook that did not choose, a crash may repeat 16: told for what it is, and not bounded.
  const usual = { total: scaled(400), perLife: 200 }
  test(
    `with as many places as by default ${usual.total} events survive kills after every ${usual.perLife} too`,
    async () => {
      report(usual, '16 places (default)', await survive(usual))
    },
    scaled(60_000),
  )
})
