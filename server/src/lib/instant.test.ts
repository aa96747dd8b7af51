import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInstant, parseDate, parseInstant } from './instant.ts'

describe('reading an instant', () => {
  test.each([
    ['2025-11-15T10:30:00Z', '2025-11-15T10:30:00.000Z'],
    ['2025-11-15T10:30:00.5Z', '2025-11-15T10:30:00.500Z'],
    ['2025-11-15T10:30:00.123456789Z', '2025-11-15T10:30:00.123Z'],
    ['2025-11-15T10:30:00.999999999Z', '2025-11-15T10:30:00.999Z'],
    ['2025-11-15T10:30:00+05:45', '2025-11-15T04:45:00.000Z'],
    ['2025-11-15t00:30:00-03:30', '2025-11-15T04:00:00.000Z'],
    ['2025-11-15', '2025-11-15T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00z', '0001-01-01T00:00:00.000Z'],
  ])('%s is %s', (input, expected) => {
    const ms = parseInstant(input)
    expect(ms === null ? null : formatInstant(ms)).toBe(expected)
  })

  test.each([
    '2025-02-29',
    '2025-13-01',
    '2025-00-10',
    '2025-11-00',
    '2025-11-31T00:00:00Z',
    '2025-11-15T24:00:00Z',
    '2025-11-15T10:60:00Z',
    '2025-11-15T10:30:60Z',
    '2025-11-15T10:30:00',
    '2025-11-15T10:30Z',
    '2025-11-15T10:30:00.Z',
    '2025-11-15T10:30:00.1234567890Z',
    '2025-11-15T10:30:00+24:00',
    '2025-11-15T10:30:00+0100',
    '2025-11-15 10:30:00Z',
    '20251115',
    '1763202600',
    '',
  ])('%j is refused', (input) => {
    expect(parseInstant(input)).toBeNull()
  })

  test('every written instant reads back as itself', () => {
    const latest = Date.UTC(9999, 11, 31)
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: latest }), (ms) => {
        expect(formatInstant(ms)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(parseInstant(formatInstant(ms))).toBe(ms)
      }),
    )
  })
})

test('an instant is written as a Date writes it', () => {
  fc.assert(
    fc.property(fc.double({ min: -62_135_596_800_000, max: 253_402_300_799_999, noNaN: true }), (ms) => {
      // The second shares the minute of the first.
      for (const at of [ms, ms + 1]) expect(formatInstant(at)).toBe(new Date(at).toISOString())
    }),
  )
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError)
  expect(formatInstant(null)).toBeNull()
})

describe('reading a date', () => {
  test('gives its three numbers, and null for a date-time or a day that does not exist', () => {
    expect(parseDate('2025-11-05')).toEqual({ year: 2025, month: 11, day: 5 })
    expect(parseDate('2025-11-05T00:00:00Z')).toBeNull()
    expect(parseDate('2025-04-31')).toBeNull()
  })
})
