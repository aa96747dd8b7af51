import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { createProcessState } from '../create-runtime.ts'
import { requireWithinLimit } from './throttles.ts'

describe.each(engines)('costly acts, on %s,', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  test('of one account are counted together by all processes, and touch no other act or account', async () => {
    // One process is all there is on SQLite.
    const processes = Array.from({ length: engine === 'postgres' ? 3 : 1 }, () => createProcessState(world.rt))
    const take = async (index: number, act: 'template' | 'export', accountId = 'acc_1') => {
      const process = processes[index % processes.length] ?? createProcessState(world.rt)
      return requireWithinLimit(process, act, accountId, 'Too many.').then(
        () => 'passed',
        ({ code, extras }) => `${code} ${extras.retryAfterSeconds}`,
      )
    }
    const atOnce = await Promise.all(Array.from({ length: 30 }, (_, index) => take(index, 'template')))
    expect(atOnce.filter((each) => each === 'passed')).toHaveLength(10)
    expect(atOnce.filter((each) => each === 'rate_limit_exceeded 6')).toHaveLength(20)
    expect([await take(0, 'export'), await take(1, 'template', 'acc_2')]).toEqual(['passed', 'passed'])
    world.clock.advance(6_000)
    expect([await take(1, 'template'), await take(2, 'template')]).toEqual(['passed', 'rate_limit_exceeded 6'])
  })
})
