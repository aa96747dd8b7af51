import { describe, expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = Date.UTC(2026, 10, 15, 10, 0, 0)
const ago = (seconds: number) => relativeTime(now - seconds * 1_000, now)

describe('a relative time', () => {
  test('counts whole units and never rounds up', () => {
    expect([0, 9, 10, 59, 60, 3_599, 3_600, 7_199, 86_399, 86_400].map(ago)).toEqual([
      'just now',
      'just now',
      '10 seconds ago',
      '59 seconds ago',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '1 hour ago',
      '23 hours ago',
      '1 day ago',
    ])
  })

  test('goes on in days until they stop meaning anything', () => {
    expect([41 * 86_400, 60 * 86_400, 800 * 86_400].map(ago)).toEqual(['41 days ago', '2 months ago', '2 years ago'])
  })

  test('looks forward too', () => {
    expect(ago(-3_600)).toBe('in 1 hour')
  })
})
