import { expect, test } from 'vitest'
import { kindOf } from './attachment.ts'

test.each([
  ['image/png', 'image'],
  ['image/webp', 'sticker'],
  ['audio/mp4', 'audio'],
  ['video/3gpp', 'video'],
  ['text/plain', 'document'],
  ['', 'document'],
])('a file of type %j is sent as %s', (mimeType, kind) => {
  expect(kindOf(mimeType)).toBe(kind)
})
