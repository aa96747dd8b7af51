import { describe, expect, test } from 'vitest'
import { nowMs, retryAfterVectors } from '../../../test/support/retry-after-vectors.ts'
import { retryAfterMs } from './retry-after.ts'

describe('Retry-After', () => {
  test.each(retryAfterVectors)('%j asks for %j seconds', (header, seconds) => {
    expect(retryAfterMs(header, nowMs)).toBe(seconds === null ? null : seconds * 1_000)
  })

  test('of several the first counts; none is null', () => {
    expect(retryAfterMs(['5', '500'], nowMs)).toBe(5_000)
    expect(retryAfterMs(undefined, nowMs)).toBeNull()
  })

  test('a date says nothing where the time is not known', () => {
    expect(retryAfterMs('Sun, 15 Nov 2026 10:00:30 GMT', Number.NaN)).toBeNull()
  })
})
