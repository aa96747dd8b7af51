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
    expect(addressOf('+351\t912345678')).toBeNull()
    expect(addressOf('+351/912345678')).toBeNull()
  })

  test('accepts 7 to 15 digits and no other count', () => {
    expect(addressOf('+1234567')).toBe('phone +1234567')
    expect(addressOf('+123456789012345')).toBe('phone +123456789012345')
    expect(hintOf('+123456')).toContain('7 to 15 digits')
    expect(hintOf('+1234567890123456')).toContain('this one has 16')
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
        expect(parseRecipient(phone)).toEqual({ ok: true, kind: 'phone', value: phone })
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
