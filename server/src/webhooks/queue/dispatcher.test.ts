import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import type { HttpFailure, HttpOutcome } from '../../lib/guarded-http/guarded-http.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { ClaimedDelivery, WaitingWebhook } from '../../store/webhooks/delivery-claims.ts'
import { registerWebhook } from '../register-webhook.ts'
import { deleteWebhook, updateWebhook } from '../update-webhook.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'

type Sent = { url: string; answer(outcome: HttpOutcome): void }

const ok: HttpOutcome = {
  kind: 'response',
  statusCode: 200,
  headers: {},
  bodyExcerpt: Buffer.alloc(0),
  remoteIp: '127.0.0.1',
  reused: false,
  durationMs: 1,
}

/** The dispatcher with a network that answers when told to, and nobody who claims. */
describe('the dispatcher', () => {
  let world: TestRuntime
  const sent: Sent[] = []
  let serial = 0
  beforeEach(async () => {
    world = await aRuntime('sqlite', { POSTERN_WEBHOOK_VERIFICATION: 'off', POSTERN_WEBHOOK_CONCURRENCY: '8' })
    sent.length = 0
    const post = ({ url }: { url: string }) => new Promise<HttpOutcome>((answer) => sent.push({ url, answer }))
    Object.assign(world.rt.deliver, { post })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await world.dispose()
  })

  async function aWebhook(path = '', account = 'acc_1'): Promise<WaitingWebhook> {
    const draft = { url: `https://hooks.test/${path}`, events: ['*'] }
    const { id } = await registerWebhook(world.rt, account, draft)
    return {
      webhook_id: id,
      account_id: account,
      next_due_at: 0,
      max_in_flight: 16,
      max_per_second: null,
      revision: 1,
      paused_until: 0,
    }
  }

  function deliveriesFor(webhook: WaitingWebhook, count: number): ClaimedDelivery[] {
    const now = world.clock.now()
    const account_id = webhook.account_id ?? ''
    const about = { webhook_id: webhook.webhook_id, account_id, event_id: 'evt_1', type: 'message.sent' }
    const state = { subject: null, due_at: now, attempts: 0, step: 0, cause: 'schedule', created_at: now }
    const lease = {
      claim: 'c',
      lease_until: now + 60_000,
      body: '{}',
      facts: null,
      event_subject: null,
      event_sequence: null,
      event_at: null,
      traceparent: null,
    }
    return Array.from({ length: count }, () => ({ id: `dlv_${++serial}`, ...about, ...state, ...lease }))
  }

  test('a webhook with max_per_second at its concurrency limit waits for one of its deliveries, not for the clock', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const limited = { ...(await aWebhook()), max_in_flight: 1, max_per_second: 1_000 }
    dispatcher.roomFor(limited)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    dispatcher.offer(deliveriesFor(limited, 4))
    for (let more = 0; more < 3; more++) dispatcher.offer(deliveriesFor(limited, 1))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(vi.getTimerCount()).toBe(0)
    sent[0]?.answer(ok)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    expect(vi.getTimerCount()).toBe(0)
  })

  test('what is claimed again, because the database lost its claims, is sent once and recorded under the new claim', async () => {
    const settled: [string, string][] = []
    const settle = async ({ id, claim }: ClaimedDelivery) => void settled.push([id, claim])
    const dispatcher = createDispatcher(world.rt, { settle, onRoom: () => {} })
    const strict = { ...(await aWebhook()), max_in_flight: 1 }
    dispatcher.roomFor(strict)
    const both = deliveriesFor(strict, 2)
    const ids = both.map(({ id }) => id)
    const again = both.map((delivery) => ({ ...delivery, claim: 'again' }))
    dispatcher.offer(both)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    dispatcher.offer(again)
    sent[0]?.answer(ok)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    sent[1]?.answer(ok)
    await vi.waitFor(() => expect(settled).toEqual(ids.map((id) => [id, 'again'])))
    await dispatcher.drain(1_000)
    expect(sent).toHaveLength(2)
    expect(ids.some((id) => dispatcher.holds(id))).toBe(false)
  })

  test('what is due again as soon as it is recorded can be claimed before the process hears that it is', async () => {
    const recorded = Promise.withResolvers<void>()
    const settle = vi.fn(() => recorded.promise)
    const isRecording = () => settle.mock.calls.length > 0
    const dispatcher = createDispatcher(world.rt, { settle, onRoom: () => {}, isRecording })
    const webhook = await aWebhook()
    dispatcher.roomFor(webhook)
    const [delivery] = deliveriesFor(webhook, 1)
    if (!delivery) throw new Error('There is one.')
    dispatcher.offer([delivery])
    await waitFor(() => sent.length === 1)
    sent[0]?.answer({ ...ok, statusCode: 500 })
    await waitFor(isRecording)
    dispatcher.offer([{ ...delivery, claim: 'again', attempts: 1 }])
    recorded.resolve()
    await waitFor(() => sent.length === 2)
    expect(dispatcher.holds(delivery.id)).toBe(true)
  })

  test('what is on its way back can be claimed again before the process hears that it is back', async () => {
    const { write } = world.rt.store
    const back = Promise.withResolvers<void>()
    const held = vi.fn(async (...args: Parameters<typeof write>) => {
      const result = await write(...args)
      await back.promise
      return result
    })
    const store = { ...world.rt.store, write: held as typeof write }
    const dispatcher = createDispatcher({ ...world.rt, store }, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aWebhook()
    dispatcher.roomFor(webhook)
    const [delivery] = deliveriesFor(webhook, 1)
    if (!delivery) throw new Error('There is one.')
    // Too little of the lease is left for an attempt.
    dispatcher.offer([{ ...delivery, lease_until: world.clock.now() }])
    await vi.waitFor(() => expect(held).toHaveBeenCalledOnce())
    dispatcher.offer([{ ...delivery, claim: 'again' }])
    back.resolve()
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(dispatcher.holds(delivery.id)).toBe(true)
  })

  test('a webhook that used up its starts looks again once, when there is the next', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const limited = { ...(await aWebhook()), max_per_second: 2 }
    dispatcher.roomFor(limited)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    dispatcher.offer(deliveriesFor(limited, 5))
    for (let more = 0; more < 3; more++) dispatcher.offer(deliveriesFor(limited, 1))
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    for (const { answer } of sent) answer(ok)
    await new Promise((resolve) => setImmediate(resolve))
    expect(vi.getTimerCount()).toBe(1)
    world.clock.advance(500)
    vi.advanceTimersByTime(500)
    await vi.waitFor(() => expect(sent).toHaveLength(3))
  })

  test('a webhook is read again after 10 ms, and before anything that was claimed since', async () => {
    const { read } = world.rt.store
    const reading = vi.fn(read)
    const store = { ...world.rt.store, read: reading as typeof read }
    const dispatcher = createDispatcher({ ...world.rt, store }, { settle: async () => {}, onRoom: () => {} })
    const webhook = { ...(await aWebhook('old')), max_in_flight: 1 }
    const answerAndAwait = async (next: number) => {
      sent.at(-1)?.answer(ok)
      await waitFor(() => sent.length === next)
    }
    vi.useFakeTimers({ toFake: ['performance'] })
    dispatcher.roomFor(webhook)
    dispatcher.offer(deliveriesFor(webhook, 3))
    vi.advanceTimersByTime(1)
    await waitFor(() => sent.length === 1)
    await answerAndAwait(2)
    expect(reading).toHaveBeenCalledOnce()
    vi.advanceTimersByTime(11)
    await answerAndAwait(3)
    expect(reading).toHaveBeenCalledTimes(2)

    await updateWebhook(world.rt, 'acc_1', webhook.webhook_id, { url: 'https://hooks.test/new' })
    vi.advanceTimersByTime(1)
    dispatcher.offer(deliveriesFor(webhook, 1))
    vi.advanceTimersByTime(1)
    await answerAndAwait(4)
    expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual(['old', 'old', 'old', 'new'])
  })

  test.each([
    [
      'a new address',
      (id: string) => updateWebhook(world.rt, 'acc_1', id, { url: 'https://hooks.test/new' }),
      ['old', 'new'],
    ],
    ['the end of the webhook', (id: string) => deleteWebhook(world.rt, 'acc_1', id), ['old']],
  ])('%s that was answered holds for what had been claimed before it', async (_, change, expected) => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const webhook = { ...(await aWebhook('old')), max_in_flight: 1 }
    const [first, second] = deliveriesFor(webhook, 2)
    if (!first || !second) throw new Error('no deliveries')
    dispatcher.roomFor(webhook)
    dispatcher.offer([first, second])
    await waitFor(() => sent.length === 1)
    await change(webhook.webhook_id)
    sent[0]?.answer(ok)
    await waitFor(() => sent.length === expected.length && !dispatcher.holds(first.id))
    sent[1]?.answer(ok)
    await waitFor(() => !dispatcher.holds(second.id))
    expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual(expected)
  })

  test('a result that cannot be settled frees its place and ends nothing', async () => {
    const settle = vi.fn(async () => {
      throw new Error('the database is away')
    })
    const dispatcher = createDispatcher(world.rt, { settle, onRoom: () => {} })
    const webhook = { ...(await aWebhook()), max_in_flight: 1 }
    dispatcher.roomFor(webhook)
    const [first, second] = deliveriesFor(webhook, 2)
    if (!first || !second) throw new Error('no deliveries')
    dispatcher.offer([first, second])
    await waitFor(() => sent.length === 1)
    sent[0]?.answer(ok)
    await waitFor(() => sent.length === 2)
    expect(settle).toHaveBeenCalledOnce()
    expect(dispatcher.holds(first.id)).toBe(false)
    expect(world.logLines.join('')).toContain('webhook.not_settled')
  })

  /** Offers three events of one message to a dispatcher that reads webhooks like this, until it has given all of them back. */
  async function offerOneMessage(read: typeof world.rt.store.read) {
    const store = { ...world.rt.store, read }
    const dispatcher = createDispatcher({ ...world.rt, store }, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aWebhook()
    dispatcher.roomFor(webhook)
    const events = deliveriesFor(webhook, 3).map((delivery) => ({ ...delivery, subject: 'out_1' }))
    dispatcher.offer(events)
    await waitFor(() => events.every(({ id }) => !dispatcher.holds(id)))
    return { dispatcher, webhook }
  }

  test('an event that cannot start without the database is not overtaken by the next one of its message', async () => {
    const { read } = world.rt.store
    let failures = 1
    const readOnceLater = (...asked: Parameters<typeof read>) =>
      failures-- > 0 ? Promise.reject(new Error('The database is away.')) : read(...asked)
    const { dispatcher, webhook } = await offerOneMessage(readOnceLater as typeof read)
    const [later] = deliveriesFor(webhook, 1)
    if (later) dispatcher.offer([later])
    await waitFor(() => sent.length > 0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toHaveLength(1)
  })

  test('an event that may not start is not overtaken by the next one of its message, should the webhook change meanwhile', async () => {
    const { read } = world.rt.store
    let readings = 0
    const inactiveOnce = async (...asked: Parameters<typeof read>) => {
      const rows = await read(...asked)
      return ++readings > 1 ? rows : rows.map((row) => ({ ...row, active: 0 }))
    }
    await offerOneMessage(inactiveOnce as typeof read)
    expect(readings).toBe(1)
    expect(sent).toHaveLength(0)
  })

  test('what was claimed ahead of a receiver that becomes slow goes back, and makes room for others', async () => {
    const config = { ...world.rt.config, webhookTotalTimeoutMs: 1_500 }
    const dispatcher = createDispatcher({ ...world.rt, config }, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aKnownWebhook(dispatcher, 'hangs', 'acc_1')
    const deliveries = deliveriesFor(webhook, 30)
    dispatcher.offer(deliveries)
    await waitFor(() => sent.length === 6)
    dispatcher.giveBackFromSlow()
    expect(dispatcher.room()).toBe(2)
    await waitFor(() => {
      dispatcher.giveBackFromSlow()
      return dispatcher.room() >= 8
    })
    const held = deliveries.filter(({ id }) => dispatcher.holds(id))
    expect(held).toEqual(deliveries.slice(0, held.length))
    expect(held.length).toBeGreaterThanOrEqual(16)
    expect(dispatcher.roomFor(webhook)).toBe(0)
  })

  test('a database that is away while an attempt is made keeps the webhook waiting for a second, not for a minute', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aWebhook()
    const away = { post: () => Promise.reject(new StoreUnavailable('not_stored', new Error('gone'))) }
    const { post } = world.rt.deliver
    Object.assign(world.rt.deliver, away)
    dispatcher.roomFor(webhook)
    dispatcher.offer(deliveriesFor(webhook, 1))
    await waitFor(() => dispatcher.roomFor(webhook) === 0)
    Object.assign(world.rt.deliver, { post })
    world.clock.advance(1_001)
    expect(dispatcher.roomFor(webhook)).toBeGreaterThan(0)
  })

  test('a fault towards one webhook stops neither the others nor the claims', async () => {
    const settled: string[] = []
    const settle = async ({ webhook_id }: ClaimedDelivery) => void settled.push(webhook_id)
    const dispatcher = createDispatcher(world.rt, { settle, onRoom: () => {} })
    const [bad, good] = [await aWebhook('bad'), await aWebhook('good')]
    for (const webhook of [bad, good]) {
      dispatcher.roomFor(webhook)
      dispatcher.offer(deliveriesFor(webhook, 1))
    }
    await waitFor(() => sent.length === 2)
    for (const { url, answer } of sent) answer(url.endsWith('bad') ? ourFault : ok)
    await waitFor(() => settled.length === 1)
    expect(settled).toEqual([good.webhook_id])
    expect(dispatcher.room()).toBeGreaterThan(0)
    expect([dispatcher.roomFor(bad), dispatcher.roomFor(good)]).toEqual([0, expect.any(Number)])
    expect(dispatcher.roomFor(good)).toBeGreaterThan(0)
    world.clock.advance(1_000)
    expect(dispatcher.roomFor(bad)).toBeGreaterThan(0)
  })

  test('a gateway without sockets claims nothing for a while', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aWebhook()
    dispatcher.roomFor(webhook)
    dispatcher.offer(deliveriesFor(webhook, 1))
    await waitFor(() => sent.length === 1)
    sent[0]?.answer({ ...ourFault, exhausted: true })
    await waitFor(() => dispatcher.room() === 0)
    world.clock.advance(1_000)
    await waitFor(() => dispatcher.room() === 32)
    expect(dispatcher.roomFor(webhook)).toBeGreaterThan(0)
  })

  test('a receiver that alone cannot be reached is charged in the end', async () => {
    const codes: (string | null)[] = []
    const settle = async (_: ClaimedDelivery, { judgement }: { judgement: { errorCode: string | null } }) =>
      void codes.push(judgement.errorCode)
    const dispatcher = createDispatcher(world.rt, { settle, onRoom: () => {} })
    const [bad, good] = [await aWebhook('bad'), await aWebhook('good')]
    for (let wave = 1; wave <= 5; wave++) {
      for (const webhook of [bad, good]) {
        dispatcher.roomFor(webhook)
        dispatcher.offer(deliveriesFor(webhook, 1))
      }
      await waitFor(() => sent.length === 2)
      for (const { url, answer } of sent.splice(0)) answer(url.endsWith('bad') ? ourFault : ok)
      await waitFor(() => codes.length === wave + (wave === 5 ? 1 : 0))
      world.clock.advance(20_000)
    }
    expect(codes.toSorted()).toEqual(['connection_refused', null, null, null, null, null])
  })

  /** Has answered once, and may have all its requests under way. */
  async function aKnownWebhook(dispatcher: Dispatcher, path: string, account: string): Promise<WaitingWebhook> {
    const webhook = await aWebhook(path, account)
    dispatcher.roomFor(webhook)
    dispatcher.offer(deliveriesFor(webhook, 1))
    await waitFor(() => sent.length === 1)
    sent.shift()?.answer(ok)
    await waitFor(() => !dispatcher.holds(`dlv_${serial}`))
    return webhook
  }
  const sentTo = (path: string) => sent.filter(({ url }) => url.endsWith(path)).length

  test('receivers of one account that fall silent together leave room for everybody else', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const silent = [
      await aKnownWebhook(dispatcher, 'silent/1', 'acc_1'),
      await aKnownWebhook(dispatcher, 'silent/2', 'acc_1'),
    ]
    const healthy = await aKnownWebhook(dispatcher, 'healthy', 'acc_2')
    for (const webhook of silent) dispatcher.offer(deliveriesFor(webhook, 12))
    dispatcher.offer(deliveriesFor(healthy, 2))
    await waitFor(() => sent.length === 8)
    expect(sentTo('healthy')).toBe(2)
    expect(dispatcher.roomOfAccount('acc_1')).toBe(0)
    expect(dispatcher.roomOfAccount('acc_3')).toBe(24)
    // One of theirs that ends makes room for one of theirs.
    sent.find(({ url }) => url.endsWith('silent/1'))?.answer(ok)
    await waitFor(() => sent.length === 9)
    expect(sentTo('healthy')).toBe(2)
  })

  test('requests that hang stop counting against the limit, so that silent receivers of many accounts stop nobody', async () => {
    const { rt } = world
    const config = { ...rt.config, webhookTotalTimeoutMs: 1_500 }
    const dispatcher = createDispatcher({ ...rt, config }, { settle: async () => {}, onRoom: () => {} })
    const silent = [
      await aKnownWebhook(dispatcher, 'silent/1', 'acc_1'),
      await aKnownWebhook(dispatcher, 'silent/2', 'acc_2'),
    ]
    const healthy = await aKnownWebhook(dispatcher, 'healthy', 'acc_3')
    for (const webhook of silent) dispatcher.offer(deliveriesFor(webhook, 6))
    await waitFor(() => sent.length === 8)
    dispatcher.offer(deliveriesFor(healthy, 1))
    await waitFor(() => sentTo('healthy') === 1)
    // What hangs has filled the class of the slow ones: nothing more is started there.
    expect(sent).toHaveLength(9)
    expect(dispatcher.roomFor(silent[0] as WaitingWebhook)).toBe(0)
  })

  test('a change of the webhook ends pause, rest and circuit, and what still comes from before says nothing', async () => {
    const dispatcher = createDispatcher(world.rt, { settle: async () => {}, onRoom: () => {} })
    const webhook = await aWebhook()
    const reset: HttpOutcome = { kind: 'failure', code: 'connection_reset', message: '', durationMs: 1 }
    for (let failures = 0; failures < 5; failures++) {
      dispatcher.roomFor(webhook)
      dispatcher.offer(deliveriesFor(webhook, 1))
      await waitFor(() => sent.length === 1)
      sent.shift()?.answer(reset)
      await waitFor(() => !dispatcher.holds(`dlv_${serial}`))
    }
    expect(dispatcher.roomFor(webhook)).toBe(0)
    const changed = { ...webhook, revision: 2 }
    expect(dispatcher.roomFor(changed)).toBe(2)
    dispatcher.offer(deliveriesFor(changed, 2))
    await waitFor(() => sent.length === 2)
    const again = { ...webhook, revision: 3 }
    dispatcher.roomFor(again)
    for (const { answer } of sent.splice(0)) answer({ ...ok, statusCode: 429, headers: { 'retry-after': '3600' } })
    await waitFor(() => !dispatcher.holds(`dlv_${serial}`))
    expect(dispatcher.roomFor(again)).toBe(2)
    expect(dispatcher.roomFor({ ...again, paused_until: world.clock.now() + 1 })).toBe(0)
    expect(dispatcher.roomFor(again)).toBe(2)
  })
})

const ourFault: HttpFailure = { kind: 'failure', code: 'our_fault', message: 'The proxy refused.', durationMs: 1 }
