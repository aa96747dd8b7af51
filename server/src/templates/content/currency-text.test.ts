import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyText } from './currency-text.ts'

const textOf = (code: string, amount_1000: number, language = 'en_US') => {
  const result = currencyText({ code, amount_1000 }, language)
  return result.ok ? result.text.replace(/[\u00a0\u202f]/g, ' ') : `${result.field} ${result.code}`
}

describe('an amount of money', () => {
  test.each([
    ['EUR', 42_000, 'en_US', '€42.00'],
    ['USD', 100_990, 'en_US', '$100.99'],
    ['EUR', 1_234_500, 'de', '1.234,50 €'],
    ['BRL', 1_234_500, 'pt_BR', 'R$ 1.234,50'],
    ['JPY', 500_000, 'en', '¥500'],
    ['KWD', 1_234, 'en', 'KWD 1.234'],
    ['EUR', -1_500, 'en', '-€1.50'],
    ['eur', 1_500, 'en', 'code invalid_value'],
    ['EUR', 5, 'en', '€0.01'],
    ['EUR', 0, 'en', '€0.00'],
  ])('of %s %d reads in %s as %s', (code, amount, language, expected) => {
    expect(textOf(code, amount, language)).toBe(expected)
  })

  test('is written in English where the language is unknown', () => {
    expect(textOf('EUR', 42_000, 'xx')).toBe('€42.00')
    expect(textOf('EUR', 42_000, 'no such language')).toBe('€42.00')
  })

  test('of an unknown currency or a broken amount is a problem, not an exception', () => {
    for (const code of ['', 'EURO', 'ZZZ', '€', 'constructor']) expect(textOf(code, 1)).toBe('code invalid_value')
    for (const amount of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(textOf('EUR', amount)).toBe('amount_1000 invalid_value')
    }
  })

  test('shows exactly the cents it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (cents) => {
        const shown = textOf('EUR', cents * 10, 'en').replace(/[€,.]/g, '')
        expect(Number(shown)).toBe(cents)
      }),
    )
  })
})
