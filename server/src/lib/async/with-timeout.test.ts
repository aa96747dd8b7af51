import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inShortList, timedOut, withTimeout } from './with-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the result or the failure of the work, and no timer is left behind', async () => {
  expect(await withTimeout(Promise.resolve('done'), 5_000)).toBe('done')
  await expect(withTimeout(Promise.reject(new Error('failed')), 5_000)).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})

test('work that takes longer is given up, never early, and its later failure bothers nobody', async () => {
  const { promise: work, reject } = Promise.withResolvers<string>()
  const given = vi.fn()
  const waiting = withTimeout(work, 14_987.3).then(given)
  await vi.advanceTimersByTimeAsync(14_987)
  expect(given).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(given).toHaveBeenCalledWith(timedOut)
  reject(new Error('too late'))
  await waiting
})

test('a short time is kept to the millisecond', async () => {
  const waiting = withTimeout(new Promise(() => {}), 30)
  await vi.advanceTimersByTimeAsync(30)
  expect(await waiting).toBe(timedOut)
})

test('limits of requests share the lists that Node keeps for durations', () => {
  expect([14_991.2, 14_950, 14_901, 1_001].map(inShortList)).toEqual([15_000, 15_000, 15_000, 1_100])
  expect([1_000, 30, 0].map(inShortList)).toEqual([1_000, 30, 0])
})
