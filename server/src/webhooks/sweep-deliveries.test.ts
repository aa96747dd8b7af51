import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/databases.ts'
import {
  aWebhookWorld,
  deliveriesOf,
  publish,
  statusesOf,
  type WebhookWorld,
} from '../../../test/support/webhook-world.ts'
import { query } from '../store/operation.ts'
import { Unit } from '../store/unit.ts'
import { claimDeliveries } from '../store/webhook-claims.ts'
import { claimDue } from './claim-due.ts'
import { expireOldEvents } from './expire-events.ts'
import { getDelivery } from './get-delivery.ts'
import { publishEvent } from './publish-event.ts'
import { registerWebhook } from './register-webhook.ts'
import { expireBacklogs, reclaimExpired } from './sweep-deliveries.ts'
import { updateWebhook } from './update-webhook.ts'

describe.each(engines)('what is stored of deliveries on %s', (engine) => {
  let world: WebhookWorld
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { idle: true, env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
  })
  afterAll(() => world.dispose())
  beforeEach(() => {
    world.accountId = world.rt.newId('acc')
  })

  const aWebhook = async (over = {}) => {
    const draft = { url: 'https://hooks.test/', events: ['*'], ...over }
    return (await registerWebhook(world.rt, world.accountId, draft)).id
  }
  const claimOf = async (webhookId: string, room = 16) => {
    const { deliveries } = await claimDue(world.rt, { roomFor: (w) => (w.webhook_id === webhookId ? room : 0) }, '')
    return deliveries
  }

  test('an event becomes one delivery for each webhook that wants it, in its own transaction', async () => {
    const all = await aWebhook()
    const some = await aWebhook({ events: ['message.read', 'message.sent'] })
    const none = await aWebhook({ events: ['message.read'] })
    const off = await aWebhook({ active: false })
    const event = await publish(world, { type: 'message.sent' })
    const [first] = await deliveriesOf(world, all)
    expect(first).toMatchObject({ event_id: event, status: 'pending', id: `dlv_${event.slice(4)}01` })
    expect(await statusesOf(world, some)).toEqual(['pending'])
    expect(await statusesOf(world, none)).toEqual([])
    expect(await statusesOf(world, off)).toEqual(['skipped'])
  })

  test('nothing is delivered of a change that was not stored', async () => {
    const id = await aWebhook()
    const unit = new Unit()
    publishEvent(world.rt, unit, {
      accountId: world.accountId,
      type: 'message.sent',
      subject: null,
      sequence: 1,
      data: {},
    })
    unit.add(claimDeliveries[engine], { webhook_id: '', room: 1, ceiling: 1, now: 0, lease_until: 0, claim: '' })
    unit.calls.push({
      operation: { ...(unit.calls[0]?.operation ?? fail()), name: 'test.broken', sql: 'nonsense' },
      rows: [{}],
    })
    await expect(world.rt.store.write(unit)).rejects.toThrow()
    expect(await statusesOf(world, id)).toEqual([])
  })

  test('an event over 256 KiB is cut to its ids and says so', async () => {
    const id = await aWebhook()
    await publish(world, { data: { message_id: 'm1', media_id: null, sequence: 3, text: 'x'.repeat(300_000) } })
    const [delivery] = await deliveriesOf(world, id)
    const { request_body } = await getDelivery(world.rt, world.accountId, id, delivery?.id ?? '')
    const { data } = JSON.parse(request_body ?? '') as { data: unknown }
    expect(data).toEqual({ message_id: 'm1', media_id: null, sequence: 3, truncated: true })
  })

  test('two claims never hold two events of one message, nor more than the ceiling', async () => {
    const id = await aWebhook({ max_in_flight: 2 })
    for (let index = 0; index < 4; index++) await publish(world, { subject: index < 2 ? 'same' : `other ${index}` })
    const first = await claimOf(id, 1)
    const second = await claimOf(id)
    expect(first.map(({ subject }) => subject)).toEqual(['same'])
    expect(second.map(({ subject }) => subject)).toEqual(['other 2', 'other 3'])
  })

  test('a webhook in strict order has one delivery under way, whoever asks', async () => {
    const id = await aWebhook({ max_in_flight: 1 })
    for (let index = 0; index < 3; index++) await publish(world)
    expect(await claimOf(id)).toHaveLength(1)
    expect(await claimOf(id)).toHaveLength(0)
  })

  test('what a dead process held is given back when its lease is over, what a live one holds is not', async () => {
    const id = await aWebhook()
    await publish(world)
    await publish(world)
    const [held, lost] = await claimOf(id)
    await reclaimExpired(world.rt, () => false)
    expect(await statusesOf(world, id)).toEqual(['sending', 'sending'])
    world.clock.advance(world.rt.config.jobLeaseMs)
    await reclaimExpired(world.rt, (delivery) => delivery === held?.id)
    const byId = new Map((await deliveriesOf(world, id)).map(({ id: delivery, status }) => [delivery, status]))
    expect([byId.get(held?.id ?? ''), byId.get(lost?.id ?? '')]).toEqual(['sending', 'pending'])
  })

  test('beyond the limit of waiting deliveries the oldest expire', async () => {
    const id = await aWebhook()
    for (let index = 0; index < 7; index++) await publish(world)
    await expireBacklogs(world.rt, 5)
    const statuses = await statusesOf(world, id)
    expect(statuses).toEqual(['expired', 'expired', 'pending', 'pending', 'pending', 'pending', 'pending'])
    await expireBacklogs(world.rt, 5)
    expect(await statusesOf(world, id)).toEqual(statuses)
  })

  test('events, deliveries and attempts are gone after their retention, younger ones stay', async () => {
    const id = await aWebhook()
    await publish(world)
    world.clock.advance(13 * 86_400_000)
    await publish(world)
    world.clock.advance(2 * 86_400_000)
    await expireOldEvents(world.rt)
    expect(await deliveriesOf(world, id)).toHaveLength(1)
    const [left] = await world.rt.store.read(countEvents, { account_id: world.accountId })
    expect(left?.total).toBe(1)
  })

  test('two changes at once are both kept', async () => {
    const id = await aWebhook()
    const change = (changes: object) => updateWebhook(world.rt, world.accountId, id, changes)
    await Promise.all([
      change({ description: 'Orders' }),
      change({ max_in_flight: 3 }),
      change({ events: ['message.read'] }),
    ])
    const after = await change({ max_per_second: 9 })
    expect(after).toMatchObject({
      description: 'Orders',
      max_in_flight: 3,
      events: ['message.read'],
      max_per_second: 9,
    })
  })
})

const countEvents = query({
  name: 'test.count_events',
  params: { account_id: 'text' },
  returns: { total: 'int' },
  sql: 'select count(*) as total from events where account_id = :account_id',
})

function fail(): never {
  throw new Error('the unit is empty')
}
