import { expect, test } from 'vitest'
import { lengthNote } from './length-note.ts'

test('the length is told near the end only, and what is too long says by how much', () => {
  expect(lengthNote('a'.repeat(3_895), false)).toBeNull()
  expect(lengthNote('a'.repeat(4_096), false)).toEqual({ text: '4,096 of 4,096 characters', isOver: false })
  expect(lengthNote('a'.repeat(4_097), false)).toEqual({
    text: 'A message can have up to 4,096 characters; this one has 4,097. Shorten it or split it.',
    isOver: true,
  })
})

test('a caption has less room, and an emoji is one character', () => {
  expect(lengthNote('a'.repeat(1_025), true)).toMatchObject({ isOver: true })
  expect(lengthNote('🙂'.repeat(1_024), true)).toEqual({ text: '1,024 of 1,024 characters', isOver: false })
})
