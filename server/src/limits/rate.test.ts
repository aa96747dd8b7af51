import { expect, test } from 'vitest'
import { createThrottle } from './rate.ts'

test('a burst passes at once, then one per interval, and keys do not touch each other', () => {
  const throttle = createThrottle({ everyMs: 1_000, burst: 3 })
  expect([0, 0, 0].map(() => throttle.take('a', 10_000))).toEqual([0, 0, 0])
  expect(throttle.take('a', 10_000)).toBe(1_000)
  expect(throttle.take('b', 10_000)).toBe(0)
  expect(throttle.take('a', 10_999)).toBe(1)
  expect(throttle.take('a', 11_000)).toBe(0)
  expect(throttle.take('a', 11_000)).toBe(1_000)
})

test('looking does not take, and a quiet key has its whole burst back', () => {
  const throttle = createThrottle({ everyMs: 1_000, burst: 2 })
  expect([throttle.waitMs('a', 0), throttle.waitMs('a', 0), throttle.waitMs('a', 0)]).toEqual([0, 0, 0])
  throttle.take('a', 0)
  throttle.take('a', 0)
  expect(throttle.waitMs('a', 0)).toBe(1_000)
  expect([throttle.take('a', 60_000), throttle.take('a', 60_000)]).toEqual([0, 0])
})

test('nobody waits for days when a clock that was ahead is put right', () => {
  const throttle = createThrottle({ everyMs: 6_000, burst: 1 })
  expect(throttle.take('a', 15 * 86_400_000)).toBe(0)
  expect([throttle.take('a', 1_000), throttle.take('a', 1_000)]).toEqual([0, 6_000])
})
