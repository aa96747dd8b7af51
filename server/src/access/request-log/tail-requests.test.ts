import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { insertRequests, type RequestLogRow } from '../../store/accounts/request-log.ts'
import { Unit } from '../../store/engine/unit.ts'
import { type RequestTail, tailRequests } from '../request-log.ts'

describe.each(engines)('the tail of the request log, on %s', (engine) => {
  let world: TestRuntime
  beforeEach(async () => {
    world = await aRuntime(engine)
  })
  afterEach(() => world.dispose())

  /** A request that ends now. */
  async function add(id: string, row: Partial<RequestLogRow> = {}): Promise<void> {
    const { duration_ms = 1 } = row
    const unit = new Unit()
    unit.add(insertRequests, {
      id: `${firstIdAt('req', world.clock.now())}${id}`,
      account_id: 'acc_1',
      key_id: null,
      at: world.clock.now() - duration_ms,
      method: 'GET',
      route: '/v1/auth/me',
      status: 200,
      code: null,
      duration_ms,
      body: null,
      path: null,
      answer: null,
      ...row,
    })
    await world.rt.store.write(unit)
  }

  const anything: RequestTail = { accountId: null, statusMin: 0, statusMax: 999, route: '', count: 10, since: null }
  async function tail(wanted: Partial<RequestTail> = {}) {
    const { requests, asked_at } = await tailRequests(world.rt, { ...anything, ...wanted })
    return { ids: requests.map(({ id }) => id.slice(firstIdAt('req', 0).length)), asked_at }
  }

  test('is the newest requests of all accounts, newest last', async () => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      world.clock.advance(1_000)
      await add(id, { account_id: `acc_${index}` })
    }
    expect((await tail()).ids).toEqual(['a', 'b', 'c'])
    expect((await tail({ count: 2 })).ids).toEqual(['b', 'c'])
  })

  test('can be limited to an account, a range of statuses and a part of the route, taken literally', async () => {
    await add('mine', { status: 404, route: '/v1/chat/messages/{message_id}' })
    await add('theirs', { account_id: 'acc_2', status: 429, route: '/v1/chat/messages/send' })
    expect((await tail({ accountId: 'acc_2' })).ids).toEqual(['theirs'])
    expect((await tail({ statusMin: 400, statusMax: 428 })).ids).toEqual(['mine'])
    expect((await tail({ route: 'messages/{m' })).ids).toEqual(['mine'])
    expect((await tail({ route: 'message_' })).ids).toEqual(['mine'])
    expect((await tail({ route: '%' })).ids).toEqual([])
  })

  test('since an earlier look has what ended since, however long ago it began, and nothing old', async () => {
    world.clock.advance(100_000)
    await add('old')
    world.clock.advance(6_000)
    const { ids, asked_at } = await tail()
    expect(ids).toEqual(['old'])
    world.clock.advance(1_000)
    await add('slow', { duration_ms: 60_000 })
    await add('quick')
    expect((await tail({ since: asked_at })).ids).toEqual(['slow', 'quick'])
  })

  test('since an earlier look has what was written a little late', async () => {
    world.clock.advance(100_000)
    const { asked_at } = await tail()
    await add('late', { at: asked_at - 4_000 })
    world.clock.advance(1_000)
    expect((await tail({ since: asked_at })).ids).toEqual(['late'])
  })
})
