import { expect, test } from 'vitest'
import { messageStatus, noneMatch, statusChoices } from './texts.ts'

test('counts and choices are put together from the shared words', () => {
  expect([noneMatch('messages', 1), noneMatch('messages', 2)]).toEqual([
    'No messages match 1 filter',
    'No messages match 2 filters',
  ])
  expect(statusChoices('All statuses', messageStatus).slice(0, 2)).toEqual([
    { value: '', label: 'All statuses' },
    { value: 'waiting', label: 'Waiting' },
  ])
})
