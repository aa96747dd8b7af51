import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seriesStretches, stretchesOf } from './stretches.ts'
import { dayMs, hourMs, quarterHourMs, steadyTimesOf } from './time-buckets.ts'

const at = (text: string) => Date.parse(text)
const quarters = fc.integer({ min: 0, max: 200_000 }).map((count) => at('2024-01-01T00:00Z') + count * quarterHourMs)
const zones = ['UTC', 'Europe/Lisbon', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns']

describe('stretches of roll-ups', () => {
  test('are days inside, hours around them and quarters at the ends', () => {
    expect(stretchesOf(at('2026-11-01T22:45Z'), at('2026-11-03T01:15Z'))).toEqual([
      { spanMs: quarterHourMs, start: at('2026-11-01T22:45Z'), end: at('2026-11-01T23:00Z') },
      { spanMs: hourMs, start: at('2026-11-01T23:00Z'), end: at('2026-11-02T00:00Z') },
      { spanMs: dayMs, start: at('2026-11-02T00:00Z'), end: at('2026-11-03T00:00Z') },
      { spanMs: hourMs, start: at('2026-11-03T00:00Z'), end: at('2026-11-03T01:00Z') },
      { spanMs: quarterHourMs, start: at('2026-11-03T01:00Z'), end: at('2026-11-03T01:15Z') },
    ])
  })

  test('cover every range once, without gaps, in whole rows', () => {
    fc.assert(
      fc.property(quarters, quarters, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const parts = stretchesOf(from, to)
        const ends = parts.reduce((end, part) => (part.start === end ? part.end : Number.NaN), from)
        expect(ends).toBe(to)
        expect(parts.length).toBeLessThanOrEqual(5)
        for (const { spanMs, start, end } of parts) {
          expect([start % spanMs, end % spanMs, start < end]).toEqual([0, 0, true])
        }
      }),
    )
  })

  test.each(zones)('of a series never reach over the border of an hour or a day of %s', (timeZone) => {
    fc.assert(
      fc.property(quarters, fc.integer({ min: 1, max: 3_000 }), (from, count) => {
        const to = from + count * quarterHourMs
        const times = steadyTimesOf(from, to, timeZone) ?? []
        for (const granularity of ['hour', 'day'] as const) {
          const parts = seriesStretches(times, granularity)
          expect(parts.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(to - from)
          for (const { spanMs, start, offsetMs, stepMs } of parts) {
            const cell = (time: number) => Math.floor((time + offsetMs) / stepMs)
            expect(cell(start)).toBe(cell(start + spanMs - 1))
          }
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('times without a change of clocks', () => {
  test('end where the clocks change and begin again with the new offset', () => {
    const times = steadyTimesOf(at('2026-10-20T00:00Z'), at('2026-11-02T00:00Z'), 'Europe/Lisbon')
    expect(times).toEqual([
      { from: at('2026-10-20T00:00Z'), to: at('2026-10-25T01:00Z'), offsetMs: hourMs },
      { from: at('2026-10-25T01:00Z'), to: at('2026-11-02T00:00Z'), offsetMs: 0 },
    ])
    expect(steadyTimesOf(0, dayMs, 'UTC')).toEqual([{ from: 0, to: dayMs, offsetMs: 0 }])
    expect(steadyTimesOf(0, dayMs, 'Mars/Olympus')).toBeNull()
  })
})
