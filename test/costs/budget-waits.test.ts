import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installationLog, operator, verifyAudit } from '../../server/src/audit/audit.ts'
import { fetchReported } from '../../server/src/channels/reported-costs.ts'
import { everyAccount, importRates } from '../../server/src/costs/rate-cards.ts'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
const rate = 0.05

describe.each(engines)('what waits for room in a budget, on %s', (engine) => {
  let world: World
  let customers = 0
  beforeAll(async () => {
    world = await aWorld(engine)
    const text = `Market,Currency,Marketing,Utility,Authentication,Service\nRest of Western Europe,USD,${rate},${rate},${rate},${rate}`
    await importRates(world.service.rt, everyAccount, { name: 'usd.csv', from: '2026-01-01', text }, author)
  })
  afterAll(() => world.stop())

  const aCustomer = () => `+35191300${1_000 + customers++}`
  const template = (fields: object = {}) =>
    world.post('/v1/chat/messages/template', { to: aCustomer(), template: 'hello_world', language: 'en_US', ...fields })
  const aBudget = async (limit: string) => {
    const { body } = await world.post('/v1/chat/budgets', { name: 'All', limit, period: 'month', currency: 'USD' })
    expect(body.error).toBeUndefined()
    return body.data.budget_id as string
  }
  const limitTo = (id: string, limit: string) => world.call('PUT', `/v1/chat/budgets/${id}`, { body: { limit } })
  const remove = (id: string) => world.call('DELETE', `/v1/chat/budgets/${id}`)

  test('a rate card of all accounts stands in the log of the installation', async () => {
    const { rt } = world.service
    const [line] = await rt.store.read(readAudit, { account_id: installationLog, after: 0, count: 10 })
    expect(line?.action).toBe('rate_card.imported')
    expect(JSON.parse(line?.entry ?? '')).toMatchObject({ actor: operator, targets: [{ type: 'rate_card' }] })
    expect(await verifyAudit(rt, installationLog)).toEqual({ ok: true, entries: 1, brokenAt: null })
  })

  test('a send is rejected with a code that says what to do, also when it is repeated', async () => {
    const id = await aBudget('0.000001')
    const first = await template({}) // The gateway may answer from memory: the budget was set a moment ago.
    expect([first.status, first.body.error.code]).toEqual([400, 'budget_exceeded'])
    expect(first.body.error.message).toMatch(/^The budget All is used up\. Its next period starts at \d{4}-/)
    const changed = await limitTo(id, '100')
    expect(changed.body.data).toMatchObject({ limit: '100.0000', reserved: '0.0000', state: 'ok' })
    expect((await template()).status).toBe(200)
    await remove(id)
  })

  test('a queued message waits for room and leaves when the limit is raised', async () => {
    const id = await aBudget('0.000001')
    const { body } = await template({ queue: true })
    const record = async () => (await world.get(`/v1/chat/messages/${body.data.message_id}`)).body.data
    await waitFor(async () => (await record()).waiting_for === 'budget')
    expect(await record()).toMatchObject({ status: 'waiting', attempts: 0 })
    await world.post(`/v1/chat/messages/${body.data.message_id}/cancel`)
    await remove(id)
  })

  test('a broadcast is paused with the reason, and goes on when a person resumes it', async () => {
    const id = await aBudget('0.000001')
    const recipients = Array.from({ length: 5 }, () => ({ to: aCustomer() }))
    const draft = { name: 'Sale', template: 'hello_world', language: 'en_US', recipients, start: true }
    const { body } = await world.post('/v1/chat/broadcasts', draft)
    const get = async () => (await world.get(`/v1/chat/broadcasts/${body.data.id}`)).body.data
    await waitFor(async () => (await get()).status === 'paused')
    expect(await get()).toMatchObject({ reason: 'budget', counts: { sent: 0, failed: 0, waiting: 5 } })
    await limitTo(id, '100')
    await world.post(`/v1/chat/broadcasts/${body.data.id}/resume`)
    await waitFor(async () => (await get()).status === 'completed')
    expect((await get()).counts).toMatchObject({ sent: 5, failed: 0 })
    const { budgets } = (await world.get('/v1/chat/budgets')).body.data
    const { reserved, spent } = budgets[0]
    // With the message that found room before.
    expect(Number(reserved) + Number(spent)).toBeCloseTo(6 * rate)
    await remove(id)
  })

  test("Meta's own figures stand beside ours, in total, by country and by category", async () => {
    const costs = async (query = '') => (await world.get(`/v1/chat/costs${query}`)).body.data
    await waitFor(async () => (await costs()).totals[0]?.priced === 6)
    expect(await costs()).toMatchObject({ totals: [{ amount: '0.3000', reported: null }], reported_as_of: null })
    await fetchReported(world.service.rt)
    // Asked again, the newest figures take the place of those before.
    await fetchReported(world.service.rt)
    const { totals, reported_as_of } = await costs()
    expect(totals).toMatchObject([{ currency: 'USD', amount: '0.3000', reported: '0.3000' }])
    expect(reported_as_of).toEqual(expect.any(String))
    expect((await costs('?group_by=country')).groups).toMatchObject([{ group: { country: 'PT' }, costs: totals }])
    expect((await costs('?group_by=pricing_category')).groups[0].costs[0].reported).toBe('0.3000')
    // Meta tells no templates apart.
    expect((await costs('?group_by=template')).groups[0].costs[0].reported).toBeNull()
    expect((await costs('?template=hello_world')).totals[0].reported).toBeNull()
    const { broadcasts } = (await world.get('/v1/chat/broadcasts')).body.data
    const { cost } = (await world.get(`/v1/chat/broadcasts/${broadcasts[0].id}`)).body.data
    expect(cost).toMatchObject({ amount: '0.2500', currency: 'USD' })
  })

  test('events name the budget', async () => {
    const { events } = (await world.get('/v1/events?limit=100&type=budget.exceeded')).body.data
    expect(events[0].data).toMatchObject({ name: 'All', currency: 'USD', state: 'ok', limit: '0.000001' })
  })
})
