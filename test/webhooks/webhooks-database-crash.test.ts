import { expect, test } from 'vitest'
import { steadyClock } from '../../server/src/lib/clock.ts'
import { createIds } from '../../server/src/lib/ids.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'
import { startPostgres } from '../support/postgres/postgres.ts'
import { answerAfter, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  aWebhookWorld,
  eventsAt,
  eventually,
  expectRecountToAgree,
  publish,
  secret,
} from '../support/webhook-world.ts'

test('killed while deliveries run and started again: everything arrives and is recorded', async () => {
  const server = await startPostgres({ durable: true })
  const receiver = await aReceiver()
  const world = await aWebhookWorld('sqlite', { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  const store = await openStore({ database: { kind: 'postgres', url: server.url }, now: world.clock.now() })
  const clock = steadyClock(store.clockOffsetMs)
  // A claim must outlast the wait on a busy machine, or it is given back again and again.
  const config = { ...world.rt.config, jobLeaseMs: 6_000, webhookTotalTimeoutMs: 1_500 }
  const rt: Runtime = { ...world.rt, config, store, clock, newId: createIds(clock) }
  const outside = { ...world, rt }
  const { id } = await registerWebhook(rt, world.accountId, { url: `${receiver.url}/hook`, events: ['*'], secret })
  const engine = startDeliveryEngine(rt)
  receiver.on('/hook', answerAfter(20, respond({})))
  await Promise.all(Array.from({ length: 200 }, () => publish(outside)))
  await eventually(() => eventsAt(receiver).length > 30)
  await server.kill()
  await server.restart()
  await allDelivered(outside, id, 60_000)
  const arrived = eventsAt(receiver).map(({ headers }) => headers['webhook-id'])
  expect(new Set(arrived).size).toBe(200)
  expect(arrived.length).toBeLessThanOrEqual(200 + 16)
  await expectRecountToAgree(outside, id)
  await engine.drain(2_000)
  await store.close()
  await server.stop()
  await world.dispose()
  await receiver.close()
}, 120_000)
