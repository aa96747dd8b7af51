import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { WebhookQueue } from './webhook-queue.ts'

const now = 1_000_000
let serial = 0
const aDelivery = (subject: string | null = null): ClaimedDelivery => ({
  id: `dlv_${++serial}`,
  webhook_id: 'whk_1',
  account_id: 'acc_1',
  event_id: 'evt_1',
  type: 'message.sent',
  subject,
  due_at: now,
  attempts: 0,
  step: 0,
  cause: 'schedule',
  created_at: now,
  claim: 'c',
  lease_until: now + 60_000,
  body: '{}',
  facts: null,
  event_subject: null,
  event_sequence: null,
  event_at: null,
  traceparent: null,
})

const stored = { webhook_id: 'whk_1', account_id: 'acc_1', next_due_at: now, revision: 1, paused_until: 0 }

type Shape = { maxInFlight?: number; maxPerSecond?: number | null; tried?: boolean; medianMs?: number }

function aQueue({ maxInFlight = 16, maxPerSecond = null, tried = true, medianMs = 0 }: Shape = {}): WebhookQueue {
  const queue = new WebhookQueue('whk_1', { now, slowMs: 2_000 })
  queue.follow({ ...stored, max_in_flight: maxInFlight, max_per_second: maxPerSecond })
  if (tried) queue.noteExchange(answer(medianMs), now)
  return queue
}
const addTo = (queue: WebhookQueue, ...deliveries: ClaimedDelivery[]) => {
  for (const delivery of deliveries) queue.add(delivery)
}
const answer = (durationMs: number) => ({ deliveryId: '', answered: true, durationMs, pauseMs: 0 })

describe('the queue of a webhook', () => {
  afterEach(() => void vi.useRealTimers())

  test('allows as many concurrent requests as the webhook, and two until it has answered once', () => {
    expect(aQueue().cap(now)).toBe(16)
    const untried = aQueue({ tried: false })
    expect(untried.cap(now)).toBe(2)
    untried.noteExchange(answer(5), now)
    expect(untried.cap(now)).toBe(16)
  })

  test('claims as many again to wait in memory, but nothing ahead in strict order', () => {
    const known = { medianMs: 1_000 }
    expect(aQueue(known).room(now)).toBe(32)
    expect(aQueue({ ...known, maxInFlight: 2 }).room(now)).toBe(18)
    expect(aQueue({ ...known, maxInFlight: 1 }).room(now)).toBe(1)
    expect(aQueue({ ...known, tried: false }).room(now)).toBe(2)
  })

  test('claims ahead what its receiver takes in a second, up to 24 times its limit, and nothing in strict order', () => {
    const quick = aQueue()
    quick.noteExchange(answer(5), now)
    expect(quick.room(now)).toBe(16 + 384)
    expect(aQueue({ maxInFlight: 1 }).room(now)).toBe(1)
    for (let count = 0; count < 9; count++) quick.noteExchange(answer(100), now)
    expect(quick.room(now)).toBe(16 + 160)
    for (let count = 0; count < 9; count++) quick.noteExchange(answer(3_000), now)
    expect(quick.room(now)).toBe(32)
  })

  test('is closed while it pauses', () => {
    const queue = aQueue()
    queue.noteExchange({ deliveryId: '', answered: true, durationMs: 1, pauseMs: 5_000 }, now)
    expect(queue.cap(now + 4_999)).toBe(0)
    expect(queue.cap(now + 5_000)).toBe(16)
  })

  test('starts one delivery of a message at a time, and others meanwhile', () => {
    const queue = aQueue()
    const [first, second, other] = [aDelivery('m1'), aDelivery('m1'), aDelivery('m2')]
    addTo(queue, first, second, other)
    expect(queue.takeNext(now)).toBe(first)
    expect(queue.takeNext(now)).toBe(other)
    expect(queue.takeNext(now)).toBeNull()
    queue.release(first)
    expect(queue.takeNext(now)).toBe(second)
  })

  test('never starts more than its limit, counting results that are not on disk yet', () => {
    const queue = aQueue({ maxInFlight: 2 })
    addTo(queue, aDelivery(), aDelivery(), aDelivery())
    const first = queue.takeNext(now)
    queue.takeNext(now)
    queue.noteExchange({ ...answer(3), deliveryId: first?.id ?? '' }, now)
    expect(queue.takeNext(now)).toBeNull()
  })

  test('with a limit of 16 a success makes room before it is on disk, but not for the next event of its message', () => {
    const queue = aQueue()
    const [first, same, other] = [aDelivery('m1'), aDelivery('m1'), aDelivery('m2')]
    const filler = Array.from({ length: 15 }, () => aDelivery())
    addTo(queue, first, ...filler, same, other)
    for (let count = 0; count < 16; count++) queue.takeNext(now)
    expect(queue.takeNext(now)).toBeNull()
    expect([first, ...filler].every((delivery) => queue.freeEarly(delivery))).toBe(true)
    expect(queue.takeNext(now)).toBe(other)
    expect(queue.takeNext(now)).toBeNull()
    queue.release(first)
    expect(queue.takeNext(now)).toBe(same)
  })

  test('never has more started and not on disk than twice its limit of 16, or than a smaller limit', () => {
    const startedWith = (maxInFlight: number) => {
      const queue = aQueue({ maxInFlight })
      addTo(queue, ...Array.from({ length: 100 }, () => aDelivery()))
      let started = 0
      for (let next = queue.takeNext(now); next; next = queue.takeNext(now)) {
        started++
        queue.freeEarly(next)
      }
      return started
    }
    expect([1, 2, 15, 16, 20].map(startedWith)).toEqual([1, 2, 15, 32, 40])
  })

  test('is slow by its recent median, or by something that already takes long', () => {
    const queue = aQueue()
    for (const ms of [3_000, 10, 10, 3_000, 10]) queue.noteExchange(answer(ms), now)
    expect(queue.isSlow()).toBe(false)
    for (let count = 0; count < 5; count++) queue.noteExchange(answer(3_000), now)
    expect(queue.isSlow()).toBe(true)
    vi.useFakeTimers({ toFake: ['performance'] })
    const hanging = aQueue()
    hanging.add(aDelivery())
    hanging.takeNext(now)
    expect(hanging.isSlow()).toBe(false)
    vi.advanceTimersByTime(2_500)
    expect(hanging.isSlow()).toBe(true)
  })

  test('keeps to max_per_second, with at most a second saved up', () => {
    const queue = aQueue({ maxPerSecond: 4 })
    addTo(queue, ...Array.from({ length: 10 }, () => aDelivery()))
    const startable = (at: number) => {
      let count = 0
      while (queue.takeNext(at)) count++
      return count
    }
    expect(startable(now)).toBe(4)
    expect(startable(now + 250)).toBe(1)
    expect(startable(now + 10_000)).toBe(4)
  })

  test('is idle until something waits, and again when everything is recorded', () => {
    const queue = aQueue()
    const delivery = aDelivery()
    expect(queue.state(now)).toBe('idle')
    queue.add(delivery)
    expect(queue.state(now)).toBe('ready')
    queue.takeNext(now)
    queue.freeEarly(delivery)
    expect(queue.state(now)).toBe('ready')
    queue.release(delivery)
    expect(queue.state(now)).toBe('idle')
  })

  test('rests after five requests without a response, then probes with one at a time until there is one', () => {
    const queue = aQueue()
    addTo(queue, aDelivery(), aDelivery())
    for (let count = 0; count < 5; count++) queue.noteExchange({ ...answer(1), answered: false }, now)
    expect([queue.state(now), queue.cap(now), queue.room(now)]).toEqual(['resting', 0, 0])
    const later = now + 30_000
    expect([queue.state(later), queue.cap(later)]).toEqual(['probing', 1])
    expect(queue.takeNext(later)).not.toBeNull()
    expect(queue.takeNext(later)).toBeNull()
    queue.noteExchange(answer(1), later)
    expect([queue.state(later), queue.cap(later)]).toEqual(['ready', 16])
  })

  test('a probe of a slow receiver counts as slow, and is still one at a time', () => {
    const queue = aQueue()
    for (let count = 0; count < 5; count++) queue.noteExchange({ ...answer(15_000), answered: false }, now)
    const later = now + 30_000
    expect([queue.state(later), queue.cap(later), queue.isSlow()]).toEqual(['probing', 1, true])
    queue.noteExchange(answer(15_000), later)
    expect([queue.state(later), queue.cap(later)]).toEqual(['slow', 16])
  })

  test('rests after a failure of the gateway, and a pause counts for more than a rest', () => {
    const queue = aQueue()
    queue.receiver.rest(now + 2_000)
    expect([queue.state(now), queue.cap(now)]).toEqual(['resting', 0])
    queue.noteExchange({ ...answer(1), pauseMs: 1_000 }, now)
    expect([now, now + 1_000, now + 2_000].map((at) => queue.state(at))).toEqual(['paused', 'resting', 'idle'])
  })

  test('keeps a pause that is not stored yet, and then follows the database', async () => {
    const queue = aQueue()
    const limits = { max_in_flight: 16, max_per_second: null }
    queue.noteExchange({ ...answer(1), pauseMs: 5_000 }, now)
    await queue.settlePause(async () => {
      queue.follow({ ...stored, ...limits })
      expect(queue.state(now)).toBe('paused')
    })
    queue.follow({ ...stored, ...limits })
    expect(queue.state(now)).toBe('idle')
    queue.follow({ ...stored, ...limits, paused_until: now + 1 })
    expect(queue.state(now)).toBe('paused')
  })

  test('a change of the webhook drops everything learned about the receiver', () => {
    const queue = aQueue({ medianMs: 3_000 })
    for (let count = 0; count < 5; count++) queue.noteExchange({ ...answer(3_000), answered: false }, now)
    queue.follow({ ...stored, max_in_flight: 16, max_per_second: null, revision: 2 })
    expect([queue.state(now), queue.cap(now)]).toEqual(['idle', 2])
  })
})
