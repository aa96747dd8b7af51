import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../../../../test/support/any-character.ts'
import { parseStrictJson } from './json-parser.ts'

const parseText = (text: string) => parseStrictJson(Buffer.from(text))
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('a JSON body', () => {
  test('is read as it was sent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5, stringUnit: anyCharacter })), (value) => {
        fc.pre(!JSON.stringify(value).includes('\\u0000'))
        fc.pre(JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value)))
        expect(parseText(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test.each([
    ['an array', '[1]', 'one JSON object'],
    ['a number', '1', 'one JSON object'],
    ['two objects', '{}{}', 'not valid JSON'],
    ['single quotes', "{'a': 1}", 'Use double quotes, not single ones.'],
    ['a cut object', '{"a":', 'not valid JSON'],
    ['a key twice', '{"to":"a","to":"b"}', "'to' appears twice"],
    ['a key twice, once escaped', '{"to":"a","\\u0074o":"b"}', "'to' appears twice"],
    ['a key twice, deep inside', '{"a":[{"b":1 , "b" :2}]}', "'b' appears twice"],
    ['U+0000 in a value', '{"a":"x\\u0000"}', 'U+0000'],
    ['U+0000 in a key', '{"a\\u0000":1}', 'U+0000'],
    ['an unpaired surrogate', '{"a":"\\ud800"}', 'unpaired surrogate'],
    ['17 levels', nested(17), 'deeper than 16'],
  ])('is refused with %s', (_, text, reason) => {
    expect(() => parseText(text)).toThrow(reason)
  })

  test('is refused when it is not UTF-8', () => {
    expect(() => parseStrictJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('UTF-8')
  })

  test('may have 16 levels, equal keys in different objects, and escaped emoji', () => {
    expect(parseText(nested(16))).toBeDefined()
    expect(parseText('{"a":{"b":1},"c":{"b":"{\\"b\\":1}"}}')).toBeDefined()
    expect(parseText('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' })
  })

  test('of 100,000 nested arrays is refused without exhausting the stack', () => {
    expect(() => parseText(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toThrow()
  })
})
