import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchLoad } from './overload.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  ['writes', { depth: 1_001, waiting: 0 }],
  ['reads', { depth: 0, waiting: 33 }],
])('too many waiting %s count as too much after half a second, and end when they do', (_, busy) => {
  let now = { depth: 0, waiting: 0 }
  const load = watchLoad({
    depth: () => now.depth,
    connections: () => ({ active: 0, idle: 0, waiting: now.waiting }),
  })
  vi.advanceTimersByTime(10_000)
  expect(load.isTooMuch()).toBe(false)
  now = busy
  vi.advanceTimersByTime(500)
  expect(load.isTooMuch()).toBe(false)
  vi.advanceTimersByTime(100)
  expect(load.isTooMuch()).toBe(true)
  now = { depth: 0, waiting: 0 }
  vi.advanceTimersByTime(50)
  expect(load.isTooMuch()).toBe(false)
  load.stop()
})
