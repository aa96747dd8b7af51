import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { manualClock } from '../../lib/clock.ts'
import { createSecrets } from '../../lib/secrets.ts'
import { createCursors } from './cursor.ts'

const clock = manualClock()
const cursors = createCursors(createSecrets(randomBytes(32)), clock)
const bound = ['messages', 'acc_1', { status: 'failed' }] as const

test('a cursor opens for the account and filters it was made for', () => {
  expect(cursors.open(cursors.seal([1_000, 'msg_1'], bound), bound)).toMatchObject({ position: [1_000, 'msg_1'] })
})

test('a cursor opens with the same filters in another order, and with filters that are not set', () => {
  const cursor = cursors.seal([1], ['acc_1', { type: 'message.sent', since: '2026-01-01', of: ['a', 'b'] }])
  const filters = { of: ['a', 'b'], since: '2026-01-01', type: 'message.sent' }
  expect(cursors.open(cursor, ['acc_1', { ...filters, search: '', name: null, language: undefined }])).toMatchObject({
    position: [1],
  })
})

test('a cursor used with other filters names those that differ: changed, added and left out', () => {
  const cursor = cursors.seal([1], ['acc_1', { type: 'message.sent', since: '2026-01-01', of: ['a', 'b'] }])
  expect(cursors.open(cursor, ['acc_1', { type: 'message.sent', of: ['b', 'a'], phone: '+1' }])).toEqual({
    refused: 'filters',
    filters: ['since', 'of', 'phone'],
  })
})

test('a cursor is refused for another account or list, changed, foreign, or after a day', () => {
  const unknown = { refused: 'unknown', filters: [] }
  const cursor = cursors.seal([1_000, 'msg_1'], bound)
  expect(cursors.open(cursor, ['messages', 'acc_2', bound[2]])).toEqual(unknown)
  expect(cursors.open(cursor, ['templates', 'acc_1', bound[2]])).toEqual(unknown)
  expect(cursors.open(cursor.replace('c1.W', 'c1.X'), bound)).toEqual(unknown)
  expect(cursors.open('garbage', bound)).toEqual(unknown)
  expect(cursors.open('c1..', bound)).toEqual(unknown)
  expect(createCursors(createSecrets(randomBytes(32)), clock).open(cursor, bound)).toEqual(unknown)
  clock.advance(86_400_001)
  expect(cursors.open(cursor, bound)).toEqual({ refused: 'expired', filters: [] })
})
