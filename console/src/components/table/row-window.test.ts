import { describe, expect, test } from 'vitest'
import { heightsOf, rowWindow } from './virtual-rows.ts'

describe('the window of a long list', () => {
  const rows = Array.from({ length: 5_000 }, () => 40)

  test('holds the rows between two heights, and leaves room for the others', () => {
    expect(rowWindow(rows, 4_000, 4_800)).toEqual({ start: 100, end: 120, beforePx: 4_000, afterPx: 4_880 * 40 })
  })

  test('begins and ends with the list', () => {
    expect(rowWindow(rows, -800, 80)).toEqual({ start: 0, end: 2, beforePx: 0, afterPx: 4_998 * 40 })
    expect(rowWindow(rows, 199_900, 300_000)).toMatchObject({ start: 4_997, end: 5_000, afterPx: 0 })
  })

  test('takes as much room with every window, whatever the rows measure', () => {
    const uneven = rows.map((_, index) => 30 + (index % 7) * 11)
    const whole = uneven.reduce((total, height) => total + height, 0)
    for (const from of [0, 1_234, 99_999]) {
      const { start, end, beforePx, afterPx } = rowWindow(uneven, from, from + 900)
      const insidePx = uneven.slice(start, end).reduce((total, height) => total + height, 0)
      expect(beforePx + insidePx + afterPx).toBe(whole)
    }
  })

  test('guesses the height of what it has not seen from what it has', () => {
    const known = new Map([
      ['a', 100],
      ['b', 200],
    ])
    expect(heightsOf(['a', 'b', 'c'], known, 40)).toEqual([100, 200, 150])
    expect(heightsOf(['x', 'y'], new Map(), 40)).toEqual([40, 40])
  })
})
