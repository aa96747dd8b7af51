import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveryRates, rate } from './get-analytics.ts'

test('a rate is a percentage with two decimals', () => {
  expect(rate(301, 310)).toBe(97.1)
  expect(rate(219, 301)).toBe(72.76)
  expect(rate(1, 3)).toBe(33.33)
  expect(rate(7, 7)).toBe(100)
  expect(rate(0, 7)).toBe(0)
})

test('a rate of nothing is null, not zero and not a hundred', () => {
  expect(rate(0, 0)).toBeNull()
  expect(deliveryRates({ sent: 0, delivered: 0, read: 0 })).toEqual({ delivery_rate: null, read_rate: null })
})

test('delivery is measured against sent, reading against delivered', () => {
  expect(deliveryRates({ sent: 96, delivered: 95, read: 74 })).toEqual({ delivery_rate: 98.96, read_rate: 77.89 })
})

test('a rate of a part never leaves 0 to 100 and never has a third decimal', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
      const value = rate(Math.floor(share * whole), whole)
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(100)
      expect(String(value)).toMatch(/^\d{1,3}(\.\d{1,2})?$/)
    }),
  )
})
