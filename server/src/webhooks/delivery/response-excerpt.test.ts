import { describe, expect, test } from 'vitest'
import { bodyExcerpt, headerExcerpt, responseBytesKept } from './judge-answer.ts'

const bytesOf = (text: string | null) => Buffer.byteLength(text ?? '')

describe('what is kept of an answer', () => {
  test('4,096 bytes that are no UTF-8 stay within 4 KiB, although each becomes three', () => {
    const kept = bodyExcerpt(Buffer.alloc(4_096, 0xff))
    expect(bytesOf(kept)).toBeLessThanOrEqual(responseBytesKept)
    expect(kept).toMatch(/^\uFFFD{1365}$/)
  })

  test('a character cut in two at the end of the excerpt does not exceed the limit', () => {
    const kept = bodyExcerpt(Buffer.from(`${'a'.repeat(4_095)}\u{1F600}`).subarray(0, 4_096))
    expect(bytesOf(kept)).toBeLessThanOrEqual(responseBytesKept)
    expect(kept?.startsWith('a'.repeat(4_095))).toBe(true)
  })

  test('whole characters are kept, and a body that fits is kept as it is', () => {
    expect(bodyExcerpt(Buffer.from('\u{1F600}'.repeat(1_024)))).toBe('\u{1F600}'.repeat(1_024))
    expect(bodyExcerpt(Buffer.from('a\u0000b'))).toBe('a\uFFFDb')
    expect(bodyExcerpt(Buffer.alloc(0))).toBeNull()
  })

  test('headers stay within 4 KiB, whatever the number and length of names and values', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`x-${at}-${'n'.repeat(200)}`, 'v'.repeat(300)]),
    )
    const kept = headerExcerpt(many)
    expect(bytesOf(kept)).toBeLessThanOrEqual(responseBytesKept)
    for (const [name, value] of Object.entries(JSON.parse(kept) as Record<string, string>)) {
      expect({ name: name.length, value: value.length }).toEqual({ name: 64, value: 256 })
    }
    const quotes = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`q-${at}`, '"'.repeat(300)]))
    expect(bytesOf(headerExcerpt(quotes))).toBeLessThanOrEqual(responseBytesKept)
  })

  test('a small header after one too many is kept; cookies never are', () => {
    const large = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`x-${at}`, 'v'.repeat(300)]))
    const kept = JSON.parse(headerExcerpt({ ...large, 'set-cookie': ['a=b'], 'x-last': 'yes' })) as object
    expect(kept).toMatchObject({ 'x-last': 'yes' })
    expect(kept).not.toHaveProperty('set-cookie')
  })
})
