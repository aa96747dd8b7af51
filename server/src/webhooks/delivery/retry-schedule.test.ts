import { describe, expect, test } from 'vitest'
import { nextAttemptAt } from './retry-schedule.ts'

const schedule = [0, 5_000, 30_000]

describe('the retry schedule', () => {
  test('gives the delay of the next attempt, a tenth more or less', () => {
    expect(nextAttemptAt(schedule, 1, { now: 100, chance: 0 })).toBe(100 + 4_500)
    expect(nextAttemptAt(schedule, 1, { now: 100, chance: 0.5 })).toBe(100 + 5_000)
    expect(nextAttemptAt(schedule, 2, { now: 100, chance: 1 })).toBe(100 + 33_000)
  })

  test('ends after the last attempt', () => {
    expect(nextAttemptAt(schedule, 3, { now: 100, chance: 0.5 })).toBeNull()
  })
})
