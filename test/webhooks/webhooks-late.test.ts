import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { measureQueue } from '../../server/src/webhooks/delivery/sweep-deliveries.ts'
import { listFailingWebhooks } from '../../server/src/webhooks/find-webhook.ts'
import { engines } from '../support/postgres/databases.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  attemptsReach,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  publish,
  type WebhookWorld,
} from '../support/webhook-world.ts'

describe.each(engines)('deliveries that are late, on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine)
  })
  afterAll(() => world.dispose())

  async function oldestAge(): Promise<number> {
    await measureQueue(world.rt)
    const found = /^postern_webhook_queue_oldest_age_seconds (\S+)$/m.exec(await world.rt.metrics.render())
    return Number(found?.[1])
  }

  async function isReady(webhookId: string): Promise<boolean> {
    const waiting = await deliveriesOf(world, webhookId)
    return waiting.some(({ status, due_at }) => status === 'pending' && due_at <= world.clock.now())
  }

  test("one tenant's dead server is no lateness of the gateway, and the operator finds whose it is", async () => {
    const dead = await aReceiver()
    const failing = await aVerifiedWebhook(world, { url: `${dead.url}/hook?token=of-the-receiver` })
    await dead.close()
    const failingAccount = world.accountId
    // Five attempts without a response; what is published then waits until the circuit lets a probe through.
    for (const _ of Array.from({ length: 5 })) await publish(world)
    await attemptsReach(world, failing, 5)
    await publish(world)
    await world.engine.drain(2_000)
    world.clock.advance(20 * minuteMs)
    expect(await isReady(failing)).toBe(true)
    expect(await oldestAge()).toBe(0)
    const [found, ...others] = await listFailingWebhooks(world.rt)
    expect(others).toEqual([])
    expect(found).toEqual({
      account_id: failingAccount,
      account_name: null,
      webhook_id: failing,
      server: dead.url,
      failing_since: expect.any(String),
      paused_until: null,
      waiting_since: expect.any(String),
      last_response: expect.stringMatching(/refused/i),
    })
    world.restart()
  })

  test('a webhook whose receiver asked for a pause does not count', async () => {
    world.accountId = world.rt.newId('acc')
    const receiver = await aReceiver()
    const paused = await aVerifiedWebhook(world, { url: receiver.url })
    receiver.next(respond({ status: 429, headers: { 'retry-after': '1800' } }))
    await publish(world)
    await attemptsReach(world, paused, 1)
    await publish(world)
    await world.engine.drain(2_000)
    world.clock.advance(10 * minuteMs)
    expect(await isReady(paused)).toBe(true)
    expect(await oldestAge()).toBe(0)
    const ofAccount = async () =>
      (await listFailingWebhooks(world.rt)).filter(({ account_id }) => account_id === world.accountId)
    expect(await ofAccount()).toMatchObject([
      { webhook_id: paused, paused_until: expect.any(String), last_response: '429' },
    ])
    world.restart()
    await receiver.close()
  })

  test('what waits for a webhook that works is late', async () => {
    world.accountId = world.rt.newId('acc')
    const receiver = await aReceiver()
    const healthy = await aVerifiedWebhook(world, { url: receiver.url })
    await world.engine.drain(2_000)
    await publish(world)
    world.clock.advance(10 * minuteMs)
    expect(await isReady(healthy)).toBe(true)
    expect(await oldestAge()).toBe(600)
    world.restart()
    await receiver.close()
  })
})
