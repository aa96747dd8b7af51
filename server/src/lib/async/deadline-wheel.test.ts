import { afterEach, describe, expect, test } from 'vitest'
import { createDeadlineWheel } from './deadline-wheel.ts'

const wheel = createDeadlineWheel({ slotMs: 10 })
afterEach(() => wheel.close())

function expiry(afterMs: number): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve) => wheel.start(afterMs, () => resolve(performance.now() - startedAt)))
}

describe('the deadline wheel', () => {
  test('a deadline never fires early', async () => {
    const wanted = [0, 1, 9, 10, 11, 35, 100]
    const measured = await Promise.all(wanted.map(expiry))
    expect(measured.filter((ms, index) => ms < (wanted[index] ?? 0))).toEqual([])
  })

  test('deadlines fire in the order of their time, also after the event loop was blocked', async () => {
    const order: number[] = []
    const waits = [60, 20, 40].map((ms) => expiry(ms).then(() => order.push(ms)))
    const until = performance.now() + 80
    while (performance.now() < until);
    await Promise.all(waits)
    expect(order).toEqual([20, 40, 60])
  })

  test('a cancelled deadline does not fire', async () => {
    const fired: string[] = []
    const cancelled = wheel.start(10, () => fired.push('cancelled'))
    cancelled.cancel()
    await expiry(40).then(() => fired.push('later'))
    cancelled.cancel()
    expect(fired).toEqual(['later'])
  })

  test('the wheel starts again after it ran empty', async () => {
    await expiry(5)
    expect(await expiry(5)).toBeGreaterThanOrEqual(5)
  })

  test('a deadline started by an expiring one is kept', async () => {
    const second = await new Promise((resolve) => wheel.start(5, () => wheel.start(5, () => resolve('fired'))))
    expect(second).toBe('fired')
  })
})
