import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillPlaceholders, numberPlaceholders, placeholdersIn } from './placeholders.ts'

describe('filling placeholders', () => {
  test('happens once: a value that looks like a placeholder stays as it is', () => {
    expect(fillPlaceholders('Hi {{1}}, {{2}}.', ['{{2}}', '{{1}}'])).toBe('Hi {{2}}, {{1}}.')
  })

  test('takes values literally, dollar signs included', () => {
    expect(fillPlaceholders('Total {{1}}.', ['$& $1 $$'])).toBe('Total $& $1 $$.')
  })

  test('repeats a value wherever its placeholder stands, and leaves one without a value', () => {
    expect(fillPlaceholders('{{1}} {{ 1 }} {{2}} {{x}}', ['a'])).toBe('a a {{2}} {{x}}')
  })

  test('shows every value whole, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 3, maxLength: 3 }), (values) => {
        expect(fillPlaceholders('a{{1}}b{{2}}c{{3}}d', values)).toBe(`a${values[0]}b${values[1]}c${values[2]}d`)
      }),
    )
  })
})

describe('numbering placeholders', () => {
  test('turns names into positions in the order of first use', () => {
    expect(numberPlaceholders('Hi {{name}}, {{ order_id }} for {{name}}.')).toEqual({
      text: 'Hi {{1}}, {{2}} for {{1}}.',
      names: ['name', 'order_id'],
      named: true,
    })
  })

  test('leaves numbers, and a mixture nobody can number', () => {
    expect(numberPlaceholders('Hi {{ 1 }}.')).toEqual({ text: 'Hi {{1}}.', names: [null], named: false })
    expect(numberPlaceholders('{{1}} {{name}}').text).toBe('{{1}} {{name}}')
    expect(numberPlaceholders('none')).toEqual({ text: 'none', names: [], named: false })
  })
})

test('single braces are no placeholders', () => {
  expect(placeholdersIn('{1} {{1} {1}} {{}} {{a}}').map(({ token }) => token)).toEqual(['', 'a'])
})
