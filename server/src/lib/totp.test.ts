import { describe, expect, test } from 'vitest'
import { matchTotp, toBase32, totpCode, totpStep } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('a time-based code', () => {
  // RFC 6238, appendix B, the rows for SHA-1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('is at %d seconds the one of the RFC', (seconds, code) => {
    expect(totpCode(secret, totpStep(seconds * 1_000), 8)).toBe(code)
    expect(totpCode(secret, totpStep(seconds * 1_000))).toBe(code.slice(2))
  })

  test('is good in its own 30 seconds, the ones before and the ones after, and never elsewhere', () => {
    const now = 1_700_000_010_000
    const step = totpStep(now)
    const found = [-2, -1, 0, 1, 2].map((drift) => matchTotp(secret, totpCode(secret, step + drift), now))
    expect(found).toEqual([null, step - 1, step, step + 1, null])
  })

  test('is not found in what has another length', () => {
    const now = 1_700_000_010_000
    expect(matchTotp(secret, '', now)).toBeNull()
    expect(matchTotp(secret, `${totpCode(secret, totpStep(now))}0`, now)).toBeNull()
  })
})

describe('base32', () => {
  // RFC 4648, section 10, without the padding.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('writes %j as %j', (text, encoded) => {
    expect(toBase32(Buffer.from(text))).toBe(encoded)
  })
})
