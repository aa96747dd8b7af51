import { describe, expect, test } from 'vitest'
import { maskPhone, maskQuery, maskText } from './mask.ts'

describe('maskPhone', () => {
  test('keeps the beginning and the last digits, and the length', () => {
    expect(maskPhone('+351912345678')).toBe('+3519•••••678')
    expect(maskPhone('+12025550100')).toBe('+1202••••100')
  })

  test('hides the middle of short numbers too', () => {
    expect(maskPhone('+1234567')).toBe('+12•••67')
  })
})

test.each([
  ['https://a.test/h?token=abc&x=1#top', 'https://a.test/h?token=[secret]&x=[secret]#top'],
  ['https://a.test/h?flag', 'https://a.test/h?flag'],
  ['https://a.test/h', 'https://a.test/h'],
])('the address %s is written down as %s', (url, masked) => {
  expect(maskQuery(url)).toBe(masked)
})

describe('maskText', () => {
  test.each([
    ['no answer from +351912345678, gave up', 'no answer from +3519•••••678, gave up'],
    ['+351912345678+12025550100', '+3519•••••678+1202••••100'],
    ['Bearer abcdef.ghijkl', '[secret]'],
    ['key pts_8Fq2x91T8Fq2x91T refused', 'key [secret] refused'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '[secret]'],
    [`Error validating access token EAA${'9x'.repeat(40)}: expired`, 'Error validating access token [secret]: expired'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired', '[secret] expired'],
    ['connect postgres://postern:hunter2@db.test/x', 'connect postgres://postern:[secret]@db.test/x'],
  ])('%j becomes %j', (text, expected) => {
    expect(maskText(text)).toBe(expected)
  })

  test.each([
    'request.finished',
    'req_01jd49b2c3d4e5f6g7h8j9k0m1',
    'https://gw.example.test/v1',
    '+1',
    '2025-11-15T10:30:00+01:00',
  ])('%j stays as it is', (text) => {
    expect(maskText(text)).toBe(text)
  })

  test('is linear: 100,000 hostile characters take less than 200 ms of the processor', () => {
    const before = process.threadCpuUsage()
    for (const part of ['://a:', '+1234567', 'eyJeyJ', 'Bearer ', 'pts_a']) maskText(part.repeat(100_000 / part.length))
    expect(process.threadCpuUsage(before).user).toBeLessThan(200_000)
  })
})
