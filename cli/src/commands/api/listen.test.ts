import { expect, test } from 'vitest'
import { forwardedLine } from './listen.ts'

test.each([
  [0, 0, 'Forwarded 0 events; 0 were accepted.'],
  [1, 1, 'Forwarded 1 event; 1 was accepted.'],
  [2, 1, 'Forwarded 2 events; 1 was accepted.'],
])('the last line of listen counts as people do: %i and %i', (forwarded, accepted, line) => {
  expect(forwardedLine({ forwarded, accepted })).toBe(line)
})
