import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptyHistogram,
  type LatencyHistogram,
  latencyBoundsSeconds,
  latencyBucketOf,
  percentile,
} from './latency-histogram.ts'

const of = (seconds: readonly number[]): LatencyHistogram => {
  const counts = [...emptyHistogram()]
  for (const value of seconds) {
    const bucket = latencyBucketOf(value)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

describe('a latency histogram', () => {
  test('reaches from a tenth of a second to a day, in rising steps of at most a factor of two', () => {
    expect(latencyBoundsSeconds[0]).toBe(0.1)
    expect(latencyBoundsSeconds.at(-1)).toBe(86_400)
    for (const [index, bound] of latencyBoundsSeconds.slice(1).entries()) {
      const ratio = bound / (latencyBoundsSeconds[index] ?? 0)
      expect(ratio).toBeGreaterThan(1)
      expect(ratio).toBeLessThanOrEqual(2)
    }
  })

  test('puts a value on a bound into the bucket that ends there, and what is slower than a day into the last', () => {
    expect(latencyBucketOf(0.1)).toBe(0)
    expect(latencyBucketOf(-1)).toBe(0)
    expect(latencyBucketOf(0.11)).toBe(1)
    expect(latencyBucketOf(86_400)).toBe(latencyBoundsSeconds.length - 1)
    expect(latencyBucketOf(86_401)).toBe(latencyBoundsSeconds.length)
  })
})

describe('a percentile', () => {
  test('of nothing is null', () => {
    expect(percentile(emptyHistogram(), 0.5)).toBeNull()
  })

  test('is interpolated inside its bucket', () => {
    expect(percentile(of([2.1, 2.3, 2.6, 2.9]), 0.5)).toBe(2.5)
    expect(percentile(of([2.1, 2.3, 2.6, 2.9]), 1)).toBe(3)
  })

  test('beyond a day is told as a day', () => {
    expect(percentile(of([100_000, 200_000]), 0.5)).toBe(86_400)
  })

  test('lies in the bucket of the true percentile and never falls when the share grows', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 80_000, noNaN: true }), { minLength: 1, maxLength: 60 }),
        (values) => {
          const sorted = [...values].sort((a, b) => a - b)
          let previous = 0
          for (const share of [0.1, 0.5, 0.9, 0.95, 1]) {
            const value = percentile(of(values), share) ?? Number.NaN
            const truth = sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1] ?? Number.NaN
            expect(Math.abs(latencyBucketOf(value) - latencyBucketOf(truth))).toBeLessThanOrEqual(1)
            expect(value).toBeGreaterThanOrEqual(previous)
            previous = value
          }
        },
      ),
    )
  })
})
