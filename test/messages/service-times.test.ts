import { afterAll, describe, expect, test } from 'vitest'
import { describeServiceTimes } from '../../server/src/messages/conversations/service-times.ts'
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
