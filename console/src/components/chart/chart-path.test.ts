import { describe, expect, test } from 'vitest'
import { toPath } from './chart-path.ts'

const x = (index: number) => index
const y = (value: number) => value

describe('the line of a chart', () => {
  test('breaks where nothing was measured, and a value alone between gaps is a dot', () => {
    expect(toPath([1, 2, null, 3, null, null, 0, 4], x, y)).toBe('M0.0 1.0L1.0 2.0M3.0 3.0h0M6.0 0.0L7.0 4.0')
  })

  test('is nothing where nothing was measured at all', () => {
    expect(toPath([null, null], x, y)).toBe('')
  })
})
