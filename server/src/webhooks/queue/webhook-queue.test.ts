import { describe, expect, test } from 'vitest'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import {
  capOf,
  createWebhookQueue,
  freeEarly,
  isSlow,
  noteExchange,
  release,
  roomOf,
  takeNext,
  type WebhookQueue,
} from './webhook-queue.ts'

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
  traceparent: null,
})

function aQueue(over: Partial<WebhookQueue> = {}): WebhookQueue {
  return Object.assign(createWebhookQueue('whk_1', now), { maxInFlight: 16, tried: true }, over)
}
const answer = (durationMs: number) => ({ deliveryId: '', answered: true, durationMs, pauseMs: 0 })

describe('the queue of a webhook', () => {
  test('allows as many concurrent requests as the webhook, and two until it has answered once', () => {
    expect(capOf(aQueue(), now)).toBe(16)
    const untried = aQueue({ tried: false })
    expect(capOf(untried, now)).toBe(2)
    noteExchange(untried, answer(5), now)
    expect(capOf(untried, now)).toBe(16)
  })

  test('claims as many again to wait in memory, but nothing ahead in strict order', () => {
    const known = { medianMs: 1_000 }
    expect(roomOf(aQueue(known), now)).toBe(32)
    expect(roomOf(aQueue({ ...known, maxInFlight: 2 }), now)).toBe(18)
    expect(roomOf(aQueue({ ...known, maxInFlight: 1 }), now)).toBe(1)
    expect(roomOf(aQueue({ ...known, tried: false }), now)).toBe(2)
  })

  test('claims ahead what its receiver takes in a second, up to 24 times its limit, and nothing in strict order', () => {
    const quick = aQueue()
    noteExchange(quick, answer(5), now)
    expect(roomOf(quick, now)).toBe(16 + 384)
    expect(roomOf(aQueue({ maxInFlight: 1 }), now)).toBe(1)
    for (let count = 0; count < 9; count++) noteExchange(quick, answer(100), now)
    expect(roomOf(quick, now)).toBe(16 + 160)
    for (let count = 0; count < 9; count++) noteExchange(quick, answer(3_000), now)
    expect(roomOf(quick, now)).toBe(32)
  })

  test('is closed while it pauses', () => {
    const queue = aQueue()
    noteExchange(queue, { deliveryId: '', answered: true, durationMs: 1, pauseMs: 5_000 }, now)
    expect(capOf(queue, now + 4_999)).toBe(0)
    expect(capOf(queue, now + 5_000)).toBe(16)
  })

  test('starts one delivery of a message at a time, and others meanwhile', () => {
    const queue = aQueue()
    const [first, second, other] = [aDelivery('m1'), aDelivery('m1'), aDelivery('m2')]
    queue.waiting.push(first, second, other)
    expect(takeNext(queue, now)).toBe(first)
    expect(takeNext(queue, now)).toBe(other)
    expect(takeNext(queue, now)).toBeNull()
    release(queue, first)
    expect(takeNext(queue, now)).toBe(second)
  })

  test('never starts more than its limit, counting results that are not on disk yet', () => {
    const queue = aQueue({ maxInFlight: 2 })
    queue.waiting.push(aDelivery(), aDelivery(), aDelivery())
    const first = takeNext(queue, now)
    takeNext(queue, now)
    noteExchange(queue, { ...answer(3), deliveryId: first?.id ?? '' }, now)
    expect(takeNext(queue, now)).toBeNull()
  })

  test('with a limit of 16 a success makes room before it is on disk, but not for the next event of its message', () => {
    const queue = aQueue()
    const [first, same, other] = [aDelivery('m1'), aDelivery('m1'), aDelivery('m2')]
    const filler = Array.from({ length: 15 }, () => aDelivery())
    queue.waiting.push(first, ...filler, same, other)
    for (let count = 0; count < 16; count++) takeNext(queue, now)
    expect(takeNext(queue, now)).toBeNull()
    expect([first, ...filler].every((delivery) => freeEarly(queue, delivery))).toBe(true)
    expect(takeNext(queue, now)).toBe(other)
    expect(takeNext(queue, now)).toBeNull()
    release(queue, first)
    expect(takeNext(queue, now)).toBe(same)
  })

  test('never has more started and not on disk than twice its limit of 16, or than a smaller limit', () => {
    const startedWith = (maxInFlight: number) => {
      const queue = aQueue({ maxInFlight })
      queue.waiting.push(...Array.from({ length: 100 }, () => aDelivery()))
      let started = 0
      for (let next = takeNext(queue, now); next; next = takeNext(queue, now)) {
        started++
        freeEarly(queue, next)
      }
      return started
    }
    expect([1, 2, 15, 16, 20].map(startedWith)).toEqual([1, 2, 15, 32, 40])
  })

  test('is slow by its recent median, or by something that already takes long', () => {
    const queue = aQueue()
    for (const ms of [3_000, 10, 10, 3_000, 10]) noteExchange(queue, answer(ms), now)
    expect(isSlow(queue, 2_000)).toBe(false)
    for (let count = 0; count < 5; count++) noteExchange(queue, answer(3_000), now)
    expect(isSlow(queue, 2_000)).toBe(true)
    const hanging = aQueue()
    hanging.startedMs.set('dlv_1', performance.now() - 2_500)
    expect(isSlow(hanging, 2_000)).toBe(true)
  })

  test('keeps to max_per_second, with at most a second saved up', () => {
    const queue = aQueue({ maxPerSecond: 4 })
    queue.waiting.push(...Array.from({ length: 10 }, () => aDelivery()))
    const startable = (at: number) => {
      let count = 0
      while (takeNext(queue, at)) count++
      return count
    }
    expect(startable(now)).toBe(4)
    expect(startable(now + 250)).toBe(1)
    expect(startable(now + 10_000)).toBe(4)
  })
})
