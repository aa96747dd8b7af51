import { expect, test } from 'vitest'
import { languageTag, parseLanguage } from './language.ts'

test.each([
  ['en', 'en'],
  ['en_US', 'en_US'],
  ['en-US', 'en_US'],
  ['PT-br', 'pt_BR'],
  ['FIL', 'fil'],
  ['prs_AF', 'prs_AF'],
])('the language code %s is read as %s', (input, expected) => {
  expect(parseLanguage(input)).toBe(expected)
})

test.each(['', 'e', 'english', 'en_USA', 'en__US', 'zh-Hans', 'en_US_x', ' en', 'en\n'])(
  'the text %j is no language code',
  (input) => {
    expect(parseLanguage(input)).toBeNull()
  },
)

test('a language code becomes a tag that Intl understands', () => {
  expect(languageTag('pt_BR')).toBe('pt-BR')
  expect(languageTag('en')).toBe('en')
})
