import { expect, test } from 'vitest'
import type { ThreadMessage } from './conversations-query.ts'
import { entriesOf } from './thread-messages.ts'

const message = (id: string, change: Partial<ThreadMessage> = {}): ThreadMessage =>
  ({
    id,
    direction: 'inbound',
    type: 'text',
    status: 'received',
    at: '2026-11-19T10:00:00.000Z',
    ...change,
  }) as ThreadMessage
const reaction = (id: string, about: string, emoji: string | null, change: Partial<ThreadMessage> = {}) =>
  message(id, { type: 'reaction', content: { reaction: { message_id: about, emoji } }, ...change })
const dayOf = (at: string) => at.slice(0, 10)

test('a reaction stands on its message, and the last one of each side counts', () => {
  const ours = { direction: 'outbound', status: 'sent' } as const
  const entries = entriesOf(
    [message('a'), reaction('b', 'a', '👍'), reaction('c', 'a', '❤️'), reaction('d', 'a', '😂', ours), message('e')],
    dayOf,
  )
  expect(entries.map((entry) => [entry.message.id, entry.reactions.map(({ emoji }) => emoji)])).toEqual([
    ['a', ['❤️', '😂']],
    ['e', []],
  ])
})

test('a reaction that was taken back is gone; one whose message is not loaded or that failed stands alone', () => {
  const entries = entriesOf(
    [
      message('a'),
      reaction('b', 'a', '👍'),
      reaction('c', 'a', null),
      reaction('d', 'old', '👍'),
      reaction('e', 'a', '😂', { direction: 'outbound', status: 'failed' }),
    ],
    dayOf,
  )
  expect(entries.map((entry) => [entry.message.id, entry.reactions.length])).toEqual([
    ['a', 0],
    ['d', 0],
    ['e', 0],
  ])
})

test('each day begins once', () => {
  const entries = entriesOf([message('a'), message('b'), message('c', { at: '2026-11-20T00:00:00.000Z' })], dayOf)
  expect(entries.map(({ startsDay }) => startsDay)).toEqual([true, false, true])
})
