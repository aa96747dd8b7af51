import { describe, expect, test } from 'vitest'
import { countSeries, dimensions, seriesFor, valueSeries } from './rollups-series.ts'

const [quarterMs, hourMs, sixHoursMs, dayMs] = [900_000, 3_600_000, 21_600_000, 86_400_000]

describe('the series of roll-ups', () => {
  test('have the numbers that are stored', () => {
    expect(countSeries).toHaveLength(8 * 4 + 15)
    expect(new Set(countSeries.map(({ series }) => series)).size).toBe(countSeries.length)
    expect(seriesFor(countSeries, [], quarterMs)).toBe(0)
    expect(seriesFor(countSeries, dimensions, dayMs)).toBe(12)
    expect(seriesFor(countSeries, ['template'], hourMs)).toBe(31)
    expect(seriesFor(countSeries, ['api_key'], sixHoursMs)).toBe(73)
    expect(seriesFor(countSeries, ['type', 'template'], dayMs)).toBe(82)
    expect(seriesFor(countSeries, ['api_key', 'phone_number'], dayMs)).toBe(222)
  })

  test('are chosen with the fewest rows that still answer the question', () => {
    const keeps = (names: string[], spanMs: number) =>
      countSeries.find(({ series }) => series === seriesFor(countSeries, names, spanMs))?.keeps
    expect(keeps(['direction', 'error_code'], dayMs)).toEqual([])
    expect(keeps(['template', 'template'], dayMs)).toEqual(['template'])
    expect(keeps(['country', 'template'], dayMs)).toEqual(['template', 'country'])
    expect(keeps(['country', 'template'], hourMs)).toEqual(dimensions)
    expect(keeps(['country', 'template', 'api_key'], dayMs)).toEqual(dimensions)
  })

  test('of latencies and prices are those one can filter by', () => {
    expect(valueSeries.map(({ series }) => series)).toEqual(
      [0, 1, 2, 3, 6, 7].flatMap((level) => [0, 1, 2].map((span) => level * 10 + span)),
    )
  })
})
