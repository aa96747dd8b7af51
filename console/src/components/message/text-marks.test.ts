import { describe, expect, test } from 'vitest'
import { readMarks } from './text-marks.ts'

const shown = (text: string) =>
  readMarks(text)
    .map(({ text: part, mark }) => (mark ? `<${mark}:${part}>` : part))
    .join('')

describe('the formatting marks of a text', () => {
  test.each([
    ['Hi *Ana*, it is _here_', 'Hi <bold:Ana>, it is <italic:here>'],
    ['~42~ 40 euros', '<strike:42> 40 euros'],
    ['code ```a *b*``` end', 'code <mono:a *b*> end'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['order_confirmation_en', 'order_confirmation_en'],
    ['* not bold *', '* not bold *'],
    ['*one*\n*two*', '<bold:one>\n<bold:two>'],
  ])('%s', (text, expected) => expect(shown(text)).toBe(expected))

  test('lose nothing of a text that has none, whatever it looks like', () => {
    const text = '<script>alert("*")</script> {{1}} & "quotes"'
    expect(shown(text)).toBe(text)
  })
})
