import { describe, expect, test } from 'vitest'
import type { ClaimedDelivery } from '../../store/webhooks/webhook-claims.ts'
import { capOf, freePlace, isSlow, type Line, newLine, noteExchange, roomOf, takeNext } from './line.ts'

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

function aLine(over: Partial<Line> = {}): Line {
  return Object.assign(newLine('whk_1', now), { maxInFlight: 16, tried: true }, over)
}
const answer = (durationMs: number) => ({ deliveryId: '', answered: true, durationMs, pauseMs: 0 })

describe('the line of a webhook', () => {
  test('has as many places as the webhook allows, and two until it has answered once', () => {
    expect(capOf(aLine(), now)).toBe(16)
    const untried = aLine({ tried: false })
    expect(capOf(untried, now)).toBe(2)
    noteExchange(untried, answer(5), now)
    expect(capOf(untried, now)).toBe(16)
  })

  test('claims as many again to wait in memory, but nothing ahead in strict order', () => {
    expect(roomOf(aLine(), now)).toBe(32)
    expect(roomOf(aLine({ maxInFlight: 2 }), now)).toBe(18)
    expect(roomOf(aLine({ maxInFlight: 1 }), now)).toBe(1)
    expect(roomOf(aLine({ tried: false }), now)).toBe(2)
  })

  test('is closed while it pauses', () => {
    const line = aLine()
    noteExchange(line, { deliveryId: '', answered: true, durationMs: 1, pauseMs: 5_000 }, now)
    expect(capOf(line, now + 4_999)).toBe(0)
    expect(capOf(line, now + 5_000)).toBe(16)
  })

  test('starts one delivery of a message at a time, and others meanwhile', () => {
    const line = aLine()
    const [first, second, other] = [aDelivery('m1'), aDelivery('m1'), aDelivery('m2')]
    line.queue.push(first, second, other)
    expect(takeNext(line, now)).toBe(first)
    expect(takeNext(line, now)).toBe(other)
    expect(takeNext(line, now)).toBeNull()
    freePlace(line, first)
    expect(takeNext(line, now)).toBe(second)
  })

  test('never starts more than its places, counting what is not on disk yet', () => {
    const line = aLine({ maxInFlight: 2 })
    line.queue.push(aDelivery(), aDelivery(), aDelivery())
    const first = takeNext(line, now)
    takeNext(line, now)
    noteExchange(line, { ...answer(3), deliveryId: first?.id ?? '' }, now)
    expect(takeNext(line, now)).toBeNull()
  })

  test('is slow by its recent median, or by something that already takes long', () => {
    const line = aLine()
    for (const ms of [3_000, 10, 10, 3_000, 10]) noteExchange(line, answer(ms), now)
    expect(isSlow(line, 2_000)).toBe(false)
    for (let count = 0; count < 5; count++) noteExchange(line, answer(3_000), now)
    expect(isSlow(line, 2_000)).toBe(true)
    const hanging = aLine()
    hanging.startedMs.set('dlv_1', performance.now() - 2_500)
    expect(isSlow(hanging, 2_000)).toBe(true)
  })

  test('keeps to max_per_second, with at most a second saved up', () => {
    const line = aLine({ maxPerSecond: 4 })
    line.queue.push(...Array.from({ length: 10 }, () => aDelivery()))
    const startable = (at: number) => {
      let count = 0
      while (takeNext(line, at)) count++
      return count
    }
    expect(startable(now)).toBe(4)
    expect(startable(now + 250)).toBe(1)
    expect(startable(now + 10_000)).toBe(4)
  })
})
