import { afterEach, expect, test, vi } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { followWallClock, processNow, steadyClock, wallTimeText } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a machine that slept for eight hours has the right time again, and small corrections do not move it', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const sleptMs = 8 * 3_600_000
  let jumpMs = 0
  let looks = 0
  const wall = followWallClock(() => {
    looks++
    return processNow() + jumpMs
  })
  const clock = steadyClock(wall.offsetMs)
  const before = clock.now()
  jumpMs = sleptMs
  vi.advanceTimersByTime(10_000)
  expect(clock.now() - before).toBe(sleptMs + 10_000)
  // Each of them is below a second, also against what was seen last.
  for (const correctionMs of [900, -900, 1_000, -1_000]) {
    jumpMs = sleptMs + correctionMs
    vi.advanceTimersByTime(10_000)
    expect(wall.offsetMs()).toBe(sleptMs)
  }
  jumpMs = sleptMs - 1_001
  vi.advanceTimersByTime(10_000)
  expect(wall.offsetMs()).toBe(sleptMs - 1_001)
  expect(looks).toBe(6)
  wall.stop()
})

test('the text of the wall clock follows it', async () => {
  const first = wallTimeText()
  expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(1_000)
  await waitFor(() => wallTimeText() !== first)
  expect(Date.parse(wallTimeText())).toBeGreaterThan(Date.parse(first))
})
