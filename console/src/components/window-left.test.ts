import { describe, expect, test } from 'vitest'
import { windowLeft } from './window-left.ts'

const now = Date.parse('2026-11-15T10:00:00Z')
const left = (ms: number) => windowLeft(new Date(now + ms).toISOString(), now)

describe('the time a window has left', () => {
  test('is told in hours and minutes, cut to whole minutes', () => {
    expect(left(24 * 3_600_000)).toBe('24 hr')
    expect(left(24 * 3_600_000 - 1)).toBe('23 hr 59 min')
    expect(left(61 * 60_000)).toBe('1 hr 1 min')
    expect(left(60_000)).toBe('1 min')
    expect(left(59_999)).toBe('less than a minute')
  })
})
