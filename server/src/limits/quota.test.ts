import { expect, test } from 'vitest'
import { plans } from '../contract/plans.ts'
import { quotaExceeded, toFacts, windowsAt } from './quota.ts'

const now = Date.UTC(2026, 10, 18, 10, 40)
const { hour, day } = plans.free

function refusalAfter(used: { hour: number; day: number }) {
  const windows = windowsAt('free', used, now)
  if (!windows) throw new Error('The plan is not counted.')
  const { retryAfterSeconds, limit } = quotaExceeded('free', windows, now).extras
  return { retryAfterSeconds, policy: limit?.policy }
}

test('a refusal names the window that is full, and of two the one that opens later', () => {
  const [allHour, allDay] = [hour ?? 0, day ?? 0]
  const inTwentyMinutes = 20 * 60
  const atMidnight = 13 * 3_600 + 20 * 60
  expect(refusalAfter({ hour: allHour, day: 0 })).toEqual({ retryAfterSeconds: inTwentyMinutes, policy: 'hour' })
  expect(refusalAfter({ hour: 0, day: allDay })).toEqual({ retryAfterSeconds: atMidnight, policy: 'day' })
  expect(refusalAfter({ hour: allHour, day: allDay })).toEqual({ retryAfterSeconds: atMidnight, policy: 'day' })
})

test('an account that used more before its plan became smaller is shown as full, never beyond', () => {
  const [window] = windowsAt('free', { hour: 10_000, day: 10_000 }, now) ?? []
  expect(window && toFacts(window)).toMatchObject({ policy: 'hour', quota: hour, used: hour })
})
