import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aWebhookWorld, deliveriesOf, publish, type WebhookWorld } from '../../../../test/support/webhook-world.ts'
import { registerWebhook } from '../register-webhook.ts'
import { deleteWebhook } from '../update-webhook.ts'
import { findDeliveries } from './list-deliveries.ts'

describe.each(engines)('an id without its webhook on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  })
  afterAll(() => world.dispose())

  const find = (id: string, accountId = world.accountId) => findDeliveries(world.rt, { accountId, role: 'owner' }, id)
  const idsOf = ({ deliveries }: Awaited<ReturnType<typeof find>>) => deliveries.map(({ webhook_id }) => webhook_id)

  test('of an event finds its delivery at each webhook, of a delivery only that one, and nothing for others', async () => {
    const draft = { url: 'https://hooks.test/orders', events: ['*'] }
    const first = await registerWebhook(world.rt, world.accountId, draft)
    const second = await registerWebhook(world.rt, world.accountId, { ...draft, url: 'https://hooks.test/stock' })
    const event = await publish(world)
    const neighbour = await publish(world)
    expect(idsOf(await find(event)).sort()).toEqual([first.id, second.id].sort())

    const delivery = (await deliveriesOf(world, second.id)).find(({ event_id }) => event_id === event)?.id ?? ''
    const { deliveries } = await find(delivery)
    expect(deliveries).toMatchObject([{ id: delivery, webhook_id: second.id, url: 'https://hooks.test/stock' }])

    const stranger = world.rt.newId('acc')
    expect(await find(event, stranger)).toEqual({ deliveries: [], message_id: null })
    expect(await find(delivery, stranger)).toEqual({ deliveries: [], message_id: null })
    expect(await find(world.rt.newId('evt'))).toEqual({ deliveries: [], message_id: null })

    await deleteWebhook(world.rt, world.accountId, first.id)
    expect(idsOf(await find(neighbour))).toEqual([second.id])
  })

  test('of an event about a message leads to the message, with or without a webhook', async () => {
    const event = await publish(world, { type: 'message.sent', subject: 'out_1', data: { message_id: 'out_1' } })
    expect((await find(event)).message_id).toBe('out_1')
    expect((await find(event, world.rt.newId('acc'))).message_id).toBeNull()
  })
})
