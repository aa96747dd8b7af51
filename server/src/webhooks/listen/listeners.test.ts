import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EngineName, engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { attemptsOf, deliveriesOf, expectSignedWith, publish } from '../../../../test/support/webhook-world.ts'
import { traceMessage } from '../../events/trace-events.ts'
import { listenerStream } from '../../http/v1/listening.ts'
import { hourMs } from '../../lib/durations.ts'
import { Unit } from '../../store/engine/unit.ts'
import { feedEnd, removeListeners } from '../../store/webhooks/listeners.ts'
import { watchWebhooks } from '../delivery/sweep-deliveries.ts'
import { getDelivery } from '../replay/get-delivery.ts'
import { listDeliveries } from '../replay/list-deliveries.ts'
import { retryDelivery } from '../replay/replay-deliveries.ts'
import { type Forwarded, followEvents } from './follow-events.ts'
import { type Listener, openListener } from './open-listener.ts'
import { recordForwarded } from './record-forwarded.ts'

let owner = { accountId: 'acc_0', keyId: 'key_one' }
const url = 'http://localhost:3000/hooks'

let world: TestRuntime & { accountId: string }
/** One runtime for all tests of a group, and an account of its own for each. */
function eachOn(engine: EngineName): void {
  let runtime: TestRuntime
  let accounts = 0
  beforeAll(async () => {
    runtime = await aRuntime(engine)
  })
  beforeEach(() => {
    owner = { ...owner, accountId: `acc_${++accounts}` }
    world = { ...runtime, accountId: owner.accountId }
  })
  afterEach(() => runtime.logLines.splice(0))
  afterAll(() => runtime.dispose())
}

/** The first deliveries of a listener; what must not come was published before the last of them. */
async function forwarded(listener: Listener, count: number, types = /./): Promise<Forwarded[]> {
  const ending = new AbortController()
  const found: Forwarded[] = []
  const options = { wants: (type: string) => types.test(type), signal: ending.signal, quietMs: 1_000 }
  const lateAt = performance.now() + 20_000
  for await (const next of followEvents(world.rt, listener, options)) {
    if (next) found.push(next)
    if (found.length === count || performance.now() > lateAt) break
  }
  ending.abort()
  return found
}

describe.each(engines)('a listener on %s', (engine) => {
  eachOn(engine)

  test('gets what happens after it was opened, in order, signed, with the bytes of the feed', async () => {
    await publish(world, { data: { message_id: 'before' } })
    // A transaction of another database that began earlier keeps it out of the feed for a moment.
    await waitFor(async () => (await world.rt.store.read(feedEnd, { account_id: world.accountId })).length === 1)
    const listener = await openListener(world.rt, owner)
    const ids = [
      await publish(world, { data: { message_id: 'm1', text: 'Olá 😀 </script>' } }),
      await publish(world, { type: 'message.read', data: { message_id: 'm1' } }),
    ]
    const found = await forwarded(listener, 2)
    expect(found.map(({ eventId }) => eventId)).toEqual(ids)
    expect(found[0]?.headers).toMatchObject({
      'user-agent': 'Postern-Webhooks/1.0',
      'webhook-id': ids[0],
      'x-postern-event': 'message.sent',
      'x-postern-webhook': listener.id,
      'x-postern-attempt': '1',
    })
    const requests = found.map(({ headers, body }) => ({ headers, body: Buffer.from(body) }))
    expectSignedWith(listener.secret, requests as never)
  })

  test('goes on behind the event it names, and loses nothing that was published meanwhile', async () => {
    const listener = await openListener(world.rt, owner)
    const ids = [await publish(world), await publish(world), await publish(world)]
    const [first] = await forwarded(listener, 1)
    const again = await openListener(world.rt, owner, { cursor: first?.cursor })
    ids.push(await publish(world))
    expect((await forwarded(again, 3)).map(({ eventId }) => eventId)).toEqual(ids.slice(1))
    const fresh = await openListener(world.rt, owner, { cursor: listener.cursor })
    expect((await forwarded(fresh, 4)).map(({ eventId }) => eventId)).toEqual(ids)
  })

  test('refuses the cursor of another key, and one that was made up', async () => {
    const { cursor } = await openListener(world.rt, owner)
    const others = [
      { ...owner, keyId: 'key_two' },
      { ...owner, accountId: 'acc_other' },
    ]
    for (const other of others) {
      await expect(openListener(world.rt, other, { cursor })).rejects.toMatchObject({ code: 'invalid_cursor' })
    }
    await expect(openListener(world.rt, owner, { cursor: 'c1.x.y' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  test('never gets events of another account, nor types it did not ask for', async () => {
    const listener = await openListener(world.rt, owner)
    await publish(world, { accountId: 'acc_other' })
    await publish(world, { type: 'message.read' })
    const wanted = await publish(world, { type: 'message.received' })
    const found = await forwarded(listener, 1, /received/)
    expect(found.map(({ eventId }) => eventId)).toEqual([wanted])
  })

  test('is one per API key, with one secret', async () => {
    const [first, second] = [await openListener(world.rt, owner), await openListener(world.rt, owner)]
    expect([second.id, second.secret]).toEqual([first.id, first.secret])
    const other = await openListener(world.rt, { ...owner, keyId: 'key_two' })
    expect(other.id).not.toBe(first.id)
    expect(other.secret).not.toBe(first.secret)
  })

  test('is removed after 24 hours without a client, and has its secret back when it returns', async () => {
    const first = await openListener(world.rt, owner)
    world.clock.advance(23 * hourMs)
    await watchWebhooks(world.rt)
    expect(await listDeliveries(world.rt, owner.accountId, first.id, {})).toMatchObject({ deliveries: [] })
    await openListener(world.rt, owner)
    world.clock.advance(23 * hourMs)
    await watchWebhooks(world.rt)
    expect(await listDeliveries(world.rt, owner.accountId, first.id, {})).toMatchObject({ deliveries: [] })
    world.clock.advance(2 * hourMs)
    await watchWebhooks(world.rt)
    const gone = listDeliveries(world.rt, owner.accountId, first.id, {})
    await expect(gone).rejects.toMatchObject({ code: 'webhook_not_found' })
    const again = await openListener(world.rt, owner)
    expect(again.secret).toBe(first.secret)
    expect(again.id).not.toBe(first.id)
  })

  test('has a log of how it was answered, one attempt for each delivery however often it is reported', async () => {
    const listener = await openListener(world.rt, owner)
    await publish(world, { data: { message_id: 'm1' } })
    await publish(world)
    const [good, bad] = await forwarded(listener, 2)
    const report = {
      receipt: good?.receipt ?? '',
      url,
      duration_ms: 12,
      status_code: 200,
      response_body: 'thanks\u0000',
    }
    const answer = await recordForwarded(world.rt, owner, report)
    expect(await recordForwarded(world.rt, owner, report)).toEqual(answer)
    expect(answer).toEqual({ webhook_id: listener.id, delivery_id: good?.deliveryId, status: 'delivered' })
    const refusal = { error_code: 'connection_refused' as const, error_message: 'Nothing listens there.' }
    await recordForwarded(world.rt, owner, { receipt: bad?.receipt ?? '', url, duration_ms: 1, ...refusal })
    expect((await deliveriesOf(world, listener.id)).map(({ status }) => status)).toEqual(['delivered', 'failed'])
    expect(await attemptsOf(world, listener.id)).toMatchObject([
      { number: 1, late: 0, status_code: 200, response_body: 'thanks\uFFFD', duration_ms: 12 },
      { number: 1, late: 0, status_code: null, ...refusal },
    ])
    const shown = await getDelivery(world.rt, owner.accountId, listener.id, good?.deliveryId ?? '')
    expect(shown).toMatchObject({ request_body: good?.body, message_id: 'm1', attempts: [{ url, status_code: 200 }] })
    const logged = world.logLines.filter((line) => line.includes('webhook.attempted'))
    expect(logged.some((line) => line.includes('"result":"failed"'))).toBe(true)
    expect(logged.join()).not.toContain('thanks')
    const [traced] = await traceMessage(world.rt, owner.accountId, ['m1'])
    expect(traced?.deliveries).toMatchObject([
      { delivery_id: good?.deliveryId, webhook_id: listener.id, url: 'postern listen', status_code: 200 },
    ])
    expect(await traceMessage(world.rt, 'acc_other', ['m1'])).toEqual([])
  })

  test('is handed an event again by hand, with the headers of request and answer of each time in its log', async () => {
    const listener = await openListener(world.rt, owner)
    await publish(world, { data: { message_id: 'm1', text: 'Once' } })
    const [first] = await forwarded(listener, 1)
    const answer = { url, duration_ms: 1, status_code: 200, response_headers: { server: 'own', 'set-cookie': 'no' } }
    await recordForwarded(world.rt, owner, { receipt: first?.receipt ?? '', ...answer })
    const retry = () => retryDelivery(world.rt, owner.accountId, listener.id, first?.deliveryId ?? '')
    expect(await retry()).toMatchObject({ id: first?.deliveryId, status: 'delivered' })
    const [again] = await forwarded(await openListener(world.rt, owner, { cursor: first?.cursor }), 1)
    expect(again).toMatchObject({ eventId: first?.eventId, type: first?.type, body: first?.body })
    await recordForwarded(world.rt, owner, { receipt: again?.receipt ?? '', ...answer })
    for (const [handedOut, trigger] of [
      [first, 'schedule'],
      [again, 'manual'],
    ] as const) {
      const shown = await getDelivery(world.rt, owner.accountId, listener.id, handedOut?.deliveryId ?? '')
      expect(shown).toMatchObject({ event_id: first?.eventId, message_id: 'm1' })
      expect(shown.attempts).toMatchObject([
        { trigger, request_headers: handedOut?.headers, response_headers: { server: 'own' } },
      ])
      expect(shown.attempts[0]?.response_headers).not.toHaveProperty('set-cookie')
    }
    await expect(retryDelivery(world.rt, owner.accountId, listener.id, 'dlv_none')).rejects.toMatchObject({
      code: 'delivery_not_found',
    })
    world.clock.advance(hourMs)
    await expect(retry()).rejects.toMatchObject({ code: 'webhook_inactive' })
  })

  test('takes no answer with the receipt of another key', async () => {
    const listener = await openListener(world.rt, owner)
    await publish(world)
    const [one] = await forwarded(listener, 1)
    const report = { receipt: one?.receipt ?? '', url, duration_ms: 1, status_code: 200 }
    const stolen = recordForwarded(world.rt, { ...owner, keyId: 'key_two' }, report)
    await expect(stolen).rejects.toMatchObject({ code: 'delivery_not_found' })
    world.clock.advance(25 * hourMs)
    await expect(recordForwarded(world.rt, owner, report)).rejects.toMatchObject({ code: 'delivery_not_found' })
    expect(await deliveriesOf(world, listener.id)).toEqual([])
  })
})

describe('the stream of a listener', () => {
  eachOn('sqlite')
  const streamOf = async (isAllowed: () => Promise<boolean>) => {
    const ending = new AbortController()
    const listener = await openListener(world.rt, owner)
    const isUnchanged = async () => true
    const options = { events: 'message.*', signal: ending.signal, isAllowed, isUnchanged, heartbeatMs: 20 }
    return { stream: listenerStream(world.rt, listener, options), listener, ending }
  }

  test('says that it is there, keeps the listener alive, and ends when its token does', async () => {
    let allowed = 3
    const { stream, listener } = await streamOf(async () => allowed-- > 0)
    world.clock.advance(30 * hourMs)
    const said: string[] = []
    for await (const text of stream) said.push(text)
    expect(said[0]).toContain(listener.secret)
    expect(said.slice(1)).toEqual([': still here\n\n', ': still here\n\n', ': still here\n\n'])
    await watchWebhooks(world.rt)
    expect((await openListener(world.rt, owner)).id).toBe(listener.id)
  })

  test('ends quietly when the gateway stops, and with a line in the log when the store fails', async () => {
    const { stream, ending } = await streamOf(async () => true)
    await stream.next()
    ending.abort()
    expect(await stream.next()).toMatchObject({ done: true })
    const failing = await streamOf(async () => Promise.reject(new Error('no disk')))
    for await (const text of failing.stream) expect(text).not.toContain('delivery')
    expect(world.logLines.some((line) => line.includes('webhook.stream_interrupted'))).toBe(true)
  })
})

describe('removing listeners', () => {
  eachOn('sqlite')

  test('looks at when the listener was last there, not at when it began', async () => {
    const { id } = await openListener(world.rt, owner)
    const unit = new Unit()
    const kept = unit.add(removeListeners, { before: world.clock.now() })
    expect((await world.rt.store.write(unit)).rows(kept)).toEqual([])
    const second = new Unit()
    const removed = second.add(removeListeners, { before: world.clock.now() + 1 })
    expect((await world.rt.store.write(second)).rows(removed)).toEqual([{ id }])
  })
})
