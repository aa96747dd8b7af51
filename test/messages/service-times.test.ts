import { afterAll, describe, expect, test } from 'vitest'
import { describeServiceTimes, foldOldReplies } from '../../server/src/messages/conversations/service-times.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { noteArrived, noteReply } from '../../server/src/store/messages/conversations.ts'
import { noteFirstReply } from '../../server/src/store/messages/replies.ts'
import { aConsoleService } from '../support/console/console-service.ts'
import { addAccount, sharedConsole } from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers) await close()
})
const aConsole = sharedConsole()
const minute = 60_000
const hour = 60 * minute

describe.each(engines)('service times on %s', (engine) => {
  test('count each wait once, by the day it began and by who ended it, and those who still wait', async () => {
    const { rt, accountId, ownerId, clock } = await aConsole(engine)
    const other = await addAccount(rt, 'other.test')
    const start = rt.clock.now() - (rt.clock.now() % (24 * hour)) - 24 * hour
    const writes = (customer_id: string, at: number, account_id = accountId) => {
      const unit = new Unit()
      unit.add(noteArrived, { customer_id, account_id, number_id: 'pn_1', at, active_at: at, unread: 1 })
      return rt.store.write(unit)
    }
    const replies = (customer_id: string, at: number, user_id = ownerId, account_id = accountId) => {
      const unit = new Unit()
      const customer = rt.recipients.hash(account_id, customer_id)
      unit.add(noteFirstReply, { customer_id, account_id, customer, user_id, at })
      unit.add(noteReply, { customer_id, account_id, at })
      return rt.store.write(unit)
    }
    await writes('cus_a', start)
    await writes('cus_a', start + minute)
    // Two people reply in the same moment: one wait has ended.
    await Promise.all([replies('cus_a', start + 10 * minute), replies('cus_a', start + 10 * minute, 'usr_gone')])
    await replies('cus_a', start + 20 * minute)
    await writes('cus_b', start + hour)
    await replies('cus_b', start + 26 * hour, 'usr_gone')
    await writes('cus_c', start + 2 * hour)
    await writes('cus_d', start + 25 * hour)
    await writes('cus_x', start, other.accountId)
    await replies('cus_x', start + 1_000, other.ownerId, other.accountId)
    clock.set(start + 27 * hour)

    const { totals, days, agents } = await describeServiceTimes(rt, accountId, {})
    expect(totals).toEqual({
      median_wait_seconds: (10 * minute + 25 * hour) / 2_000,
      ...{ replies: 2, average_wait_seconds: (10 * minute + 25 * hour) / 2_000, within_hour: 1, within_window: 1 },
      ...{ missed: 1, waiting: 2, within_window_percent: 33.3 },
    })
    expect(days.map(({ replies: count, waiting, missed }) => [count, waiting, missed])).toEqual([
      [2, 1, 1],
      [0, 1, 0],
    ])
    expect(agents.reduce((sum, one) => sum + one.replies, 0)).toBe(2)
    expect(agents.find(({ user_id }) => user_id === 'usr_gone')).toMatchObject({ name: null })
    await expect(describeServiceTimes(rt, accountId, { from: '2026-01-01', to: '2026-06-01' })).rejects.toThrow(
      /92 days/,
    )
  })

  test('are the same before, while and after replies become counts of their days', async () => {
    const { rt, accountId, ownerId, clock } = await aConsole(engine)
    const today = rt.clock.now() - (rt.clock.now() % (24 * hour))
    const starts = [today - 48 * hour, today - 24 * hour]
    // From seconds to days, and as many to the minute as there are minutes: 700 are more than one fold takes.
    const waits = Array.from({ length: 700 }, (_, index) => Math.round(1.019 ** index * 1_000))
    const people = [ownerId, 'usr_gone']
    await Promise.all(
      waits.map((wait, index) => {
        const customer_id = `cus_${index}`
        const at = (starts[index % 2] ?? 0) + index
        const unit = new Unit()
        unit.add(noteArrived, { customer_id, account_id: accountId, number_id: 'pn_1', at, active_at: at, unread: 1 })
        const reply = { customer_id, account_id: accountId, at: at + wait }
        unit.add(noteFirstReply, { ...reply, customer: customer_id, user_id: people[index % 3 ? 0 : 1] ?? '' })
        unit.add(noteReply, reply)
        return rt.store.write(unit)
      }),
    )
    const times = () => describeServiceTimes(rt, accountId, {})
    const before = await times()
    clock.set(today + 48 * hour)
    const [during] = await Promise.all([times(), foldOldReplies(rt), foldOldReplies(rt)])
    clock.set(today + 900 * 24 * hour)
    await foldOldReplies(rt)
    const range = { from: before.from, to: before.to }
    const after = await describeServiceTimes(rt, accountId, range)
    for (const one of [during, after]) {
      expect({ ...one.totals, days: one.days, agents: one.agents }).toEqual({
        ...before.totals,
        days: before.days,
        agents: before.agents,
      })
    }
    const [{ unfolded, n } = {}] = await rt.store.read(counts, { account_id: accountId })
    expect([unfolded, n]).toEqual([0, 700])

    expect(after.totals).toMatchObject({
      replies: 700,
      within_hour: waits.filter((wait) => wait <= hour).length,
      within_window: waits.filter((wait) => wait <= 24 * hour).length,
      average_wait_seconds: Math.round(waits.reduce((sum, wait) => sum + wait, 0) / 700_000),
    })
    const middle = ((waits[349] ?? 0) + (waits[350] ?? 0)) / 2_000
    expect(Math.abs((after.totals.median_wait_seconds ?? 0) / middle - 1)).toBeLessThan(0.1)
    expect(after.agents.map(({ replies, name }) => [replies, name === null])).toEqual([
      [466, false],
      [234, true],
    ])
  })
})

const counts = query({
  name: 'test.reply_counts',
  params: { account_id: 'text' },
  returns: { unfolded: 'int', n: 'int' },
  sql: `select (select count(*) from replies where account_id = :account_id) as unfolded,
          (select cast(sum(n) as bigint) from reply_days where account_id = :account_id) as n`,
})

test('a reply from the console is a reply of its person, by the API too', async () => {
  const world = await aConsoleService()
  closers.push(world.stop)
  const numberId = (await world.owner.call('GET', '/sandbox/numbers')).json.data.numbers[0].id
  const customer = '+12025550155'
  const act = { kind: 'text', text: 'Hello?' }
  await world.owner.call('POST', '/sandbox/inbound', { number_id: numberId, customer, act })
  const state = async () => (await world.owner.call('GET', `/conversations/${encodeURIComponent(customer)}`)).json.data
  await waitFor(async () => (await state())?.waiting_since != null, 10_000)
  expect((await world.owner.call('POST', '/messages/send', { to: customer, message: 'Yes' })).status).toBe(200)
  await waitFor(async () => (await state()).waiting_since === null, 10_000)
  const { data } = (await world.get('/v1/chat/service-times')).body
  expect(data.totals).toMatchObject({ replies: 1, within_hour: 1, within_window_percent: 100, missed: 0 })
  expect(data.agents).toMatchObject([{ name: 'Ana Sousa', replies: 1 }])
}, 60_000)
