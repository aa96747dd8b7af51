import { describe, expect, test } from 'vitest'
import { manualClock } from './clock.ts'
import { createIds } from './ids.ts'

describe('ids', () => {
  test('have their prefix and 26 lower-case base32 characters', () => {
    expect(createIds(manualClock())('whk')).toMatch(/^whk_[0-9a-hjkmnp-tv-z]{26}$/)
  })

  test('made within one millisecond are distinct and sort in the order they were made', () => {
    const newId = createIds(manualClock())
    const ids = Array.from({ length: 50_000 }, () => newId('evt'))
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
  })

  test('sort by time, also when the clock steps back', () => {
    const clock = manualClock()
    const newId = createIds(clock)
    const first = newId('evt')
    clock.advance(5)
    const second = newId('evt')
    clock.advance(-1_000)
    const third = newId('evt')
    expect([third, first, second].sort()).toEqual([first, second, third])
  })
})
