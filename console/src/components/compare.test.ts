import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'

describe('a sorted column', () => {
  test('puts what has no value last, whichever way it is sorted', () => {
    const values = [3, null, 12, 1]
    expect([...values].sort((a, b) => compare(a, b, true))).toEqual([12, 3, 1, null])
    expect([...values].sort((a, b) => compare(a, b, false))).toEqual([1, 3, 12, null])
  })

  test('sorts names as people do', () => {
    expect(['b', 'A', 'a'].sort((a, b) => compare(a, b, false))).toEqual(['a', 'A', 'b'])
  })
})
