import { describe, expect, test } from 'vitest'
import { assign, cellsOf, componentsText, readHead, toColumnIn } from './recipients-file.ts'

describe('the head of a file', () => {
  test('has columns and rows, whatever separates them, with quotes and line breaks in cells', () => {
    expect(
      readHead('\uFEFFPhone;first name\r\n+351912345678;"Eva; Maria"\r\n\r\n+351912345679;"two\nlines ""x"""'),
    ).toEqual({
      columns: ['Phone', 'first name'],
      rows: [
        ['+351912345678', 'Eva; Maria'],
        ['+351912345679', 'two\nlines "x"'],
      ],
    })
  })

  test('leaves out what was cut off at its end', () => {
    const lines = ['to,a', ...Array.from({ length: 30 }, (_, line) => `+35191234${1000 + line},x`)]
    expect(readHead(lines.join('\n')).rows).toHaveLength(10)
    expect(readHead('to\tname\n+351912345678\tAna\n+35191', { isCut: true }).rows).toEqual([['+351912345678', 'Ana']])
  })

  test('names the column with the numbers', () => {
    expect(toColumnIn(['name', 'WhatsApp'])).toBe('WhatsApp')
    expect(toColumnIn(['name', 'cell'])).toBe('')
  })
})

describe('columns and variables', () => {
  const fields = [
    { key: 'body 1', label: 'First name', kind: 'text', example: '' },
    { key: 'body 2', label: 'Value 2', kind: 'text', example: '' },
  ] as const

  test('find each other by name, and otherwise in their order', () => {
    expect(assign(fields, ['to', 'code', 'first_name'], 'to')).toEqual({
      'body 1': { column: 'first_name', instead: '', text: '' },
      'body 2': { column: 'code', instead: '', text: '' },
    })
  })

  test('become placeholders, or a text that is the same for all', () => {
    const sources = {
      'body 1': { column: 'first_name', instead: 'customer', text: '' },
      'body 2': { column: '', instead: '', text: '9 EUR' },
    }
    expect(componentsText(sources)).toEqual({ 'body 1': '{{first_name|customer}}', 'body 2': '9 EUR' })
    expect(cellsOf(sources, ['to', 'first_name'], ['+351912345678', ' '])).toEqual({
      'body 1': 'customer',
      'body 2': '9 EUR',
    })
  })
})
