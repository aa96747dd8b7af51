import { expect, test } from 'vitest'
import { checkSummary, tokenWithoutDate } from './check-summary.ts'

const step = (status: 'ok' | 'warning' | 'failed' | 'skipped', name = 'token') => ({ name, status })

test.each([
  [[step('ok')], 'All checks passed'],
  [[step('ok'), step('skipped')], 'No check failed; 1 has a warning or was skipped'],
  [[step('warning'), step('skipped')], 'No check failed; 2 have a warning or were skipped'],
  [[step('ok'), step('failed')], 'Some checks failed'],
])('checks that were not completed have not passed (%#)', (steps, summary) => {
  expect(checkSummary(steps)).toBe(summary)
})

test('a token whose expiry could not be read is not called one that does not expire', () => {
  expect(tokenWithoutDate([step('ok')])).toBe('does not expire')
  expect(tokenWithoutDate([step('warning')])).toBe('expiry not known')
  expect(tokenWithoutDate([])).toBe('expiry not known')
})
