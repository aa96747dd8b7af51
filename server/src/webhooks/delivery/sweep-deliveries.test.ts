import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import {
  aWebhookWorld,
  deliveriesOf,
  publish,
  statusesOf,
  type WebhookWorld,
} from '../../../../test/support/webhook-world.ts'
import { publishEvent } from '../../events/publish-event.ts'
import { expireOldEvents } from '../../events/read-feed.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { query } from '../../store/engine/operation.ts'
import { Unit } from '../../store/engine/unit.ts'
import { cancelWaiting, moveWaiting } from '../../store/webhooks/deliveries.ts'
import type { WaitingWebhook } from '../../store/webhooks/delivery-claims.ts'
import { claimDue } from '../queue/claim-due.ts'
import { registerWebhook } from '../register-webhook.ts'
import { getDelivery } from '../replay/get-delivery.ts'
import { replayDeliveries } from '../replay/replay-deliveries.ts'
import { updateWebhook } from '../update-webhook.ts'
import { expireBacklogs, reclaimExpired, tidyHeld } from './sweep-deliveries.ts'

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
  const claimOf = async (webhookId: string, room = 16, worker = 'one') => {
    const roomFor = (w: WaitingWebhook) => (w.webhook_id === webhookId ? room : 0)
    return (await claimDue(world.rt, { worker, room: () => 1_000, roomFor, roomOfAccount: () => 1_000 }, '')).deliveries
  }

  const expired = async () => {
    const sample = /postern_webhook_deliveries_total\{event="message.sent",result="expired"\} (\d+)/
    return Number(sample.exec(await world.rt.metrics.render())?.[1] ?? 0)
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

  test('a webhook in strict order has one delivery under way, however many claim', async () => {
    const id = await aWebhook({ max_in_flight: 1 })
    for (let index = 0; index < 3; index++) await publish(world)
    expect(await claimOf(id)).toHaveLength(1)
    expect(await claimOf(id)).toHaveLength(0)
  })

  test('while two processes hold deliveries of a webhook, together they hold no more than may be under way', async () => {
    const id = await aWebhook({ max_in_flight: 4 })
    for (let index = 0; index < 40; index++) await publish(world)
    expect(await claimOf(id, 2, 'one')).toHaveLength(2)
    expect(await claimOf(id, 16, 'two')).toHaveLength(2)
    expect(await claimOf(id, 16, 'one')).toHaveLength(0)
  })

  test('a process alone with a webhook claims ahead of what can start, and another one gets nothing beside that', async () => {
    const id = await aWebhook({ max_in_flight: 4 })
    for (let index = 0; index < 40; index++) await publish(world)
    expect(await claimOf(id, 30, 'one')).toHaveLength(20)
    expect(await claimOf(id, 30, 'two')).toHaveLength(0)
  })

  test('one round claims no more than there is room for in all, in equal parts, and the next begins with those that got none', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => aWebhook()))
    for (let index = 0; index < 10; index++) await publish(world)
    const mine = (waiting: WaitingWebhook) => (ids.includes(waiting.webhook_id) ? 10 : 0)
    const take = (room: number, cursor: string) =>
      claimDue(world.rt, { worker: 'one', room: () => room, roomFor: mine, roomOfAccount: () => room }, cursor)
    const counts = (deliveries: { webhook_id: string }[]) =>
      ids.toSorted().map((id) => deliveries.filter(({ webhook_id }) => webhook_id === id).length)
    const first = await take(11, '')
    expect(counts(first.deliveries)).toEqual([2, 2, 2, 2, 3])
    const second = await take(3, '')
    expect(counts(second.deliveries)).toEqual([1, 1, 1, 0, 0])
    const third = await take(100, second.cursor)
    expect(counts(third.deliveries)).toEqual([0, 0, 0, 8, 7])
    expect(await take(0, '')).toMatchObject({ deliveries: [], againInMs: Number.POSITIVE_INFINITY })
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

  test('what waits expires when its time is over, the oldest first, and is counted; a replay still sends it', async () => {
    const id = await aWebhook({ events: ['message.sent'] })
    const other = await aWebhook({ events: ['webhook.failing'] })
    const rt = { ...world.rt, config: { ...world.rt.config, webhookBacklogHours: 1 } }
    world.clock.advance(2 * hourMs)
    await expireBacklogs(rt)
    const since = new Date(world.clock.now()).toISOString()
    for (let index = 0; index < 7; index++) await publish(world)
    const [underWay] = await claimOf(id, 1)
    const before = await expired()
    world.clock.advance(2 * hourMs)
    await publish(world)
    await expireBacklogs(rt, 2)
    const statuses = Object.fromEntries((await deliveriesOf(world, id)).map((row) => [row.id, row.status]))
    expect(statuses[underWay?.id ?? '']).toBe('sending')
    expect(Object.values(statuses).toSorted()).toEqual([...Array(6).fill('expired'), 'pending', 'sending'])
    expect((await expired()) - before).toBe(6)
    const [notice, ...more] = await deliveriesOf(world, other)
    const { request_body } = await getDelivery(world.rt, world.accountId, other, notice?.id ?? '')
    expect(more).toEqual([])
    expect(JSON.parse(request_body ?? '')).toMatchObject({ type: 'webhook.failing', data: { id } })
    expect(await replayDeliveries(world.rt, world.accountId, id, { since })).toMatchObject({ matched: 6, queued: 6 })
  })

  test('a receiver that is away for as long as events are kept loses nothing', async () => {
    const id = await aWebhook()
    for (let index = 0; index < 3; index++) await publish(world)
    world.clock.advance(13 * dayMs)
    await expireBacklogs(world.rt)
    expect(await statusesOf(world, id)).toEqual(['pending', 'pending', 'pending'])
    world.clock.advance(1 * dayMs + 1)
    await expireBacklogs(world.rt)
    expect(await statusesOf(world, id)).toEqual(['expired', 'expired', 'expired'])
  })

  test('what is held while the check is waived goes out', async () => {
    const id = await aWebhook()
    await publish(world)
    const unit = new Unit()
    unit.add(moveWaiting, { webhook_id: id, status: 'held' })
    await world.rt.store.write(unit)
    await tidyHeld(world.rt)
    expect(await statusesOf(world, id)).toEqual(['pending'])
  })

  test('events, deliveries and attempts are gone after their retention, younger ones stay', async () => {
    const id = await aWebhook()
    await publish(world)
    const unit = new Unit()
    unit.add(cancelWaiting, { webhook_id: id })
    await world.rt.store.write(unit)
    world.clock.advance(13 * 86_400_000)
    await publish(world)
    world.clock.advance(2 * 86_400_000)
    await expireOldEvents(world.rt)
    expect(await deliveriesOf(world, id)).toHaveLength(1)
    const [left] = await world.rt.store.read(countEvents, { account_id: world.accountId })
    expect(left?.total).toBe(1)
  })

  test('a delivery that is under way stays beyond its retention, and ends without its event', async () => {
    const id = await aWebhook()
    const event = await publish(world)
    expect(await claimOf(id)).toHaveLength(1)
    world.clock.advance(15 * dayMs)
    await expireBacklogs(world.rt)
    await expireOldEvents(world.rt)
    expect(await deliveriesOf(world, id)).toMatchObject([{ event_id: event, status: 'sending' }])
    const [left] = await world.rt.store.read(countEvents, { account_id: world.accountId })
    expect(left?.total).toBe(0)
    await reclaimExpired(world.rt, () => false)
    expect(await claimOf(id)).toMatchObject([{ event_id: event, body: null }])
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
