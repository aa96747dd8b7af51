import { describe, expect, test } from 'vitest'
import { niceMax, niceTicks } from './chart-scale.ts'

describe('the scale of a chart', () => {
  test('ends at a round number that no value exceeds', () => {
    expect([0, 1, 3, 7, 12, 49, 201, 999, 1_200].map(niceMax)).toEqual([1, 1, 4, 8, 20, 50, 300, 1_000, 2_000])
  })

  test('marks nothing between 0 and 1', () => {
    expect(niceTicks(1)).toEqual([0, 1])
    expect(niceTicks(10)).toEqual([0, 5, 10])
  })
})
