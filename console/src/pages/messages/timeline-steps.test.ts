import { describe, expect, test } from 'vitest'
import { distance, timelineSteps } from './timeline-steps.ts'

describe('the timeline of a message', () => {
  test.each([
    [130, '+0.13 s'],
    [3_000, '+3.0 s'],
    [99_000, '+1 m 39 s'],
    [7_500_000, '+2 h 5 m'],
  ])('writes %d ms as %s', (ms, text) => expect(distance(ms)).toBe(text))

  test('never runs backwards and names no step twice: the platform repeats itself and counts whole seconds', () => {
    const step = (status: string, at: string) => ({ status, at, inferred: false })
    const steps = timelineSteps([
      step('queued', '2026-11-15T10:29:59.871Z'),
      step('sent', '2026-11-15T10:29:59.000Z'),
      step('sent', '2026-11-15T10:30:01.000Z'),
      step('delivered', '2026-11-15T10:30:03.000Z'),
    ])
    expect(steps.map(({ title, at, after }) => [title, at.slice(17, 23), after])).toEqual([
      ['Accepted', '59.871', null],
      ['Sent', '59.871', '+0.00 s'],
      ['Delivered', '03.000', '+3.1 s'],
    ])
  })
})
