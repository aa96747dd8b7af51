import { describe, expect, test } from 'vitest'
import { editDistance, nearest } from './edit-distance.ts'

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['serve', 'serve', 0],
    ['serve', '', 5],
    ['', 'abc', 3],
    ['LISTN', 'LISTEN', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 2],
  ])('from %j to %j takes %i edits, in both directions', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
    expect(editDistance(b, a)).toBe(distance)
  })
})

describe('nearest', () => {
  test('picks the candidate with the fewest edits', () => {
    expect(nearest('keis', ['users', 'keys', 'serve'], 2)).toBe('keys')
  })

  test('gives nothing when every candidate is too far away', () => {
    expect(nearest('template', ['users', 'keys', 'serve'], 2)).toBeUndefined()
  })

  test('prefers the first of two equally near candidates', () => {
    expect(nearest('b', ['a', 'c'], 1)).toBe('a')
  })
})
