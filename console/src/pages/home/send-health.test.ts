import { expect, test } from 'vitest'
import { sendTrouble, troublePath } from './send-health.ts'

test('a few failures are no trouble, a tenth is, and more than half is an error', () => {
  expect(sendTrouble({ created: 0, failed: 0, not_sent: 0 })).toBeNull()
  expect(sendTrouble({ created: 202, failed: 9, not_sent: 0 })).toBeNull()
  expect(sendTrouble({ created: 10, failed: 1, not_sent: 0 })).toEqual({ tone: 'warn', text: 'Some sends fail' })
  expect(sendTrouble({ created: 100, failed: 99, not_sent: 0 })).toEqual({ tone: 'error', text: 'Most sends fail' })
})

test('sends that were refused before there was a message count as failing', () => {
  expect(sendTrouble({ created: 0, failed: 0, not_sent: 3 })).toEqual({ tone: 'error', text: 'Most sends fail' })
  expect(sendTrouble({ created: 10, failed: 0, not_sent: 2 })).toEqual({ tone: 'warn', text: 'Some sends fail' })
  // What was refused is a try as well: here six of twelve, then seven of thirteen.
  expect(sendTrouble({ created: 7, failed: 1, not_sent: 5 })).toEqual({ tone: 'warn', text: 'Some sends fail' })
  expect(sendTrouble({ created: 7, failed: 1, not_sent: 6 })).toEqual({ tone: 'error', text: 'Most sends fail' })
  expect(troublePath({ created: 1, failed: 1, not_sent: 3 })).toBe('/messages?time=day&status=not_sent')
  expect(troublePath({ created: 3, failed: 3, not_sent: 0 })).toBe('/messages?time=day&status=failed')
})
