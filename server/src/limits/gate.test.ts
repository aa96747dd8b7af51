import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { operator } from '../audit/audit.ts'
import { plans } from '../contract/plans.ts'
import { createAccount } from '../installation/account.ts'
import { hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { readUsage } from '../store/accounts/quotas.ts'
import type { Gate, QuotaState } from './quota.ts'
import { createGate } from './quota-shared.ts'

const { hour: hourQuota, day: dayQuota } = plans.free as { hour: number; day: number }

describe.each(engines)('the windows of a plan, on %s,', (engine) => {
  let world: TestRuntime
  let gate: Gate
  let accountId = ''

  beforeEach(async () => {
    world = await aRuntime(engine)
    gate = createGate(world.rt)
    accountId = (await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })).account.id
  })
  afterEach(async () => {
    await gate.close()
    await world.dispose()
  })

  const take = (from: Gate = gate) => from.take(accountId, 'free')
  const takeMany = (count: number) => Promise.all(Array.from({ length: count }, () => take()))
  const granted = (states: readonly QuotaState[]) => states.filter((state) => state?.granted).length
  const used = async () => (await gate.peek(accountId, 'free'))?.windows.map((window) => window.used)

  test('open again with the clock hour, to the millisecond', async () => {
    world.clock.set(Date.UTC(2026, 10, 15, 10, 59, 59, 999))
    expect(granted(await takeMany(hourQuota + 5))).toBe(hourQuota)
    world.clock.advance(1)
    expect(granted(await takeMany(hourQuota + 5))).toBe(hourQuota)
    expect(await used()).toEqual([hourQuota, 2 * hourQuota])
  })

  test('close for the day when its quota is used, and open at midnight UTC', async () => {
    world.clock.set(Date.UTC(2026, 10, 15, 0, 0))
    const hours = Math.floor(dayQuota / hourQuota)
    for (let hour = 0; hour < hours; hour++) {
      expect(granted(await takeMany(hourQuota))).toBe(hourQuota)
      world.clock.advance(hourMs)
    }
    const refused = await take()
    expect(refused?.granted).toBe(false)
    // What the day refuses does not use up the hour.
    expect(refused?.windows.map((window) => window.used)).toEqual([0, dayQuota])
    world.clock.set(Date.UTC(2026, 10, 16, 0, 0))
    expect((await take())?.granted).toBe(true)
    expect(await used()).toEqual([1, 1])
  })

  test('are missing on a plan without limits, and its requests are counted for the chart all the same', async () => {
    for (let calls = 0; calls < 3; calls++) expect(await gate.take(accountId, 'enterprise')).toBeNull()
    await take()
    await gate.close()
    const usage = await world.rt.store.read(readUsage, { account_id: accountId, since: 0 })
    expect(usage.map((row) => row.used)).toEqual([4])
  })

  test('get back what failed on our side', async () => {
    await takeMany(3)
    gate.refund(accountId, 'free', await take())
    await waitFor(async () => (await used())?.[0] === 3)
    expect(await used()).toEqual([3, 3])
  })

  test('get nothing back for what was taken from an hour that is over, while its day does', async () => {
    world.clock.set(Date.UTC(2026, 10, 15, 10, 59, 59, 999))
    const taken = await take()
    world.clock.advance(1)
    await takeMany(2)
    gate.refund(accountId, 'free', taken)
    await waitFor(async () => (await used())?.[1] === 2)
    expect(await used()).toEqual([2, 2])
  })

  test('get nothing back at all for what was taken yesterday', async () => {
    world.clock.set(Date.UTC(2026, 10, 15, 23, 59, 59, 999))
    const yesterday = await take()
    world.clock.advance(1)
    const today = await takeMany(3)
    gate.refund(accountId, 'free', yesterday)
    gate.refund(accountId, 'free', today[0] ?? null)
    await waitFor(async () => (await used())?.[1] === 2)
    expect(await used()).toEqual([2, 2])
  })
})

describe('two nodes at the turn of the hour', () => {
  test('never open the new hour twice, when the statement of one comes late', async () => {
    const { rt, clock, dispose } = await aRuntime('postgres')
    const { account } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
    clock.set(Date.UTC(2026, 10, 15, 11, 0))
    const late: Runtime = { ...rt, clock: { now: () => clock.now() - 1 } }
    const gates = [createGate(rt), createGate(late)]
    const answers: QuotaState[] = []
    for (let turn = 0; turn < hourQuota + 10; turn++) {
      answers.push((await gates[turn % 2]?.take(account.id, 'free')) ?? null)
    }
    expect(answers.filter((state) => state?.granted)).toHaveLength(hourQuota)
    // The late one is told of the hour it was counted in.
    expect(new Set(answers.map((state) => state?.windows[0].resetsAt))).toEqual(new Set([clock.now() + hourMs]))
    await Promise.all(gates.map((gate) => gate.close()))
    await dispose()
  })
})
