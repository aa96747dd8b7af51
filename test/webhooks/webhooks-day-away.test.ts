import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { publishEvent } from '../../server/src/events/publish-event.ts'
import { expireOldEvents } from '../../server/src/events/read-feed.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { watchWebhooks } from '../../server/src/webhooks/delivery/sweep-deliveries.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { resetConnection, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

/** Twenty messages a second are 72,000 an hour; the days of the clock are whole here, the rate is not. */
const eventsAnHour = scaled(4)

let world: WebhookWorld
let receiver: CheckedReceiver
afterEach(async () => {
  await world.dispose()
  await receiver.close()
})

describe.each(engines)('a receiver that is away for a day, on %s', (engine) => {
  test('first without an answer, then with 503, gets everything when it is back, and nothing twice', async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine)
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    const published: string[] = []
    for (let hour = 0; hour < 24; hour++) {
      receiver.on('/hook', hour < 12 ? resetConnection() : respond({ status: 503 }))
      published.push(...(await publishMany(eventsAnHour)))
      await anHour()
    }
    expect(eventsAt(receiver).length).toBeGreaterThan(published.length / 2)
    const waiting = await deliveriesOf(world, id)
    expect(waiting.map(({ event_id }) => event_id).sort()).toEqual(published.toSorted())
    expect(waiting.filter(({ status }) => status !== 'pending' && status !== 'sending')).toEqual([])

    const arrived: string[] = []
    receiver.on('/hook', {
      run(exchange) {
        arrived.push(exchange.request.headers['webhook-id'] ?? '')
        return respond({}).run(exchange)
      },
    })
    for (let hour = 0; (await statusesOf(world, id)).some((status) => status !== 'delivered'); hour++) {
      expect(hour).toBeLessThan(48)
      await anHour()
    }
    expect(arrived.sort()).toEqual(published.toSorted())
    expect((await webhookNow(world, id)).active).toBe(true)
    recordFigure('a day away', `${engine}: events of that day, each delivered once when it was back`, published.length)
  })

  /** With what looks after webhooks and deletes by age meanwhile: nothing may go. */
  async function anHour(): Promise<void> {
    for (let part = 0; part < 2; part++) {
      world.pass(30 * minuteMs)
      // A machine that is busy must not skip an attempt.
      for (let seen = -1; seen !== receiver.requests.length; ) {
        seen = receiver.requests.length
        await delay(15)
      }
    }
    await watchWebhooks(world.rt)
    await expireOldEvents(world.rt)
  }

  async function publishMany(count: number): Promise<string[]> {
    const unit = new Unit()
    const event = { accountId: world.accountId, type: 'message.sent', subject: null, sequence: 1, data: {} } as const
    const ids = Array.from({ length: count }, () => publishEvent(world.rt, unit, event))
    await world.rt.store.write(unit)
    return ids
  }
})
