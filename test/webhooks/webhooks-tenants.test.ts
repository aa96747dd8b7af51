import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { updateWebhook } from '../../server/src/webhooks/update-webhook.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { type Exchange, neverAnswer, serialise } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  allDelivered,
  aReceiver,
  attemptsOf,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  publish,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

const stateOf = query({
  name: 'test.webhook_state',
  params: { id: 'text' },
  returns: { failing_since: 'int?', paused_until: 'int' },
  lane: 'list',
  sql: 'select failing_since, paused_until from webhook_states where webhook_id = :id',
})

describe.each(engines)('webhooks beside others, on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  beforeEach(async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine, { env: { POSTERN_WEBHOOK_CONCURRENCY: '8' } })
  })
  afterEach(async () => {
    await receiver.close()
    await world.dispose()
  })

  test('an event reaches the webhooks of its own account, and of no other', async () => {
    const other = { ...world, accountId: world.rt.newId('acc') }
    const [mine, theirs] = [
      await aVerifiedWebhook(world, { url: `${receiver.url}/mine` }),
      await aVerifiedWebhook(other, { url: `${receiver.url}/theirs` }),
    ]
    const event = await publish(world)
    await allDelivered(world, mine)
    expect((await deliveriesOf(world, mine)).map(({ event_id }) => event_id)).toEqual([event])
    expect(await deliveriesOf(world, theirs)).toEqual([])
    expect([eventsAt(receiver, '/mine').length, eventsAt(receiver, '/theirs').length]).toEqual([1, 0])
  })

  test.each([
    [410, {}],
    [500, {}],
    [429, { 'retry-after': '86400' }],
  ])(
    'an address answers %i after the webhook has left it: the new one gets the delivery at once',
    async (status, headers) => {
      const old: { answer?: () => void } = {}
      const id = await aVerifiedWebhook(world, { url: `${receiver.url}/old` })
      receiver.on('/old', {
        run: ({ socket }: Exchange) => {
          old.answer = () => socket.write(serialise({ status, headers }))
        },
      })
      const event = await publish(world)
      await eventually(() => old.answer !== undefined)
      await updateWebhook(world.rt, world.accountId, id, { url: `${receiver.url}/new` })
      await eventually(async () => (await webhookNow(world, id)).verification.status === 'verified')
      old.answer?.()
      await eventually(async () => (await attemptsOf(world, id)).length === 2)
      expect(await deliveriesOf(world, id)).toMatchObject([{ event_id: event, status: 'delivered', attempts: 2 }])
      expect(await webhookNow(world, id)).toMatchObject({
        active: true,
        disabled_reason: null,
        stats: { total_sent: 1, total_failed: 0 },
      })
      expect(await world.rt.store.read(stateOf, { id })).toEqual([{ failing_since: null, paused_until: 0 }])
      expect(eventsAt(receiver, '/new')).toHaveLength(1)
    },
  )

  test('a receiver that is gone cancels also what was under way to it and failed afterwards', async () => {
    const answers: ((status: number) => void)[] = []
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/gone` })
    receiver.on('/gone', {
      run: ({ socket }: Exchange) => void answers.push((status) => socket.write(serialise({ status }))),
    })
    for (let count = 0; count < 2; count++) await publish(world)
    await eventually(() => answers.length === 2)
    answers[0]?.(410)
    await eventually(async () => !(await webhookNow(world, id)).active)
    answers[1]?.(500)
    await eventually(async () => (await attemptsOf(world, id)).length === 2)
    expect((await deliveriesOf(world, id)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })

  test('an account whose receivers all fall silent after good days delays nobody else', async () => {
    const silent: string[] = []
    for (const name of ['a', 'b', 'c']) {
      silent.push(await aVerifiedWebhook(world, { url: `${receiver.url}/silent/${name}` }))
    }
    await publish(world)
    await eventually(async () => (await Promise.all(silent.map((id) => attemptsOf(world, id)))).flat().length === 3)
    for (const name of ['a', 'b', 'c']) receiver.on(`/silent/${name}`, neverAnswer())
    for (let count = 0; count < 20; count++) await publish(world)
    const heard = () => receiver.requests.filter(({ path }) => path.startsWith('/silent/')).length
    // Three checks, three events and as many at once as the account may have.
    await eventually(() => heard() >= 6 + 6)
    const other = { ...world, accountId: world.rt.newId('acc') }
    const id = await aVerifiedWebhook(other, { url: `${receiver.url}/healthy` })
    await publish(other)
    await eventually(async () => (await attemptsOf(world, id)).length === 1)
    expect(heard()).toBe(12)
  })
})
