import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { expireOldTokens } from '../access/tokens/token-chain.ts'
import { createProcessState } from '../create-runtime.ts'
import { hourMs, minuteMs } from '../lib/durations.ts'
import { query } from '../store/engine/operation.ts'
import { type AttemptSource, createSignInLimit } from './sign-in.ts'

const everyGuess = query({
  name: 'test.guesses',
  params: {},
  returns: { slot_key: 'text' },
  sql: 'select slot_key from guesses',
})
const at = (ip: string): AttemptSource => ({ browser: null, ip, addressKnown: true })

describe.each(engines)('attempts to sign in, on %s,', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  /** What processes on one database keep apart from each other is made anew for each. */
  const aProcess = () => createSignInLimit({ ...world.rt, ...createProcessState(world.rt) })
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'counted',
      (error: { code: string; extras: { retryAfterSeconds?: number } }) =>
        `${error.code} ${error.extras.retryAfterSeconds}`,
    )

  test('of one moment are counted together by three processes', async () => {
    const processes = [aProcess(), aProcess(), aProcess()]
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        outcome((processes[index % 3] ?? aProcess()).attempt('ana@acme.test', at('198.51.100.1'))),
      ),
    )
    expect(outcomes.filter((one) => one === 'counted')).toHaveLength(5)
    expect(new Set(outcomes)).toEqual(new Set(['counted', 'too_many_attempts 1']))
  })

  test('on ever other people from one address end after twenty, in whatever process', async () => {
    const outcomes: string[] = []
    for (let index = 0; index < 22; index++) {
      outcomes.push(await outcome(aProcess().attempt(`person${index}@acme.test`, at('198.51.100.2'))))
    }
    expect(outcomes).toEqual([...Array(20).fill('counted'), ...Array(2).fill('too_many_attempts 900')])
    world.clock.advance(15 * minuteMs)
    expect(await outcome(aProcess().attempt('person0@acme.test', at('198.51.100.2')))).toBe('counted')
  })

  test('wait twice as long each time, for 15 minutes at most, also after a restart', async () => {
    const source = { ...at('198.51.100.3'), addressKnown: false }
    const attempt = () => aProcess().attempt('bea@acme.test', source)
    for (let tries = 0; tries < 5; tries++) await attempt()
    const waits: number[] = []
    for (let tries = 0; tries < 13; tries++) {
      const [code, seconds] = (await outcome(attempt())).split(' ')
      expect(code).toBe('too_many_attempts')
      const wait = Number(seconds)
      waits.push(wait)
      world.clock.advance(wait * 1_000)
      await attempt()
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('that were taken back do not count, and end no wait that others caused', async () => {
    const limit = aProcess()
    const source = at('198.51.100.4')
    for (let tries = 0; tries < 30; tries++) await (await limit.attempt('cleo@acme.test', source)).takeBack()
    const first = await limit.attempt('cleo@acme.test', source)
    for (let tries = 0; tries < 4; tries++) await limit.attempt('cleo@acme.test', source)
    await first.takeBack()
    expect(await outcome(limit.attempt('cleo@acme.test', source))).toBe('too_many_attempts 1')
    await limit.succeeded('cleo@acme.test', source)
    expect(await outcome(aProcess().attempt('cleo@acme.test', source))).toBe('counted')
  })

  test('are stored without names and addresses, and forgotten an hour after the last wait', async () => {
    const { rt, clock } = world
    const source = at('198.51.100.5')
    for (let tries = 0; tries < 5; tries++) await aProcess().attempt('dora@acme.test', source)
    const stored = async () => (await rt.store.read(everyGuess, {})).map(({ slot_key }) => slot_key)
    expect((await stored()).join('\n')).not.toMatch(/dora|acme|198/)
    expect((await stored()).length).toBeGreaterThan(0)
    clock.advance(hourMs + 15 * minuteMs + 1)
    await expireOldTokens(rt)
    expect(await stored()).toEqual([])
  })
})
