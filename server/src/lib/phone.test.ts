import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countryOf, parseRecipient } from './phone.ts'

const addressOf = (input: string) => {
  const parsed = parseRecipient(input)
  return parsed.ok ? `${parsed.kind} ${parsed.value}` : null
}
const hintOf = (input: string) => {
  const parsed = parseRecipient(input)
  return parsed.ok ? null : parsed.message
}

describe('reading a recipient', () => {
  test('removes spaces, hyphens, dots and parentheses and nothing else', () => {
    expect(addressOf('+351 912-345.678')).toBe('phone +351912345678')
    expect(addressOf('+1 (202) 555-0100')).toBe('phone +12025550100')
    expect(addressOf('+351/912345678')).toBeNull()
  })

  test('removes white space of every kind, dashes and the marks of a copied number', () => {
    expect(addressOf('  +351 912345678\t')).toBe('phone +351912345678')
    expect(addressOf('\u00a0+351\u00a0912\u202f345\u2011678')).toBe('phone +351912345678')
    expect(addressOf('\u202a+351912345678\u202c')).toBe('phone +351912345678')
  })

  test('removes "(0)" after the country code, except where the zero belongs to the number', () => {
    expect(addressOf('+44 (0) 7911 123456')).toBe('phone +447911123456')
    expect(addressOf('+49(0)151 12345678')).toBe('phone +4915112345678')
    expect(addressOf('+39 (0) 6 69812345')).toBe('phone +390669812345')
    expect(addressOf('+1 (202) 555-0100')).toBe('phone +12025550100')
    expect(hintOf('+44 07911 123456')).toBe('Leave out the 0 after the country code +44.')
  })

  test('accepts the lengths that a country has, 7 to 15 digits where the country is not known', () => {
    expect(addressOf('+9991234')).toBe('phone +9991234')
    expect(addressOf('+999123456789012')).toBe('phone +999123456789012')
    expect(hintOf('+999123')).toContain('7 to 15 digits')
    expect(hintOf('+9991234567890123')).toContain('this one has 16')
    expect(hintOf('+1 202 555 010')).toBe('A number of +1 has 10 digits after the country code, this one has 9.')
    expect(hintOf('+1 202 555 01000')).toContain('this one has 11')
    expect(hintOf('+351 912 345 6789')).toContain('A number of +351 has 9 digits')
  })

  test('never refuses or rewrites a number because a numbering plan does not know it', () => {
    expect(addressOf('+999123456789')).toBe('phone +999123456789')
    expect(addressOf('+5511987654321')).toBe('phone +5511987654321')
    expect(addressOf('+551187654321')).toBe('phone +551187654321')
    expect(addressOf('+5215512345678')).toBe('phone +5215512345678')
  })

  test('accepts a platform user id and echoes it as given', () => {
    expect(addressOf('US.13491208655302741918')).toBe('user US.13491208655302741918')
    expect(addressOf('US.ENT.a1B2')).toBe('user US.ENT.a1B2')
    expect(addressOf(`US.${'1'.repeat(129)}`)).toBeNull()
    expect(addressOf('us.1')).toBeNull()
  })

  test('says how to write the number', () => {
    expect(hintOf('0049 151 1234567')).toBe('Write +49… instead of 0049….')
    expect(hintOf('912345678')).toContain("Start with '+' and the country code")
    expect(hintOf('0912345678')).toContain('Replace the leading 0')
    expect(hintOf('+0912345678')).toContain('never starts with 0')
    expect(hintOf('')).toContain('Give a phone number')
    expect(hintOf('+351 91x345678')).toContain('Use only')
    expect(hintOf('++351912345678')).toContain('once')
    expect(hintOf('+٣٥١٩١٢٣٤٥٦٧٨')).toContain('Use only')
  })

  test('never repeats the number in a hint', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-. ()x'), maxLength: 24 }), (input) => {
        const parsed = parseRecipient(input)
        if (parsed.ok) return
        const quoted = parsed.message.replace('+351912345678', '').match(/\d{5,}/)
        expect(quoted).toBeNull()
      }),
    )
  })

  test('has an output that reads as itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), (phone) => {
        const parsed = parseRecipient(phone)
        if (parsed.ok) expect(parsed).toEqual({ ok: true, kind: 'phone', value: phone })
        else expect(parsed.message).toMatch(/after the country code/)
      }),
    )
  })
})

describe('the country of a recipient', () => {
  test('is told for numbers and user ids, and null where it cannot be', () => {
    expect(countryOf('+351912345678')).toBe('PT')
    expect(countryOf('+12025550100')).toBe('US')
    expect(countryOf('BR.13491208655302741918')).toBe('BR')
    expect(countryOf('+999123456789')).toBeNull()
  })
})
