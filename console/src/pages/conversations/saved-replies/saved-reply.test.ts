import { expect, test } from 'vitest'
import { filledIn, matching, type SavedReply } from './saved-reply.ts'

const reply = (shortcut: string, text: string): SavedReply => ({
  saved_reply_id: shortcut,
  shortcut,
  text,
  updated_at: '2026-11-19T10:00:00.000Z',
})

test('the name of the customer is filled in, and leaves no gap where it is not known', () => {
  expect(filledIn('Hello {{name}}, hi', 'Ana')).toBe('Hello Ana, hi')
  expect(filledIn('Hello {{name}}, hi', null)).toBe('Hello, hi')
  expect(filledIn('{{ name }}: thank you\n{{name}}', 'نور')).toBe('نور: thank you\nنور')
})

test('the word after a slash finds by its beginning first, and only alone', () => {
  const replies = [reply('hours', 'From 9 to 6.'), reply('open', 'Our hours are 9 to 6.')]
  expect(matching(replies, '/ho').map(({ shortcut }) => shortcut)).toEqual(['hours', 'open'])
  expect(matching(replies, '/').length).toBe(2)
  expect(matching(replies, 'and/ho')).toEqual([])
  expect(matching(replies, '/ho w')).toEqual([])
})
