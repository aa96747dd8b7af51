import { afterEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { pacerOf } from './pacer.ts'

let runtime: TestRuntime
afterEach(() => runtime.dispose())

const countOf = async (waits: Promise<void>[]) => {
  const ended = await Promise.allSettled(waits)
  return ended.filter(({ status }) => status === 'fulfilled').length
}

describe.each(engines)('the pace of sends on %s', (engine) => {
  test('a number takes its burst from many customers at once, and no more', async () => {
    runtime = await aRuntime(engine)
    const pacer = pacerOf(runtime.rt)
    const waits = Array.from({ length: 50 }, (_, customer) =>
      pacer.wait({ numberId: 'pn_1', sendsPerSecond: 20, customer: `+1202555${1000 + customer}` }, 0),
    )
    expect(await countOf(waits)).toBe(20)
  })

  test('one busy number never delays another', async () => {
    runtime = await aRuntime(engine)
    const pacer = pacerOf(runtime.rt)
    const sendFrom = (numberId: string) => pacer.wait({ numberId, sendsPerSecond: 5, customer: '+12025550100' }, 0)
    expect(await countOf(Array.from({ length: 30 }, () => sendFrom('pn_busy')))).toBe(5)
    expect(await countOf(Array.from({ length: 5 }, () => sendFrom('pn_other')))).toBe(5)
  })

  test('what a busy number refuses does not use up the pace of its customer', async () => {
    runtime = await aRuntime(engine)
    const pacer = pacerOf(runtime.rt)
    const pace = { numberId: 'pn_1', sendsPerSecond: 1, customer: '+12025550100' }
    // One goes out, a hundred are refused by the number; the customer has been sent one message, not 45.
    expect(await countOf(Array.from({ length: 101 }, () => pacer.wait(pace, 0)))).toBe(1)
    runtime.clock.advance(1_000)
    const faster = { ...pace, sendsPerSecond: 1_000 }
    expect(await countOf(Array.from({ length: 44 }, () => pacer.wait(faster, 0)))).toBe(44)
    expect(await countOf([pacer.wait(faster, 0)])).toBe(0)
  })
})
