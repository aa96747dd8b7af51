import { expect, test } from 'vitest'
import { neutralNames } from './neutral-names.ts'

test('names lose what would turn the page around, whole texts and everything else stay', () => {
  const text = 'שלום \u2067abc\u2069'
  const answer = {
    rows: [{ name: 'Ana\u202Elive', preview: '\u2066x', text, at: null, count: 2 }],
    filename: 'a\u202Egpj.exe',
  }
  expect(neutralNames(answer)).toEqual({
    rows: [{ name: 'Analive', preview: 'x', text, at: null, count: 2 }],
    filename: 'agpj.exe',
  })
  expect(neutralNames({ name: 'אבג Müller 👩‍👧' })).toEqual({ name: 'אבג Müller 👩‍👧' })
})
