import { describe, expect, test } from 'vitest'
import { checkText } from './check-text.ts'

const codes = (text: string) => checkText(text).map((problem) => problem.code)

describe('a text message', () => {
  test('has 1 to 4096 code points, however many bytes they take', () => {
    expect(codes('a')).toEqual([])
    expect(codes('😀'.repeat(4096))).toEqual([])
    expect(codes('😀'.repeat(4097))).toEqual(['too_long'])
    expect(checkText('a'.repeat(5000))[0]?.message).toContain('4096')
  })

  test('that is empty or only white space is too short', () => {
    for (const text of ['', ' ', '\n\t\u00a0\u3000']) expect(codes(text)).toEqual(['too_short'])
  })

  test('is refused with a zero character or half an emoji', () => {
    expect(codes('a\0b')).toEqual(['invalid_format'])
    expect(codes('a\ud83d')).toEqual(['invalid_format'])
  })

  test('names the field it was given', () => {
    expect(checkText('', 'fallback.text')[0]).toMatchObject({ field: 'fallback.text', location: 'body' })
    expect(checkText('')[0]).toMatchObject({ field: 'message' })
  })
})
