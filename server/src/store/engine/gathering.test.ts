import { afterEach, expect, test, vi } from 'vitest'
import { createGathering } from './gathering.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a timer that comes too early is not the last: what waits is looked at again', () => {
  // The stopwatch stands still, and the timers do not: each of them is early.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(performance, 'now').mockReturnValue(0)
  let looks = 0
  const gathering = createGathering(() => {
    looks++
    expect(gathering.isOn()).toBe(true)
  })
  gathering.behind(20)
  expect(gathering.isOn()).toBe(true)
  vi.advanceTimersByTime(60)
  expect(looks).toBe(3)
})
