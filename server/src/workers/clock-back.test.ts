import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import {
  aReceiver,
  aVerifiedWebhook,
  aWebhookWorld,
  eventually,
  publish,
  statusesOf,
  type WebhookWorld,
} from '../../../test/support/webhook-world.ts'
import { minuteMs } from '../lib/durations.ts'
import { noteClock } from './run-job.ts'

/** Of a number that may send 80 a second: eight at once. */
const rate = { numberId: 'num_1', sendsPerSecond: 80, customer: '+12025550100' }

describe.each(engines)('after a clock was put back, on %s,', (engine) => {
  let world: WebhookWorld
  beforeEach(async () => {
    world = await aWebhookWorld(engine)
    await noteClock(world.rt)
  })
  afterEach(() => world.dispose())

  /** What the runner does within a second of the jump. */
  async function putBack(minutes: number): Promise<void> {
    world.clock.advance(-minutes * minuteMs)
    await noteClock(world.rt)
  }

  test.each([30, 180])('by %i minutes, a number sends on', async (minutes) => {
    const { sendRate } = world.rt
    await sendRate.wait(rate, 3_000)
    await putBack(minutes)
    await expect(sendRate.wait({ ...rate, customer: '+12025550101' }, 3_000)).resolves.toBeUndefined()
  })

  test('a number that was slowed down sends on, and not faster than it may', async () => {
    const { sendRate } = world.rt
    sendRate.slowDown(rate)
    await putBack(30)
    const asked = Array.from({ length: 60 }, (_, n) => sendRate.wait({ ...rate, customer: `+1202555${1_000 + n}` }, 0))
    const granted = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length
    expect(granted).toBeGreaterThan(0)
    expect(granted).toBeLessThanOrEqual(8)
  })

  test('a webhook with a limit per second gets its events', async () => {
    await using cleanup = new AsyncDisposableStack()
    const receiver = await aReceiver()
    cleanup.defer(() => receiver.close())
    const webhook = await aVerifiedWebhook(world, { url: receiver.url, max_per_second: 5 })
    await publish(world)
    await eventually(async () => (await statusesOf(world, webhook)).every((status) => status === 'delivered'))
    await putBack(30)
    await publish(world)
    world.pass(3_000)
    await eventually(async () => (await statusesOf(world, webhook)).every((status) => status === 'delivered'))
    expect(await statusesOf(world, webhook)).toEqual(['delivered', 'delivered'])
  })
})
