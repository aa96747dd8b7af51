import { afterEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'

let runtime: TestRuntime
afterEach(() => runtime.dispose())

const countOf = async (waits: Promise<void>[]) => {
  const ended = await Promise.allSettled(waits)
  return ended.filter(({ status }) => status === 'fulfilled').length
}

describe.each(engines)('the rate limit of sends on %s', (engine) => {
  test('a number takes a tenth of its second from many customers at once, and no more', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const waits = Array.from({ length: 50 }, (_, customer) =>
      sendRate.wait({ numberId: 'pn_1', sendsPerSecond: 80, customer: `+1202555${1000 + customer}` }, 0),
    )
    expect(await countOf(waits)).toBe(8)
  })

  test('a number that the platform finds too fast goes at half its rate, and recovers', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const rate = { numberId: 'pn_1', sendsPerSecond: 80, customer: '+12025550100' }
    let customer = 1_000
    const atOnce = () =>
      countOf(Array.from({ length: 20 }, () => sendRate.wait({ ...rate, customer: `+1202555${customer++}` }, 0)))
    for (let n = 0; n < 5; n++) sendRate.slowDown(rate)
    expect(await atOnce()).toBe(4)
    runtime.clock.advance(5_000)
    sendRate.slowDown(rate)
    expect(await atOnce()).toBe(2)
    runtime.clock.advance(10_000)
    expect(await atOnce()).toBe(4)
    runtime.clock.advance(60_000)
    expect(await atOnce()).toBe(8)
    expect(await countOf([sendRate.wait({ ...rate, numberId: 'pn_2' }, 0)])).toBe(1)
  })

  test('one busy number never delays another', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const sendFrom = (numberId: string) => sendRate.wait({ numberId, sendsPerSecond: 50, customer: '+12025550100' }, 0)
    expect(await countOf(Array.from({ length: 30 }, () => sendFrom('pn_busy')))).toBe(5)
    expect(await countOf(Array.from({ length: 5 }, () => sendFrom('pn_other')))).toBe(5)
  })

  test('what a busy number refuses does not use up the rate limit of its customer', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const rate = { numberId: 'pn_1', sendsPerSecond: 1, customer: '+12025550100' }
    // One goes out, a hundred are refused by the number; the customer has been sent one message, not 45.
    expect(await countOf(Array.from({ length: 101 }, () => sendRate.wait(rate, 0)))).toBe(1)
    runtime.clock.advance(1_000)
    const faster = { ...rate, sendsPerSecond: 1_000 }
    expect(await countOf(Array.from({ length: 44 }, () => sendRate.wait(faster, 0)))).toBe(44)
    expect(await countOf([sendRate.wait(faster, 0)])).toBe(0)
    // Nor does what one customer has used up hold up another one.
    expect(await countOf([sendRate.wait({ ...faster, customer: '+12025550101' }, 0)])).toBe(1)
  })

  test('a second reservation counts for the number and not for the customer', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const rate = { numberId: 'pn_1', sendsPerSecond: 500, customer: '+12025550100' }
    expect(await countOf(Array.from({ length: 45 }, () => sendRate.wait(rate, 0)))).toBe(45)
    const again = await Promise.all(Array.from({ length: 10 }, () => sendRate.waitAgain(rate, 0)))
    expect(again.filter((granted) => granted)).toHaveLength(5)
  })

  test('one that has little time left takes no place from those who have more', async () => {
    runtime = await aRuntime(engine)
    const { sendRate } = runtime.rt
    const rate = { numberId: 'pn_1', sendsPerSecond: 100, customer: '+12025550100' }
    const [hurried, ...patient] = [
      sendRate.waitAgain(rate, 0),
      ...Array.from({ length: 15 }, () => sendRate.wait(rate, 500)),
    ]
    expect(await hurried).toBe(true)
    expect(await countOf(patient)).toBe(15)
  })
})
