import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { foldSteps } from '../../server/src/analytics/fold-steps.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { byGateway } from '../../server/src/broadcasts/start-broadcast.ts'
import { type Scope, scopes } from '../../server/src/contract/scopes.ts'
import { importRates } from '../../server/src/costs/rate-cards.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const words = (...texts: string[]) => [{ type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) }]
const draft = {
  name: 'Spring sale',
  template: 'order_confirmation',
  language: 'en_US',
  components: words('{{first_name|customer}}', '{{order}}', '9 EUR'),
}

describe.each(engines)('a broadcast that runs, on %s', (engine) => {
  let world: World
  let customers = 0
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  beforeEach(async () => {
    await world.control('POST', '/_sandbox/reset')
  })
  afterAll(() => world.stop())

  const people = (count: number) => Array.from({ length: count }, () => `+35191${2_000_000 + customers++}`)
  const create = async (to: readonly string[], fields: object = {}): Promise<string> => {
    const recipients = to.map((one, index) => ({ to: one, values: { order: `A-${index}` } }))
    const { status, body } = await world.post('/v1/chat/broadcasts', { ...draft, recipients, ...fields })
    expect([status, body.error]).toEqual([201, undefined])
    return body.data.id
  }
  const act = async (id: string, action: string, body: object = {}) => {
    const answer = await world.post(`/v1/chat/broadcasts/${id}/${action}`, body)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.data
  }
  const get = async (id: string) => (await world.get(`/v1/chat/broadcasts/${id}`)).body.data
  const ended = async (id: string) => {
    await waitFor(async () => (await get(id)).status === 'completed', 30_000)
    await waitFor(async () => (await get(id)).counts.under_way === 0)
    return get(id)
  }
  const arrivals = async (): Promise<string[]> => {
    const { body } = await world.control('GET', '/_sandbox/messages?direction=outbound&limit=1000')
    return body.data.map((message: { to: string }) => message.to).sort()
  }
  const rules = (...list: object[]) => world.control('PUT', '/_sandbox/scenario', { rules: list })
  const reasonsOf = async (id: string, type: string) =>
    (await world.get(`/v1/events?limit=100&type=${type}`)).body.data.events
      .filter((event: { data: { id: string } }) => event.data.id === id)
      .map((event: { data: { reason: string | null } }) => event.data.reason)

  /** As it is taken away with a key of these scopes. */
  const recipientsFile = async (id: string, own: readonly Scope[]): Promise<string[][]> => {
    const { rt, urls } = world.service
    const { accountId } = world
    const key = await createKey(rt, { accountId, name: 'Reports', scopes: own, createdBy: 'usr_1', actor: operator })
    const authorization = `Basic ${Buffer.from(`${key.row.public_key}:${key.secret}`).toString('base64')}`
    const answer = await fetch(`${urls.base}/v1/chat/broadcasts/${id}/recipients.csv`, { headers: { authorization } })
    expect(answer.status).toBe(200)
    const lines = (await answer.text()).trim().split('\r\n')
    return lines.map((line) => line.split(','))
  }

  test('writes to each recipient once, with their own values, and says when all have a result', async () => {
    const to = people(60)
    const id = await create(to, { start: true })
    const done = await ended(id)
    expect(done.counts).toMatchObject({ accepted: 60, waiting: 0, sent: 60, failed: 0, skipped: 0 })
    expect(await arrivals()).toEqual([...to].sort())
    const { recipients } = (await world.get(`/v1/chat/broadcasts/${id}/recipients?limit=500`)).body.data
    expect(recipients.map((one: { to: string }) => one.to)).toEqual(to)
    const first = (await world.get(`/v1/chat/messages/${encodeURIComponent(recipients[0].message_id)}`)).body.data
    expect([first.broadcast_id, JSON.stringify(first.content)]).toEqual([id, expect.stringContaining('A-0')])
    expect(await reasonsOf(id, 'broadcast.started')).toEqual([null])
    expect(await reasonsOf(id, 'broadcast.completed')).toEqual([null])
  })

  test('skips who opted out of marketing, who is blocked, and who is the same customer under another address', async () => {
    const components = [{ type: 'BODY', text: 'Sale until Sunday.' }]
    await world.control('POST', '/_sandbox/templates', {
      templates: [{ name: 'spring_sale', category: 'MARKETING', components }],
    })
    const [optedOut = '', blocked = '', twice = '', other = ''] = people(4)
    const stored = (await world.post('/v1/chat/customers', { address: optedOut })).body.data
    const body = { marketing: 'opted_out' }
    expect((await world.call('PUT', `/v1/chat/customers/${stored.customer_id}/preference`, { body })).status).toBe(200)
    const userIdOf = async (from: string): Promise<string> => {
      const { message_id: id } = (await world.control('POST', '/_sandbox/inbound', { from, text: 'Hi' })).body
      const found = async () => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
      await waitFor(async () => (await found()) !== null)
      return (await found()).user_id
    }
    await userIdOf(blocked)
    expect((await world.post('/v1/chat/blocked', { customers: [blocked] })).status).toBe(200)
    const to = [optedOut, blocked, twice, await userIdOf(twice), other]
    const id = await create(to, { template: 'spring_sale', components: [], start: true })
    const done = await ended(id)
    expect([done.counts.sent, done.skipped]).toEqual([2, { opted_out: 1, blocked: 1, duplicate: 1 }])
    expect(await arrivals()).toEqual([twice, other].sort())
    // A copy is no way around it: of the skipped, those go along who got nothing.
    const copy = async (fields: object) => (await world.post(`/v1/chat/broadcasts/${id}/copy`, fields)).body.data
    expect((await copy({ results: ['skipped'] })).counts.accepted).toBe(2)
    expect((await copy({ results: ['skipped'], accept_duplicates: true })).counts.accepted).toBe(3)
  })

  test('after the answer to a pause nobody else is taken, and after resume everybody left is', async () => {
    const to = people(60)
    const id = await create(to, { max_per_second: 20 })
    await act(id, 'start')
    await waitFor(async () => (await arrivals()).length > 3)
    const paused = await act(id, 'pause')
    expect([paused.status, paused.reason]).toEqual(['paused', 'by_person'])
    await waitFor(async () => (await get(id)).counts.under_way === 0)
    const before = await get(id)
    expect(before.counts.waiting).toBeGreaterThan(0)
    expect((await arrivals()).length).toBe(before.counts.sent)
    await act(id, 'resume')
    expect((await ended(id)).counts.sent).toBe(60)
    expect(await arrivals()).toEqual([...to].sort())
  })

  test('what is canceled sends nothing more, and says how many got nothing', async () => {
    const id = await create(people(60), { max_per_second: 10 })
    await act(id, 'start')
    await waitFor(async () => (await arrivals()).length > 1)
    await act(id, 'cancel')
    await waitFor(async () => (await get(id)).counts.under_way === 0)
    const { counts, status } = await get(id)
    expect(status).toBe('canceled')
    expect(counts.canceled).toBeGreaterThan(0)
    expect(counts.sent + counts.canceled).toBe(60)
    expect((await arrivals()).length).toBe(counts.sent)
  })

  test('a template that is paused holds it until Meta allows the template again', async () => {
    await rules({ when: { endpoint: 'messages' }, do: { error: { code: 132_015 } }, count: 1 })
    const id = await create(people(20))
    await act(id, 'start')
    await waitFor(async () => (await get(id)).reason === 'template_paused')
    const held = await get(id)
    expect([held.status, held.hold.reason]).toEqual(['running', 'template_paused'])
    expect(held.counts.failed).toBe(0)
    await act(id, 'resume')
    // Messages that Meta had refused wait for five minutes more; all others go.
    await waitFor(async () => (await get(id)).counts.sent >= 15)
    await act(id, 'cancel')
  })

  test.each([
    [131_042, 'payment_missing'],
    [131_031, 'restricted'],
  ])('the error %i, which would meet everybody, pauses it as %s', async (code, reason) => {
    await rules({ when: { endpoint: 'messages' }, do: { error: { code } } })
    const id = await create(people(100), { max_per_second: 40 })
    await act(id, 'start')
    await waitFor(async () => (await get(id)).status === 'paused')
    const paused = await get(id)
    expect(paused.reason).toBe(reason)
    expect(paused.counts.waiting).toBeGreaterThan(0)
    expect(await reasonsOf(id, 'broadcast.paused')).toEqual([reason])
  })

  test('a lost answer is unknown and not repeated, and a platform that is away uses up nobody', async () => {
    await rules({ when: { endpoint: 'messages' }, do: { error: { code: 131_016 } } })
    const id = await create(people(300))
    await act(id, 'start')
    await waitFor(async () => (await get(id)).reason === 'meta_unavailable', 20_000)
    await waitFor(async () => (await get(id)).counts.unknown >= 10)
    const { counts } = await get(id)
    expect(counts.waiting).toBeGreaterThan(0)
    expect(await arrivals()).toEqual([])
    await act(id, 'cancel')
  })

  test('costs what its delivered messages cost by the rate card of their day', async () => {
    const { rt } = world.service
    const text = 'Market,Currency,Utility\nRest of Western Europe,USD,0.0125'
    const card = { name: 'rates.csv', from: '2020-01-01', text }
    await importRates(rt, world.accountId, card, byGateway)
    const id = await create(people(8))
    expect((await world.get(`/v1/chat/broadcasts/${id}/estimate`)).body.data.cost).toMatchObject({ amount: '0.1000' })
    const limit = { max_cost: { amount: '0.09', currency: 'USD' } }
    const dear = await world.post(`/v1/chat/broadcasts/${id}/start`, limit)
    expect(dear.body.error.code).toBe('cost_limit_exceeded')
    expect((await get(id)).cost).toBeNull()
    await act(id, 'start', { max_cost: { amount: '0.1', currency: 'USD' } })
    await waitFor(async () => {
      await foldSteps(rt)
      return (await get(id)).cost?.priced === 8
    })
    expect((await get(id)).cost).toEqual({ amount: '0.1000', currency: 'USD', priced: 8, unpriced: 0 })
    const everything = await recipientsFile(id, scopes)
    expect(everything[0]?.slice(-3)).toEqual(['price_day', 'currency', 'amount'])
    expect(everything.slice(1).map((row) => row.slice(-2))).toEqual(Array(8).fill(['USD', '0.0125']))
    const without = await recipientsFile(id, ['broadcasts:read', 'messages:read'])
    // What a customer reads meanwhile changes a row, and no column.
    expect(without[0]).toEqual(everything[0]?.slice(0, -6))
    expect(without.map((row) => row.length)).toEqual(everything.map((row) => row.length - 6))
  })

  test('it can be copied to those who failed', async () => {
    const to = people(5)
    await rules({ when: { endpoint: 'messages', to: to[2] }, do: { error: { code: 131_026 } } })
    const id = await create(to, { start: true })
    expect((await ended(id)).failures).toEqual([{ code: 'recipient_unreachable', count: 1 }])
    const { status, body } = await world.post(`/v1/chat/broadcasts/${id}/copy`, { results: ['failed'] })
    expect([status, body.data?.counts.accepted, body.data?.status]).toEqual([201, 1, 'draft'])
    // And so can the file of its results.
    const other = await create([], { components: words('Ana', 'A-1', '9 EUR'), recipients: undefined })
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'text/csv' }
    const at = (path: string) => `${world.service.urls.base}/v1/chat/broadcasts/${path}`
    const file = await (await fetch(at(`${id}/recipients.csv?result=failed`), { headers })).text()
    const uploaded = await fetch(at(`${other}/recipients`), { method: 'POST', headers, body: file })
    expect(await uploaded.json()).toMatchObject({ data: { accepted: 1, invalid: 0 } })
    for (const result of ['sent', 'unknown', 'under_way', 'waiting']) {
      const refused = await world.post(`/v1/chat/broadcasts/${id}/copy`, { results: [result] })
      expect(refused.body.error.code, result).toBe('validation_failed')
    }
  })

  test('a copy leaves out whom Meta limited within the last day, and says so when nobody is left', async () => {
    const to = people(3)
    await rules(
      { when: { endpoint: 'messages', to: to[0] }, do: { error: { code: 131_026 } } },
      { when: { endpoint: 'messages', to: to[1] }, do: { fail: 131_049 } },
    )
    const id = await create(to, { start: true })
    await waitFor(async () => (await ended(id)).counts.failed === 2)
    const copy = (fields: object) => world.post(`/v1/chat/broadcasts/${id}/copy`, { results: ['failed'], ...fields })
    expect((await copy({})).body.data.counts.accepted).toBe(1)
    const refused = (await copy({ codes: ['recipient_marketing_limited'] })).body.error
    expect([refused.code, refused.message]).toEqual([
      'broadcast_empty',
      expect.stringMatching(/^Meta limited marketing to every recipient .* less than a day ago. Copy them after 20/),
    ])
    const none = (await copy({ codes: ['recipient_blocked'] })).body.error
    expect(none.message).toBe('No recipient has the result failed with recipient_blocked.')
  })

  test('who is erased before their turn gets nothing', async () => {
    const to = people(3)
    const id = await create(to)
    const { rt } = world.service
    const { eraseCustomer } = await import('../../server/src/messages/erase/erase-customer.ts')
    const { operator } = await import('../../server/src/audit/audit.ts')
    await eraseCustomer(rt, world.accountId, to[1] ?? '', { actor: operator })
    await act(id, 'start')
    const done = await ended(id)
    expect([done.counts.sent, done.skipped]).toEqual([2, { erased: 1 }])
  })
})
