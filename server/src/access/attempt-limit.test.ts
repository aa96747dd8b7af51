import { describe, expect, test } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import { manualClock } from '../lib/clock.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { networkOf } from './network-of.ts'

function aLimit() {
  const clock = manualClock()
  const limit = createAttemptLimit({ clock, metrics: createMetrics({ version: 'test', commit: 'test' }) })
  const fail = (key: string, ip: string) => limit.failed(key, ip, new AppError('invalid_credentials', 'wrong')).code
  return { clock, limit, fail }
}

describe('guessing', () => {
  test('with ever other keys is stopped after fifty failures of one address, and of that address alone', () => {
    const { clock, fail } = aLimit()
    const codes = Array.from({ length: 51 }, (_, index) => fail(`key_${index}`, '198.51.100.7'))
    expect(codes.slice(0, 50)).toEqual(Array(50).fill('invalid_credentials'))
    expect(codes[50]).toBe('too_many_attempts')
    expect(fail('key_0', '198.51.100.8')).toBe('invalid_credentials')
    clock.advance(6_000)
    expect(fail('key_99', '198.51.100.7')).toBe('invalid_credentials')
  })

  test('from all over one /64 counts as one place, however its addresses are written', () => {
    const { fail } = aLimit()
    const codes = Array.from({ length: 11 }, (_, index) => fail('key', `2001:db8::${(index * 4_099).toString(16)}`))
    expect(codes[10]).toBe('too_many_attempts')
    expect(fail('key', '2001:db8:0:0:1:2:3:4')).toBe('too_many_attempts')
    expect(fail('key', '2001:db8:0:1::1')).toBe('invalid_credentials')
  })
})

test('tokens are given 600 times a minute to one key, and then one every tenth of a second', () => {
  const { clock, limit } = aLimit()
  for (let index = 0; index < 600; index++) limit.succeeded('key_1')
  expect(() => limit.succeeded('key_1')).toThrow(expect.objectContaining({ code: 'too_many_attempts' }))
  expect(() => limit.succeeded('key_2')).not.toThrow()
  clock.advance(100)
  expect(() => limit.succeeded('key_1')).not.toThrow()
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0042::', '2001:db8:0:42::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
