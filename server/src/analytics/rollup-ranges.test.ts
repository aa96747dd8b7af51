import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '../lib/durations.ts'
import type { RollupRange } from '../store/analytics/rollups.ts'
import { addSlot, rangesBetween, rangesOf } from './read-request.ts'
import { bucketsOf, quarterHourMs } from './time-buckets.ts'

const at = (text: string) => Date.parse(text)
const quarters = fc.integer({ min: 0, max: 200_000 }).map((count) => at('2024-01-01T00:00Z') + count * quarterHourMs)
const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland']

/** Some count for every quarter hour, different for all of them. */
const countAt = (start: number) => (((start / quarterHourMs) * 7_919) % 1_009) + 1
function countBetween(from: number, to: number): number {
  let sum = 0
  for (let start = from; start < to; start += quarterHourMs) sum += countAt(start)
  return sum
}
const countOf = ({ start, spanMs }: RollupRange) => countBetween(start, start + spanMs)

describe('ranges of roll-ups', () => {
  test('are days between, and the shortest way from a day to each end', () => {
    const ranges = rangesBetween(at('2026-11-01T22:45Z'), at('2026-11-03T01:15Z'))
    expect(ranges.map(({ spanMs, start, net }) => [spanMs, new Date(start).toISOString().slice(5, 16), net])).toEqual([
      [hourMs, '11-01T23:00', 1],
      [quarterHourMs, '11-01T22:45', 1],
      [dayMs, '11-02T00:00', 1],
      [hourMs, '11-03T00:00', 1],
      [quarterHourMs, '11-03T01:00', 1],
    ])
  })

  test('of an hour are that hour alone', () => {
    expect(rangesBetween(at('2026-11-01T10:00Z'), at('2026-11-01T11:00Z'))).toHaveLength(1)
  })

  test('of a month of days are one row a day in UTC, and no more than 6 anywhere', () => {
    for (const timeZone of zones) {
      const result = bucketsOf({ from: at('2026-10-01'), to: at('2026-10-31'), granularity: 'day', timeZone })
      const buckets = result.ok ? result.buckets : []
      const ranges = rangesOf([...buckets.map(({ start }) => start), buckets.at(-1)?.end ?? 0], dayMs)
      expect(ranges.length).toBeLessThanOrEqual(buckets.length * (timeZone === 'UTC' ? 1 : 6))
    }
  })

  test('add up to every range', () => {
    fc.assert(
      fc.property(quarters, fc.integer({ min: 1, max: 2_000 }), (from, count) => {
        const to = from + count * quarterHourMs
        const sum = rangesBetween(from, to).reduce((total, range) => total + range.net * countOf(range), 0)
        expect(sum).toBe(countBetween(from, to))
      }),
    )
  })

  test.each(zones)('add up to every hour and day of %s, and to the whole', (timeZone) => {
    fc.assert(
      fc.property(quarters, fc.integer({ min: 1, max: 1_000 }), (from, count) => {
        const to = from + count * quarterHourMs
        for (const granularity of ['hour', 'day'] as const) {
          const result = bucketsOf({ from, to, granularity, timeZone })
          const starts = result.ok ? result.buckets.slice(1).map(({ start }) => start) : []
          const borders = [from, ...starts, to]
          const ranges = rangesOf(borders, granularity === 'hour' ? hourMs : dayMs)
          const sums = [...starts, to].map(() => ({ n: 0 }))
          for (const range of ranges) {
            addSlot(sums, range.slot, (bucket, sign) => {
              bucket.n += sign * range.sign * countOf(range)
            })
          }
          const expected = sums.map((_, index) => ({ n: countBetween(borders[index] ?? 0, borders[index + 1] ?? 0) }))
          expect(sums).toEqual(expected)
          const whole = ranges.reduce((total, range) => total + range.net * countOf(range), 0)
          expect(whole).toBe(countBetween(from, to))
        }
      }),
      { numRuns: 30 },
    )
  })
})
