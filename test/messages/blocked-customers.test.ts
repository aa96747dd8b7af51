import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import { customerBy } from '../../server/src/messages/customers/find-customer.ts'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { contactsOf } from '../../server/src/store/messages/contacts.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const path = '/v1/chat/blocked'
const stranger = '+12025550177'

describe.each(engines)('blocked customers on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    await receive({ from: world.customer, text: 'You are all crooks', name: 'Ana', message_id: 'wamid.first' })
  })
  afterAll(() => world.stop())

  const found = async (id: string) => (await world.get(`/v1/chat/messages/${id}`)).status === 200
  const receive = async (inbound: { message_id: string } & Record<string, unknown>) => {
    await world.control('POST', '/_sandbox/inbound', inbound)
    await waitFor(() => found(inbound.message_id), 10_000)
  }
  const block = (...customers: string[]) => world.post(path, { customers })
  const unblock = (customer: string) => world.call('DELETE', `${path}/${encodeURIComponent(customer)}`)
  const listed = async (query = '') => (await world.get(`${path}${query}`)).body.data
  const numberIds = async (): Promise<string[]> =>
    (await world.get('/v1/auth/me')).body.data.channel.phone_numbers.map(({ id }: { id: string }) => id)
  const marks = async (address: string) => {
    const known = await customerBy(world.service.rt, world.accountId, address)
    const wanted = { account_id: world.accountId, customer_ids: known ? [known.id] : [] }
    return (await world.service.rt.store.read(contactsOf, wanted)).map(({ blocked_at }) => blocked_at)
  }

  test('a blocked customer is listed, is not written to, and is free again after unblocking', async () => {
    const blocked = await block('+1 (202) 555-0100', world.customer)
    expect(blocked.body.data).toEqual({
      phone_number: expect.stringMatching(/^\+\d+$/),
      blocked: [world.customer],
      failed: [],
    })
    expect(await listed()).toEqual({
      phone_number: blocked.body.data.phone_number,
      blocked: [{ customer: world.customer, name: 'Ana' }],
      pagination: { limit: 25, has_more: false, next_cursor: null },
    })
    expect(await marks(world.customer)).toEqual([expect.any(Number)])
    const send = () => world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello' })
    expect((await send()).body.error).toMatchObject({ code: 'recipient_blocked', status: 400, retryable: false })

    expect((await unblock(world.customer)).body.data).toMatchObject({ customer: world.customer, unblocked: true })
    expect((await unblock(world.customer)).status).toBe(200)
    expect((await listed()).blocked).toEqual([])
    expect(await marks(world.customer)).toEqual([null])
    expect((await send()).status).toBe(200)
  })

  test('each customer stands alone; when none can be blocked, the call is refused with the reason', async () => {
    const mixed = await block(world.customer, stranger)
    expect(mixed.status).toBe(200)
    expect(mixed.body.data).toMatchObject({
      blocked: [world.customer],
      failed: [{ customer: stranger, code: 'block_window_closed', message: expect.stringContaining('24 hours') }],
    })
    const none = await block(stranger)
    expect(none.body.error).toMatchObject({ code: 'block_window_closed', status: 400, upstream: { code: 131047 } })
    expect(JSON.stringify(none.body)).not.toContain('0177')
    await unblock(world.customer)
  })

  test('blocking and unblocking leave lines in the audit log without whole numbers', async () => {
    await block(world.customer)
    await unblock(world.customer)
    const { rt } = world.service
    const all = await rt.store.read(readAudit, { account_id: world.accountId, after: 0, count: 100 })
    const rows = all.slice(-2)
    expect(rows.map(({ action }) => action)).toEqual(['customer.blocked', 'customer.unblocked'])
    for (const { entry } of rows) expect(entry).not.toContain(world.customer)
  })

  test('a customer who hides the number is blocked by user id, or by the number that is known', async () => {
    const hidden = 'US.13491208655302741918'
    await receive({ user_id: hidden, text: 'Hi', message_id: 'wamid.hidden' })
    expect((await block(hidden)).body.data.blocked).toEqual([hidden])
    expect((await listed()).blocked).toEqual([{ customer: hidden, name: 'Customer' }])
    await unblock(hidden)
    const known = 'US.13491208655302741999'
    await receive({ from: '+12025550178', user_id: known, text: 'Hi', message_id: 'wamid.known' })
    expect((await block(known)).body.data.blocked).toEqual([known])
    expect((await block('+12025550178', known)).body.data).toMatchObject({
      blocked: ['+12025550178', known],
      failed: [],
    })
    expect((await listed()).blocked.map(({ customer }: { customer: string }) => customer)).toEqual(['+12025550178'])
    expect(await marks('+12025550178')).toEqual([expect.any(Number)])
    await unblock(known)
  })

  test('a customer who was blocked by user id is unblocked by it, also when the number is known by then', async () => {
    const userId = 'US.13491208655302742001'
    await receive({ user_id: userId, text: 'Hi', message_id: 'wamid.unnumbered' })
    await block(userId)
    const numberId = (await numberIds())[0] ?? ''
    const identity = { phone: '+12025550179', userId, at: Date.now() }
    await noteWritten(world.service.rt, { accountId: world.accountId, numberId, identity, unread: 0 })
    expect((await unblock(userId)).body.data).toMatchObject({ customer: userId, unblocked: true })
    expect((await listed()).blocked).toEqual([])
  })

  test('the list is paged, and a change ends the paging', async () => {
    const customers = Array.from({ length: 5 }, (_, i) => `+1202555012${i}`)
    for (const from of customers) await receive({ from, text: 'Hi', message_id: `wamid.p${from.slice(1)}` })
    await block(...customers)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { blocked, pagination } = await listed(`?limit=2${query}`)
      seen.push(...blocked.map(({ customer }: { customer: string }) => customer))
      cursor = pagination.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(customers)

    const { pagination } = await listed('?limit=2')
    await unblock('+12025550120')
    const stale = await world.get(`${path}?limit=2&cursor=${encodeURIComponent(pagination.next_cursor)}`)
    expect(stale.body.error).toMatchObject({ code: 'invalid_cursor', status: 400 })
    for (const customer of customers) await unblock(customer)
  })

  test('refuses what is no customer, the number itself, and an empty or too long list', async () => {
    const details = async (customers: unknown) => (await world.post(path, { customers })).body.error.details
    const { phone_number: own } = await listed()
    expect(await details(['+12025550100', '+12025550100', own])).toMatchObject([
      { field: 'customers[2]', code: 'invalid_value' },
    ])
    expect(await details(['+12025550100', '123'])).toMatchObject([{ field: 'customers[1]' }])
    expect(await details(['+1202555'])).toMatchObject([{ field: 'customers[0]', code: 'invalid_phone_number' }])
    expect(await details([])).toMatchObject([{ field: 'customers', code: 'too_short' }])
    expect(await details(Array.from({ length: 1_001 }, () => '+12025550100'))).toMatchObject([
      { field: 'customers', code: 'too_many_items' },
    ])
    expect((await unblock('nobody')).body.error.details).toMatchObject([{ field: 'customer', location: 'path' }])
  })
})
