import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { AppError } from '../contract/app-error.ts'
import { createProcessState } from '../create-runtime.ts'
import { createAttemptLimit, networkOf } from './sign-in.ts'

describe.each(engines)('wrong credentials, on %s,', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  /** Processes share a database and nothing else; one process is all there is on SQLite. */
  function aLimit(processes = 1) {
    const limits = Array.from({ length: processes }, () =>
      createAttemptLimit({ ...world.rt, ...createProcessState(world.rt) }),
    )
    const [limit = createAttemptLimit(world.rt)] = limits
    const wrong = new AppError('invalid_credentials', 'wrong')
    const fail = async (key: string, ip: string | null, by = limit) => (await by.failed(key, ip, wrong)).code
    return { clock: world.clock, limit, limits, fail }
  }
  async function oneByOne<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
    const results: T[] = []
    for (let index = 0; index < count; index++) results.push(await act(index))
    return results
  }

  test('with ever other keys are stopped after fifty failures of one address, and of that address alone', async () => {
    const { clock, fail } = aLimit()
    const codes = await oneByOne(51, (index) => fail(`key_${index}`, '198.51.100.7'))
    expect(codes.slice(0, 50)).toEqual(Array(50).fill('invalid_credentials'))
    expect(codes[50]).toBe('too_many_attempts')
    expect(await fail('key_0', '198.51.100.8')).toBe('invalid_credentials')
    clock.advance(6_000)
    expect(await fail('key_99', '198.51.100.7')).toBe('invalid_credentials')
  })

  test('from all over one /64 count as one place, however its addresses are written', async () => {
    const { fail } = aLimit()
    const codes = await oneByOne(11, (index) => fail('key', `2001:db8::${(index * 4_099).toString(16)}`))
    expect(codes[10]).toBe('too_many_attempts')
    expect(await fail('key', '2001:db8:0:0:1:2:3:4')).toBe('too_many_attempts')
    expect(await fail('key', '2001:db8:0:1::1')).toBe('invalid_credentials')
  })

  test('behind a proxy nobody configured count for the key alone', async () => {
    const { fail } = aLimit()
    expect((await oneByOne(11, () => fail('hidden', null)))[10]).toBe('too_many_attempts')
    expect(await fail('another', null)).toBe('invalid_credentials')
  })

  test('of one moment are counted together by all processes', async () => {
    const { limits, fail } = aLimit(engine === 'postgres' ? 3 : 1)
    const guesses = Array.from({ length: 40 }, (_, index) =>
      fail('spread', '198.51.100.99', limits[index % limits.length]),
    )
    const codes = await Promise.all(guesses)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    expect(await Promise.all(limits.map((one) => fail('spread', '198.51.100.99', one)))).toEqual(
      limits.map(() => 'too_many_attempts'),
    )
  })

  test('do not matter to tokens, which one key gets 600 times a minute, and then one every tenth of a second', async () => {
    const { clock, limit } = aLimit()
    await Promise.all(Array.from({ length: 600 }, () => limit.succeeded('key_1')))
    await expect(limit.succeeded('key_1')).rejects.toMatchObject({ code: 'too_many_attempts' })
    await limit.succeeded('key_2')
    clock.advance(100)
    await limit.succeeded('key_1')
  })
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
