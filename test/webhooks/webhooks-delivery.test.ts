import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bodyOf } from '../../server/src/events/publish-event.ts'
import { dayMs, hourMs } from '../../server/src/lib/durations.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { eventColumns } from '../../server/src/store/webhooks/events.ts'
import { measureQueue, watchWebhooks } from '../../server/src/webhooks/delivery/sweep-deliveries.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { getDelivery } from '../../server/src/webhooks/replay/get-delivery.ts'
import { listDeliveries } from '../../server/src/webhooks/replay/list-deliveries.ts'
import { replayDeliveries, retryDelivery } from '../../server/src/webhooks/replay/replay-deliveries.ts'
import { deleteWebhook, rotateSecret, updateWebhook } from '../../server/src/webhooks/update-webhook.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { answerAfter, respond, serialise } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  attemptsOf,
  attemptsReach,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectRecountToAgree,
  expectSignedWith,
  publish,
  secret,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

describe.each(engines)('deliveries on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  const webhooks: string[] = []
  beforeAll(async () => {
    world = await aWebhookWorld(engine)
  })
  afterAll(() => world.dispose())
  beforeEach(async () => {
    receiver = await aReceiver()
    world.accountId = world.rt.newId('acc')
    webhooks.length = 0
  })
  // 45: after every one of these cases the statistics are what a recount of the log gives, and everything verifies.
  afterEach(async () => {
    for (const id of webhooks) {
      const stillThere = await webhookNow(world, id).catch(() => null)
      if (stillThere) await expectRecountToAgree(world, id)
    }
    await receiver.close()
  })

  async function aWebhook(path = '/hook', over = {}): Promise<string> {
    const id = await aVerifiedWebhook(world, { url: receiver.url + path, ...over })
    webhooks.push(id)
    return id
  }
  const statusOf = async (id: string) => (await statusesOf(world, id))[0]
  const pauseOf = async (id: string) => {
    const [row] = await world.rt.store.read(pausedUntil, { id })
    return Math.round(((row?.paused_until ?? 0) - world.clock.now()) / 1_000)
  }

  test.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [304, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
    [500, 'pending'],
  ])('status %i makes the delivery %s', async (status, expected) => {
    const id = await aWebhook()
    receiver.on('/hook', respond({ status }))
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt?.status_code).toBe(status)
    expect(await statusOf(id)).toBe(expected)
  })

  test.each([
    [301, 'elsewhere', '/elsewhere'],
    [302, 'elsewhere', '/elsewhere'],
    [307, 'elsewhere', '/elsewhere'],
    [308, 'elsewhere', '/elsewhere'],
    [307, 'itself', '/hook'],
  ])('a redirect with %i to %s is not followed', async (status, _, path) => {
    const id = await aWebhook()
    receiver.on('/hook', respond({ status, headers: { location: receiver.url + path } }))
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt).toMatchObject({ status_code: status, error_code: 'redirect_not_followed' })
    expect(attempt?.error_message).toContain(`127.0.0.1:${receiver.port}`)
    await publishElsewhereAndWait()
    expect(await attemptsOf(world, id)).toHaveLength(1)
    expect(eventsAt(receiver).map((request) => request.path)).toEqual(['/hook', '/other'])
  })

  test('410 disables the webhook at once, cancels what waits, and tells the others once', async () => {
    const witness = await aWebhook('/witness', { events: ['webhook.disabled'] })
    const id = await aWebhook('/hook', { events: ['message.sent'] })
    receiver.on('/hook', respond({ status: 500 }))
    await publish(world)
    await publish(world)
    await attemptsReach(world, id, 2)
    receiver.on('/hook', respond({ status: 410 }))
    await publish(world)
    await eventually(async () => !(await webhookNow(world, id)).active)
    expect(await webhookNow(world, id)).toMatchObject({ active: false, disabled_reason: 'gone' })
    expect(await statusesOf(world, id)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    await eventually(async () => (await statusesOf(world, witness)).includes('delivered'))
    await publish(world)
    expect(await statusesOf(world, id)).toEqual(['cancelled', 'cancelled', 'cancelled', 'skipped'])
    expect(await statusesOf(world, witness)).toEqual(['delivered'])
    expect(JSON.parse(String(eventsAt(receiver, '/witness')[0]?.body)).data).toMatchObject({ id, active: false })
    expect(world.logLines.filter((line) => line.includes(id) && line.includes('webhook.disabled"'))).toHaveLength(1)
  })

  test.each([
    ['120 seconds', 429, '120', 120],
    ['an HTTP date', 429, 'date', 300],
    ['far too much', 429, '99999999', 86_400],
    ['a negative number', 429, '-5', 1],
    ['nonsense', 429, 'abc', 60],
    ['nothing', 429, undefined, 60],
    ['the first of two', 429, ['30', '600'], 30],
    ['with 503', 503, '45', 45],
  ])('Retry-After of %s pauses the whole webhook', async (_, status, given, seconds) => {
    const id = await aWebhook()
    const value = given === 'date' ? new Date(world.clock.now() + 300_500).toUTCString() : given
    receiver.next(respond({ status, ...(value === undefined ? {} : { headers: { 'retry-after': value } }) }))
    await publish(world)
    await attemptsReach(world, id, 1)
    expect(await pauseOf(id)).toBe(seconds)
    const second = await publish(world)
    world.pass(seconds * 1_000 - 500)
    await publishElsewhereAndWait()
    expect(eventsAt(receiver, '/hook')).toHaveLength(1)
    world.pass(dayMs)
    await eventually(() => eventsAt(receiver, '/hook').some(({ headers }) => headers['webhook-id'] === second))
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
  })

  /** Proof that the engine has looked since: something else that was committed later has arrived. */
  async function publishElsewhereAndWait(): Promise<void> {
    const own = world.accountId
    world.accountId = world.rt.newId('acc')
    const other = await aVerifiedWebhook(world, { url: `${receiver.url}/other` })
    await publish(world)
    await eventually(async () => (await statusesOf(world, other))[0] === 'delivered')
    world.accountId = own
  }

  test('always 500: attempts at the schedule, then failed; warned at 24 h, disabled at 72 h, once each', async () => {
    const witness = await aWebhook('/witness', { events: ['webhook.failing', 'webhook.disabled'] })
    const id = await aWebhook('/hook', { events: ['message.sent'] })
    receiver.on('/hook', respond({ status: 500 }))
    for (let index = 0; index < 12; index++) await publish(world)
    const delaysMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, 2 * hourMs, 6 * hourMs, 12 * hourMs, 24 * hourMs]
    const startedAt = world.clock.now()
    const watchAt = async (sinceStartMs: number) => {
      world.clock.set(startedAt + sinceStartMs)
      // Twice: what is told is told once.
      await watchWebhooks(world.rt)
      await watchWebhooks(world.rt)
      world.engine.wake()
    }
    for (const [made, delayMs] of delaysMs.entries()) {
      await attemptsReach(world, id, 12 * (made + 1))
      await eventually(async () => (await deliveriesOf(world, id)).every(({ status }) => status === 'pending'))
      for (const { due_at } of await deliveriesOf(world, id)) {
        expect(due_at - world.clock.now()).toBeGreaterThanOrEqual(delayMs * 0.9)
        expect(due_at - world.clock.now()).toBeLessThanOrEqual(delayMs * 1.1)
      }
      const nextAt = world.clock.now() - startedAt + delayMs * 1.1
      // The first day ends while the last attempt is waited for.
      if (delayMs === dayMs) {
        await watchAt(24 * hourMs - 1_000)
        expect(await deliveriesOf(world, witness)).toEqual([])
        await watchAt(24 * hourMs)
        await eventually(async () => (await statusesOf(world, witness))[0] === 'delivered')
      }
      await watchAt(nextAt)
    }
    await attemptsReach(world, id, 120)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'failed'))
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 12, total_failed: 12, success_rate: 0 })
    await watchAt(72 * hourMs - 1_000)
    expect((await webhookNow(world, id)).active).toBe(true)
    await watchAt(72 * hourMs)
    expect(await webhookNow(world, id)).toMatchObject({ active: false, disabled_reason: 'failing' })
    await eventually(async () => (await statusesOf(world, witness))[1] === 'delivered')
    const told = eventsAt(receiver, '/witness').map(({ headers }) => headers['x-postern-event'])
    expect(told).toEqual(['webhook.failing', 'webhook.disabled'])
  })

  test('nine failures and a success: delivered, and nothing is failing any more', async () => {
    const id = await aWebhook()
    receiver.next(...Array.from({ length: 9 }, () => respond({ status: 503 })))
    const event = await publish(world)
    for (let made = 1; made <= 9; made++) {
      await attemptsReach(world, id, made)
      if (made === 1) expect((await webhookNow(world, id)).stats).toMatchObject({ total_sent: 1, total_failed: 1 })
      await eventually(async () => (await statusOf(id)) === 'pending')
      world.pass(27 * hourMs)
    }
    await eventually(async () => (await statusOf(id)) === 'delivered')
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 1, total_failed: 0, success_rate: 100 })
    const [row] = await world.rt.store.read(pausedUntil, { id })
    expect(row?.failing_since).toBeNull()
    const requests = eventsAt(receiver)
    expect(requests.map(({ headers }) => headers['x-postern-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
    ])
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event]))
  })

  test('a rotated secret signs beside the old one for a day, then alone', async () => {
    const id = await aWebhook()
    const rotated = await rotateSecret(world.rt, world.accountId, id, {})
    expect(rotated.secret).toMatch(/^whsec_/)
    receiver.expectSecrets('/hook', secret, rotated.secret)
    await publish(world)
    await attemptsReach(world, id, 1)
    const [both] = eventsAt(receiver)
    expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const key of [secret, rotated.secret]) expectSignedWith(key, eventsAt(receiver))
    world.pass(dayMs - 1_000)
    await publish(world)
    await attemptsReach(world, id, 2)
    expect(eventsAt(receiver)[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    receiver.expectSecrets('/hook', rotated.secret)
    world.pass(1_000)
    await publish(world)
    await attemptsReach(world, id, 3)
    expect(eventsAt(receiver)[2]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expectSignedWith(rotated.secret, eventsAt(receiver))
  })

  test('a secret replaced by PUT signs alone at once; without a secret there is no signature', async () => {
    const id = await aWebhook()
    await updateWebhook(world.rt, world.accountId, id, { secret: 'plain text secret' })
    receiver.expectSecrets('/hook', 'plain text secret')
    await publish(world)
    await attemptsReach(world, id, 1)
    expectSignedWith('plain text secret', eventsAt(receiver))
    await updateWebhook(world.rt, world.accountId, id, { secret: null })
    receiver.expectSecrets('/hook', null)
    await publish(world)
    await attemptsReach(world, id, 2)
    expect(eventsAt(receiver)[1]?.headers['webhook-signature']).toBeUndefined()
    expect(eventsAt(receiver)[1]?.headers['webhook-id']).toMatch(/^evt_/)
  })

  test('each webhook signs with its own secret, never with that of another', async () => {
    receiver.expectSecrets('/one', 'the first one')
    receiver.expectSecrets('/two', 'the second one')
    const one = await aWebhook('/one', { secret: 'the first one' })
    const two = await aWebhook('/two', { secret: 'the second one' })
    await publish(world)
    for (const id of [one, two]) await attemptsReach(world, id, 1)
    expectSignedWith('the first one', eventsAt(receiver, '/one'))
    expectSignedWith('the second one', eventsAt(receiver, '/two'))
  })

  test('switched off while queued and in flight: what runs finishes, nothing starts', async () => {
    const id = await aWebhook('/hook', { max_in_flight: 1 })
    receiver.on('/hook', answerAfter(150, respond({ status: 500 })))
    await publish(world)
    await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    await updateWebhook(world.rt, world.accountId, id, { active: false })
    await attemptsReach(world, id, 1)
    world.pass(hourMs)
    await publishElsewhereAndWait()
    expect(eventsAt(receiver, '/hook')).toHaveLength(1)
    expect(await statusesOf(world, id)).toEqual(['skipped', 'skipped'])
    await updateWebhook(world.rt, world.accountId, id, { active: true })
    await publishElsewhereAndWait()
    expect(eventsAt(receiver, '/hook')).toHaveLength(1)
    expect((await webhookNow(world, id)).verification.status).toBe('verified')
  })

  test('deleted while queued and in flight: what runs finishes, nothing starts, the log stays', async () => {
    const id = await aWebhook('/hook', { max_in_flight: 1 })
    receiver.on('/hook', answerAfter(150, respond({ status: 500 })))
    await publish(world)
    await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    await deleteWebhook(world.rt, world.accountId, id)
    await expect(deleteWebhook(world.rt, world.accountId, id)).rejects.toMatchObject({ code: 'webhook_not_found' })
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'cancelled'))
    await publishElsewhereAndWait()
    expect(eventsAt(receiver, '/hook')).toHaveLength(1)
    expect(await attemptsOf(world, id)).toHaveLength(1)
  })

  test('the bytes sent are the bytes stored and signed, also after a replay', async () => {
    const id = await aWebhook()
    const data = { z: 'emoji 💬 \u2028 </script>', a: 1e300, huge: '1e400', nested: { b: 1, a: [true, null] } }
    const event = await publish(world, { data })
    await attemptsReach(world, id, 1)
    const since = new Date(world.clock.now() - hourMs).toISOString()
    await replayDeliveries(world.rt, world.accountId, id, { since, status: 'all' })
    await attemptsReach(world, id, 2)
    const [row] = await world.rt.store.read(eventBody, { id: event })
    const [first, second] = eventsAt(receiver)
    expect(first?.body).toEqual(Buffer.from(row ? bodyOf(row) : ''))
    expect(second?.body).toEqual(first?.body)
    expect(JSON.parse(String(first?.body))).toMatchObject({ id: event, api_version: 'v1', data })
    expect((await attemptsOf(world, id)).map(({ cause }) => cause)).toEqual(['schedule', 'replay'])
  })

  test('one event to three webhooks, one failing: only that one is tried again, with the same id', async () => {
    const [one, two, bad] = [await aWebhook('/one'), await aWebhook('/two'), await aWebhook('/bad')]
    receiver.on('/bad', respond({ status: 500 }))
    const event = await publish(world)
    await attemptsReach(world, bad, 1)
    await eventually(async () => (await statusOf(bad)) === 'pending')
    world.pass(6_000)
    await attemptsReach(world, bad, 2)
    for (const good of [one, two]) {
      expect(await statusesOf(world, good)).toEqual(['delivered'])
      expect(await attemptsOf(world, good)).toHaveLength(1)
    }
    expect(new Set(eventsAt(receiver).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event]))
  })

  test('ten retries by hand at once make one attempt, in place of the automatic one', async () => {
    const id = await aWebhook()
    receiver.on('/hook', respond({ status: 500 }))
    await publish(world)
    await attemptsReach(world, id, 1)
    await eventually(async () => (await statusOf(id)) === 'pending')
    const [delivery] = await deliveriesOf(world, id)
    receiver.on('/hook', answerAfter(100, respond({ status: 200 })))
    const retry = () => retryDelivery(world.rt, world.accountId, id, delivery?.id ?? '')
    await Promise.all(Array.from({ length: 10 }, retry))
    await eventually(async () => (await statusOf(id)) === 'delivered')
    world.pass(hourMs)
    await publishElsewhereAndWait()
    const log = await attemptsOf(world, id)
    expect(log.map(({ cause, number }) => [cause, number])).toEqual([
      ['schedule', 1],
      ['manual', 2],
    ])
    expect(eventsAt(receiver, '/hook')).toHaveLength(2)
  })

  test('a replay reaches back 14 days and not 15; two at once are one; not while inactive', async () => {
    const id = await aWebhook()
    await updateWebhook(world.rt, world.accountId, id, { active: false })
    for (let index = 0; index < 3; index++) await publish(world)
    const replay = (days: number) => {
      const since = new Date(world.clock.now() - days * dayMs + 1_000).toISOString()
      return replayDeliveries(world.rt, world.accountId, id, { since })
    }
    await expect(replay(1)).rejects.toMatchObject({ code: 'webhook_inactive' })
    await updateWebhook(world.rt, world.accountId, id, { active: true })
    await expect(replay(15)).rejects.toMatchObject({ code: 'invalid_date_range' })
    const silence = Promise.withResolvers<void>()
    receiver.on('/hook', { run: ({ socket }) => silence.promise.then(() => void socket.write(serialise({}))) })
    const [first, second] = await Promise.all([replay(14), replay(14)])
    expect(second).toEqual(first)
    expect(first).toMatchObject({ matched: 3, queued: 3 })
    // So is one that comes while the receiver has not answered yet.
    expect(await replay(14)).toEqual(first)
    silence.resolve()
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
    expect(eventsAt(receiver)).toHaveLength(3)
    expect((await replay(1)).matched).toBe(0)
  })

  test('whatever happens to deliveries, the statistics are what a recount of the log gives', async () => {
    const id = await aWebhook()
    receiver.next(...[200, 500, 200, 503, 200, 404, 500].map((status) => respond({ status })))
    for (let index = 0; index < 7; index++) await publish(world)
    await attemptsReach(world, id, 7)
    await expectRecountToAgree(world, id)
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 7, total_failed: 4, success_rate: 42.86 })
    world.pass(6_000)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 7, total_failed: 0, success_rate: 100 })
    receiver.on('/hook', respond({ status: 500 }))
    const since = new Date(world.clock.now() - hourMs).toISOString()
    await replayDeliveries(world.rt, world.accountId, id, { since, status: 'all' })
    await attemptsReach(world, id, 18)
    await expectRecountToAgree(world, id)
    expect((await webhookNow(world, id)).stats).toEqual({ total_sent: 7, total_failed: 7, success_rate: 0 })
  })

  test('the twentieth place is given once, however many ask at the same moment', async () => {
    receiver.expectSecrets('/hook', null)
    const register = () => registerWebhook(world.rt, world.accountId, { url: `${receiver.url}/hook`, events: ['*'] })
    for (let index = 0; index < 19; index++) webhooks.push((await register()).id)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, register))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'webhook_limit_reached'))
    await deleteWebhook(world.rt, world.accountId, webhooks.pop() ?? '')
    await expect(register()).resolves.toMatchObject({ active: true })
    await expect(register()).rejects.toMatchObject({ code: 'webhook_limit_reached' })
  })

  test('webhooks and deliveries of another account do not exist', async () => {
    const id = await aWebhook()
    await publish(world)
    await attemptsReach(world, id, 1)
    const [delivery] = await deliveriesOf(world, id)
    const stranger = world.rt.newId('acc')
    const notFound = { code: 'webhook_not_found' }
    await expect(getDelivery(world.rt, stranger, id, delivery?.id ?? '')).rejects.toMatchObject(notFound)
    await expect(listDeliveries(world.rt, stranger, id, {})).rejects.toMatchObject(notFound)
    await expect(updateWebhook(world.rt, stranger, id, { active: false })).rejects.toMatchObject(notFound)
    await expect(deleteWebhook(world.rt, stranger, id)).rejects.toMatchObject(notFound)
    await expect(retryDelivery(world.rt, world.accountId, id, 'dlv_none')).rejects.toMatchObject({
      code: 'delivery_not_found',
    })
  })

  test('answers with NUL, invalid UTF-8 and a megabyte are logged safely and capped', async () => {
    const id = await aWebhook()
    const strange = Buffer.concat([
      Buffer.from('a\u0000b'),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.alloc(1_000_000, 'x'),
    ])
    receiver.next(respond({ status: 500, body: strange, headers: { 'x-strange': 'sm\u00f8rrebr\u00f8d' } }))
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt?.response_body?.startsWith('a\uFFFDb\uFFFD')).toBe(true)
    expect(Buffer.byteLength(attempt?.response_body ?? '')).toBeLessThanOrEqual(3 * 4_096)
    const shown = await getDelivery(world.rt, world.accountId, id, (await deliveriesOf(world, id))[0]?.id ?? '')
    expect(shown.attempts[0]?.response_headers['content-length']).toBe(String(strange.length))
  })

  test('the events of one message arrive in order, other messages do not wait for them', async () => {
    const id = await aWebhook('/hook', { max_in_flight: 8 })
    await publish(world)
    await attemptsReach(world, id, 1)
    receiver.on('/hook', answerAfter(30, respond({})))
    const ids = { slow: [] as string[], all: [] as string[] }
    for (let index = 0; index < 5; index++) {
      ids.slow.push(await publish(world, { subject: 'one message' }))
      ids.all.push(await publish(world, { subject: `other ${index}` }))
    }
    await attemptsReach(world, id, 11)
    const order = eventsAt(receiver).map(({ headers }) => headers['webhook-id'] ?? '')
    expect(order.filter((event) => ids.slow.includes(event))).toEqual(ids.slow)
    expect(order.indexOf(ids.all[4] ?? '')).toBeLessThan(order.indexOf(ids.slow[4] ?? ''))
  })

  test('every attempt leaves one wide line in the log and is counted in the metrics, without text or secret', async () => {
    const id = await aWebhook()
    receiver.next(respond({ status: 500 }))
    const event = await publish(world, { data: { text: 'a private text' } })
    await attemptsReach(world, id, 1)
    await eventually(() => world.logLines.some((line) => line.includes('webhook.attempted') && line.includes(event)))
    const lines = world.logLines.filter((line) => line.includes(event))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'webhook.attempted',
      webhook_id: id,
      event: 'message.sent',
      attempt: 1,
      status_code: 500,
      result: 'pending',
      duration_ms: expect.any(Number),
      next_attempt_at: expect.any(String),
    })
    expect(world.logLines.join('')).not.toContain('a private text')
    await measureQueue(world.rt)
    const metrics = await world.rt.metrics.render()
    expect(metrics).toMatch(/postern_webhook_attempts_total\{event="message.sent",outcome="5xx"\} [1-9]/)
    expect(metrics).toMatch(/postern_webhook_queue_depth\{state="scheduled"\} [1-9]/)
    expect(metrics).toMatch(/postern_webhook_endpoints\{state="active"\} [1-9]/)
  })

  test('a list of deliveries is newest first, filtered and paged', async () => {
    const id = await aWebhook()
    const events: string[] = []
    for (let index = 0; index < 5; index++) {
      world.clock.advance(1_000)
      const data = { message_id: `m${index}` }
      events.push(await publish(world, { data, type: index % 2 === 0 ? 'message.sent' : 'message.read' }))
    }
    await attemptsReach(world, id, 5)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
    const list = (over = {}) => listDeliveries(world.rt, world.accountId, id, over)
    const first = await list({ limit: 2 })
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual([events[4], events[3]])
    const cursor = first.pagination.next_cursor ?? ''
    const second = await list({ limit: 2, cursor })
    expect(second.deliveries.map(({ event_id }) => event_id)).toEqual([events[2], events[1]])
    await expect(list({ limit: 2, cursor, type: 'message.sent' })).rejects.toMatchObject({ code: 'invalid_cursor' })
    expect((await list({ type: 'message.read' })).deliveries).toHaveLength(2)
    expect((await list({ message_id: 'm3' })).deliveries.map(({ event_id }) => event_id)).toEqual([events[3]])
    expect((await list({ status: 'failed,pending' })).deliveries).toHaveLength(0)
    const since = new Date(world.clock.now() - 1_500).toISOString()
    expect((await list({ since })).deliveries).toHaveLength(2)
    expect((await list({ until: since })).pagination).toEqual({ limit: 25, has_more: false, next_cursor: null })
  })
})

const pausedUntil = query({
  name: 'test.state',
  params: { id: 'text' },
  returns: { paused_until: 'int', failing_since: 'int?' },
  sql: 'select paused_until, failing_since from webhook_states where webhook_id = :id',
})

const eventBody = query({
  name: 'test.event_body',
  params: { id: 'text' },
  returns: eventColumns,
  sql: `select ${Object.keys(eventColumns).join(', ')} from events where id = :id`,
})
