import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { manualClock } from '../../lib/clock.ts'
import { createSecrets } from '../../lib/secrets.ts'
import { createCursors } from './cursor.ts'

const clock = manualClock()
const cursors = createCursors(createSecrets(randomBytes(32)), clock)
const bound = { account: 'acc_1', status: 'failed' }

test('a cursor opens for the account and filters it was made for', () => {
  expect(cursors.open(cursors.seal([1_000, 'msg_1'], bound), bound)).toEqual([1_000, 'msg_1'])
})

test('a cursor opens with the same filters in another order', () => {
  const cursor = cursors.seal([1], ['acc_1', { type: 'message.sent', since: '2026-01-01', of: ['a', 'b'] }])
  expect(cursors.open(cursor, ['acc_1', { of: ['a', 'b'], since: '2026-01-01', type: 'message.sent' }])).toEqual([1])
  expect(cursors.open(cursor, ['acc_1', { of: ['b', 'a'], since: '2026-01-01', type: 'message.sent' }])).toBeNull()
})

test('a cursor is refused with other filters, for another account, changed, foreign, or after a day', () => {
  const cursor = cursors.seal([1_000, 'msg_1'], bound)
  expect(cursors.open(cursor, { ...bound, status: 'sent' })).toBeNull()
  expect(cursors.open(cursor, { ...bound, account: 'acc_2' })).toBeNull()
  expect(cursors.open(cursor.replace('c1.W', 'c1.X'), bound)).toBeNull()
  expect(cursors.open('garbage', bound)).toBeNull()
  expect(cursors.open('c1..', bound)).toBeNull()
  expect(createCursors(createSecrets(randomBytes(32)), clock).open(cursor, bound)).toBeNull()
  clock.advance(86_400_001)
  expect(cursors.open(cursor, bound)).toBeNull()
})
