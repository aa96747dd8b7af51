import { describe, expect, test } from 'vitest'
import { createWebhookQueue } from '../queue/webhook-queue.ts'
import { createLocalFailures } from './local-failures.ts'

const now = 1_000_000

describe('faults of the gateway itself', () => {
  test('one webhook at fault rests alone, longer each time, up to 15 s', () => {
    const faults = createLocalFailures()
    const queue = createWebhookQueue('whk_1', now)
    const rests: number[] = []
    for (let at = now; rests.length < 6; at = queue.restUntil) rests.push(faults.note(queue, false, at).restMs)
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(faults.restUntil()).toBe(0)
  })

  test('what fails together is one fault', () => {
    const faults = createLocalFailures()
    const queue = createWebhookQueue('whk_1', now)
    expect(faults.note(queue, false, now).restMs).toBe(1_000)
    expect(faults.note(queue, false, now + 5).restMs).toBe(0)
    expect(queue).toMatchObject({ localFailures: 1, restUntil: now + 1_000 })
  })

  test('three webhooks at fault with nothing served between make everybody rest', () => {
    const faults = createLocalFailures()
    const queues = ['whk_1', 'whk_2', 'whk_3'].map((id) => createWebhookQueue(id, now))
    const notes = queues.map((queue) => faults.note(queue, false, now).everybody)
    expect(notes).toEqual([false, false, true])
    expect(faults.restUntil()).toBe(now + 1_000)
  })

  test('an exchange between tells that there is a way out', () => {
    const faults = createLocalFailures()
    const [one, two, three, healthy] = ['1', '2', '3', '4'].map((id) => createWebhookQueue(id, now))
    if (!one || !two || !three || !healthy) throw new Error('no queues')
    faults.note(one, false, now)
    faults.note(two, false, now)
    faults.served(healthy)
    expect(faults.note(three, false, now).everybody).toBe(false)
    expect(faults.restUntil()).toBe(0)
  })

  test('without sockets or memory everybody rests at once, longer while nothing is served', () => {
    const faults = createLocalFailures()
    const queue = createWebhookQueue('whk_1', now)
    expect(faults.note(queue, true, now)).toMatchObject({ charged: false, everybody: true })
    expect(faults.restUntil()).toBe(now + 1_000)
    faults.note(queue, true, now + 1_000)
    expect(faults.restUntil()).toBe(now + 3_000)
    faults.served(queue)
    faults.note(queue, true, now + 3_000)
    expect(faults.restUntil()).toBe(now + 4_000)
  })

  test('a receiver that alone cannot be reached is charged from the fifth time, if others are served', () => {
    const faults = createLocalFailures()
    const [queue, healthy] = [createWebhookQueue('whk_1', now), createWebhookQueue('whk_2', now)]
    const charged = (at: number) => faults.note(queue, false, at).charged
    for (let wave = 1; wave <= 6; wave++) expect(charged(now + wave * 60_000)).toBe(false)
    faults.served(healthy)
    expect(charged(now + 7 * 60_000)).toBe(true)
    faults.served(queue)
    expect(charged(now + 8 * 60_000)).toBe(false)
  })

  test('nobody is charged for a gateway without sockets', () => {
    const faults = createLocalFailures()
    const [queue, healthy] = [createWebhookQueue('whk_1', now), createWebhookQueue('whk_2', now)]
    for (let wave = 1; wave <= 8; wave++) {
      expect(faults.note(queue, true, now + wave * 60_000).charged).toBe(false)
      faults.served(healthy)
    }
  })
})
