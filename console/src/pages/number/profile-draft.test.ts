import { expect, test } from 'vitest'
import { changesOf, draftOf, websitePlace } from './profile-draft.ts'

const profile = {
  phone_number: '+351210000000',
  about: 'Open',
  address: null,
  description: 'Plants',
  email: null,
  vertical: 'RETAIL',
  websites: ['https://a.test'],
  photo_url: null,
}

test('nothing that was left alone is sent', () => {
  const start = draftOf(profile)
  expect(changesOf(start, start)).toEqual({})
  expect(changesOf(start, { ...start, address: ' Rua Augusta 1 ', description: '' })).toEqual({
    address: 'Rua Augusta 1',
    description: '',
  })
})

test('websites are sent together and without empty ones, and an error finds its field', () => {
  const start = draftOf(profile)
  const second = { ...start, websites: ['', 'https://b.test'] as [string, string] }
  expect(changesOf(start, second)).toEqual({ websites: ['https://b.test'] })
  expect(websitePlace(second, 1)).toBe(0)
  expect(websitePlace(start, 1)).toBe(1)
  expect(changesOf(start, { ...start, websites: ['', ''] })).toEqual({ websites: [] })
})
