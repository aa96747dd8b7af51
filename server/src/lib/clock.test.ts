import { expect, test } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { followWallClock, processNow, steadyClock, wallTimeText } from './clock.ts'

test('a machine that slept for eight hours has the right time again, and small corrections do not move it', async () => {
  let jumpMs = 0
  const wall = followWallClock(() => processNow() + jumpMs, 5)
  try {
    const clock = steadyClock(wall.offsetMs)
    const before = clock.now()
    jumpMs = 8 * 3_600_000
    await waitFor(() => clock.now() - before >= jumpMs)
    expect(clock.now() - before).toBeLessThan(jumpMs + 60_000)
    const slept = wall.offsetMs()
    jumpMs += 900
    await waitFor(() => true)
    expect(wall.offsetMs()).toBe(slept)
  } finally {
    wall.stop()
  }
})

test('the text of the wall clock follows it', async () => {
  const first = wallTimeText()
  expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(1_000)
  await waitFor(() => wallTimeText() !== first)
  expect(Date.parse(wallTimeText())).toBeGreaterThan(Date.parse(first))
})
