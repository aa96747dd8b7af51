import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Bucket, BucketRequest, Granularity } from './time-buckets.ts'
import { bucketsOf, quarterHourOf, startOfDay, startOfDayBefore } from './time-buckets.ts'

const at = (text: string) => Date.parse(text)

function buckets(granularity: Granularity, timeZone: string, from: string, to: string): Bucket[] {
  const result = bucketsOf({ from: at(from), to: at(to), granularity, timeZone })
  if (!result.ok) throw new Error(result.problem.message)
  return result.buckets
}
const hoursOf = (list: readonly Bucket[]) => list.map((bucket) => (bucket.end - bucket.start) / hourMs)
const starts = (list: readonly Bucket[]) => list.map((bucket) => formatInstant(bucket.start))
const problemOf = (request: BucketRequest) => {
  const result = bucketsOf(request)
  return result.ok ? null : `${result.error} ${result.problem.field} ${result.problem.code}`
}

describe('days', () => {
  test('in UTC are those of the example in the contract', () => {
    expect(buckets('day', 'UTC', '2025-11-13T00:00:00Z', '2025-11-15T00:00:00Z')).toEqual([
      { start: at('2025-11-13T00:00:00Z'), end: at('2025-11-14T00:00:00Z') },
      { start: at('2025-11-14T00:00:00Z'), end: at('2025-11-15T00:00:00Z') },
    ])
  })

  test('are whole where the range begins or ends inside one', () => {
    expect(starts(buckets('day', 'UTC', '2025-11-13T10:17:00Z', '2025-11-14T00:00:00.001Z'))).toEqual([
      '2025-11-13T00:00:00.000Z',
      '2025-11-14T00:00:00.000Z',
    ])
  })

  test('last 23 and 25 hours where the clocks change', () => {
    expect(hoursOf(buckets('day', 'Europe/Berlin', '2025-03-28T23:00Z', '2025-03-31T22:00Z'))).toEqual([24, 23, 24])
    expect(hoursOf(buckets('day', 'America/New_York', '2025-11-01T04:00Z', '2025-11-04T05:00Z'))).toEqual([24, 25, 24])
  })

  test('last 23.5 and 24.5 hours on Lord Howe Island', () => {
    expect(hoursOf(buckets('day', 'Australia/Lord_Howe', '2025-10-03T14:00Z', '2025-10-05T12:00Z'))).toEqual([24, 23.5])
    expect(hoursOf(buckets('day', 'Australia/Lord_Howe', '2025-04-05T13:00Z', '2025-04-06T13:30Z'))).toEqual([24.5])
  })

  test('begin at the quarter hour in zones at +5:30 and +5:45', () => {
    expect(starts(buckets('day', 'Asia/Kolkata', '2025-11-14T18:30Z', '2025-11-15T18:30Z'))).toEqual([
      '2025-11-14T18:30:00.000Z',
    ])
    expect(starts(buckets('day', 'Asia/Kathmandu', '2025-11-14T18:15Z', '2025-11-15T18:15Z'))).toEqual([
      '2025-11-14T18:15:00.000Z',
    ])
  })

  test('begin at 01:00 where midnight is skipped', () => {
    const cairo = buckets('day', 'Africa/Cairo', '2025-04-23T22:00Z', '2025-04-25T21:00Z')
    expect(starts(cairo)).toEqual(['2025-04-23T22:00:00.000Z', '2025-04-24T22:00:00.000Z'])
    expect(hoursOf(cairo)).toEqual([24, 23])
  })

  test('begin at the first of two midnights where midnight comes twice', () => {
    expect(hoursOf(buckets('day', 'America/Havana', '2025-11-01T04:00Z', '2025-11-03T05:00Z'))).toEqual([24, 25])
  })

  test('that a zone skipped entirely have no bucket', () => {
    expect(starts(buckets('day', 'Pacific/Apia', '2011-12-29T10:00Z', '2012-01-01T10:00Z'))).toEqual([
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ])
  })
})

describe('hours', () => {
  test('that repeat give two buckets and the skipped one none', () => {
    expect(hoursOf(buckets('hour', 'Europe/Berlin', '2025-10-25T22:00Z', '2025-10-26T23:00Z'))).toEqual(
      new Array(25).fill(1),
    )
    expect(hoursOf(buckets('hour', 'Europe/Berlin', '2025-03-29T23:00Z', '2025-03-30T22:00Z'))).toEqual(
      new Array(23).fill(1),
    )
  })

  test('follow the wall clock at +5:45', () => {
    expect(starts(buckets('hour', 'Asia/Kathmandu', '2025-11-15T00:20Z', '2025-11-15T01:20Z'))).toEqual([
      '2025-11-15T00:15:00.000Z',
      '2025-11-15T01:15:00.000Z',
    ])
  })

  test('around a half-hour change include one of 30 minutes', () => {
    expect(hoursOf(buckets('hour', 'Australia/Lord_Howe', '2025-04-05T14:00Z', '2025-04-05T16:30Z'))).toEqual([
      1, 0.5, 1,
    ])
    expect(hoursOf(buckets('hour', 'Australia/Lord_Howe', '2025-10-04T14:30Z', '2025-10-04T17:00Z'))).toEqual([
      1, 0.5, 1,
    ])
    expect(starts(buckets('hour', 'Australia/Lord_Howe', '2025-10-04T15:40Z', '2025-10-04T15:50Z'))).toEqual([
      '2025-10-04T15:30:00.000Z',
    ])
  })
})

describe('hours where the clocks change at an odd minute', () => {
  test('are cut at exactly that minute', () => {
    // Newfoundland moved its clocks at 00:01 until 2011.
    const list = buckets('hour', 'America/St_Johns', '2010-03-14T03:30Z', '2010-03-14T05:30Z')
    expect(starts(list)).toEqual(['2010-03-14T03:30:00.000Z', '2010-03-14T03:31:00.000Z', '2010-03-14T04:30:00.000Z'])
    expect(starts(buckets('hour', 'America/St_Johns', '2010-03-14T03:45Z', '2010-03-14T04:00Z'))).toEqual([
      '2010-03-14T03:31:00.000Z',
    ])
  })
})

describe('months', () => {
  test('have their own lengths and cross years', () => {
    const list = buckets('month', 'America/Sao_Paulo', '2025-11-20T00:00Z', '2026-02-10T00:00Z')
    expect(starts(list)).toEqual([
      '2025-11-01T03:00:00.000Z',
      '2025-12-01T03:00:00.000Z',
      '2026-01-01T03:00:00.000Z',
      '2026-02-01T03:00:00.000Z',
    ])
    expect(list.at(-1)?.end).toBe(at('2026-03-01T03:00:00Z'))
  })
})

describe('every zone', () => {
  const local = (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

  test('has days without gaps that begin and end where the local date changes', () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const anyTime = fc.integer({ min: at('2015-01-01T00:00Z'), max: at('2035-01-01T00:00Z') })
    fc.assert(
      fc.property(anyZone, anyTime, fc.integer({ min: 1, max: 40 * 24 }), (timeZone, from, hours) => {
        const to = from + hours * hourMs
        const result = bucketsOf({ from, to, granularity: 'day', timeZone })
        const list = result.ok ? result.buckets : []
        const clock = local(timeZone)
        const dateAt = (ms: number) => clock.format(ms).slice(0, 10)
        expect(list[0]?.start).toBeLessThanOrEqual(from)
        expect(list.at(-1)?.end).toBeGreaterThanOrEqual(to)
        for (const [index, { start, end }] of list.entries()) {
          expect(dateAt(start - 1)).not.toBe(dateAt(start))
          expect(dateAt(end - 1)).toBe(dateAt(start))
          expect(list[index + 1]?.start ?? end).toBe(end)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('has hours without gaps, none longer than 60 minutes, all starting on the hour or at a change of clocks', () => {
    const zones = ['Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca', 'America/St_Johns', 'Asia/Beirut']
    const anyTime = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2030-01-01T00:00Z') })
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyTime, (timeZone, from) => {
        const result = bucketsOf({ from, to: from + 30 * 24 * hourMs, granularity: 'hour', timeZone })
        const list = result.ok ? result.buckets : []
        const clock = local(timeZone)
        expect(list.length).toBeGreaterThanOrEqual(30 * 24)
        for (const [index, { start, end }] of list.entries()) {
          expect(end - start).toBeLessThanOrEqual(hourMs)
          expect(start % 900_000).toBe(0)
          const onTheHour = clock.format(start).slice(14) === '00:00'
          expect(onTheHour || clock.format(start - 1).slice(14) === '59:59').toBe(true)
          expect(list[index + 1]?.start ?? end).toBe(end)
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('a range', () => {
  const from = at('2025-01-01T00:00Z')

  test('that is empty or reversed is refused', () => {
    expect(problemOf({ from, to: from, granularity: 'day', timeZone: 'UTC' })).toBe(
      'invalid_date_range from out_of_range',
    )
    expect(problemOf({ from, to: from - 1, granularity: 'hour', timeZone: 'UTC' })).toBe(
      'invalid_date_range from out_of_range',
    )
  })

  test.each<[Granularity, string, string]>([
    ['hour', '2025-02-01T00:00Z', '2025-02-02T00:00Z'],
    ['day', '2026-01-02T00:00Z', '2026-01-04T00:00Z'],
    ['month', '2028-01-01T00:00Z', '2028-01-03T00:00Z'],
  ])('by %s may reach its limit and not a day further', (granularity, longest, tooLong) => {
    expect(problemOf({ from, to: at(longest), granularity, timeZone: 'UTC' })).toBeNull()
    expect(problemOf({ from, to: at(tooLong), granularity, timeZone: 'UTC' })).toBe(
      'invalid_date_range to out_of_range',
    )
  })

  test('of 31 local days is allowed although a change of clocks makes it an hour longer', () => {
    expect(buckets('hour', 'Europe/Berlin', '2025-10-09T22:00Z', '2025-11-09T23:00Z')).toHaveLength(31 * 24 + 1)
  })

  test('of a hundred years by hour is refused without computing it', () => {
    const before = performance.now()
    const request = { from, to: at('2125-01-01T00:00Z'), granularity: 'hour', timeZone: 'Europe/Lisbon' } as const
    for (let index = 0; index < 100; index++) expect(problemOf(request)).toContain('out_of_range')
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  test.each(['', 'Nope/Zone', '+05:30', 'Europe/', 'UTC; drop'])('in the unknown zone %j is refused', (timeZone) => {
    expect(problemOf({ from, to: from + 1, granularity: 'day', timeZone })).toBe(
      'validation_failed timezone invalid_value',
    )
  })
})

describe('the start of a day', () => {
  test('follows the zone', () => {
    expect(startOfDay({ year: 2025, month: 11, day: 15 }, 'Asia/Kathmandu')).toBe(at('2025-11-14T18:15:00Z'))
    expect(startOfDay({ year: 2025, month: 4, day: 25 }, 'Africa/Cairo')).toBe(at('2025-04-24T22:00:00Z'))
    expect(startOfDay({ year: 2025, month: 11, day: 15 }, 'Nope/Zone')).toBeNull()
  })

  test('some days before an instant counts calendar days, not hours', () => {
    expect(startOfDayBefore(at('2025-10-29T10:00Z'), 7, 'Europe/Berlin')).toBe(at('2025-10-21T22:00:00Z'))
    expect(startOfDayBefore(at('2025-11-15T10:30Z'), 0, 'UTC')).toBe(at('2025-11-15T00:00:00Z'))
    expect(startOfDayBefore(0, 7, 'Nope/Zone')).toBeNull()
  })
})

test('a quarter hour begins at 00, 15, 30 or 45 past', () => {
  expect(quarterHourOf(at('2025-11-15T10:29:59.999Z'))).toBe(at('2025-11-15T10:15:00Z'))
  expect(quarterHourOf(at('2025-11-15T10:30:00Z'))).toBe(at('2025-11-15T10:30:00Z'))
  expect(quarterHourOf(-1)).toBe(-900_000)
})
