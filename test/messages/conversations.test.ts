import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../server/src/contract/console/roles.ts'
import { createUser } from '../../server/src/people/create-user.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const eventsOf = query({
  name: 'test.conversation_events',
  params: { account_id: 'text' },
  returns: { type: 'text', body: 'text' },
  sql: `select type, body from events where account_id = :account_id and type like 'conversation.%' order by seq`,
})

describe.each(engines)('the inbox by API, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  }, 60_000)
  afterAll(() => world.stop())

  let next = 0
  const number = () => `+1202555${String(3_000 + next++).padStart(4, '0')}`
  const writes = async (from: string, more: object = { text: 'Hi' }) => {
    const { body } = await world.control('POST', '/_sandbox/inbound', { from, ...more })
    const path = `/v1/chat/messages/${encodeURIComponent(body.message_id)}`
    await waitFor(async () => (await world.get(path)).status === 200, 10_000)
    return body.message_id as string
  }
  async function aCustomer(): Promise<string> {
    const from = number()
    await writes(from)
    return from
  }
  let people = 0
  async function aPerson(name: string, role: Role = 'support'): Promise<string> {
    const email = `${name.toLowerCase()}-${people++}@postern.test`
    return (await createUser(world.service.rt, { accountId: world.accountId, name, email, role })).user.id
  }
  const pathOf = (customer: string, more = '') => `/v1/chat/conversations/${encodeURIComponent(customer)}${more}`
  const look = async (customer: string) => (await world.get(pathOf(customer))).body.data
  const list = async (search = '') => {
    const { conversations } = (await world.get(`/v1/chat/conversations?limit=100${search}`)).body.data
    return (conversations as { customer: string }[]).map(({ customer }) => customer)
  }
  const assign = (customer: string, body: object) => world.call('PUT', pathOf(customer, '/assignee'), { body })
  const close = (customer: string) => world.post(pathOf(customer, '/close'), {})
  const events = async () =>
    (await world.service.rt.store.read(eventsOf, { account_id: world.accountId })).map(({ body }) => JSON.parse(body))

  test('a customer who writes waits until someone replies, whether a person or a program', async () => {
    const customer = await aCustomer()
    const first = await look(customer)
    expect(first).toMatchObject({ state: 'open', unread: 1, assignee: null, waiting_since: expect.any(String) })
    expect(first.last_message).toMatchObject({ direction: 'inbound', preview: 'Hi' })
    await writes(customer, { text: 'Hello?' })
    expect(await look(customer)).toMatchObject({ unread: 2, waiting_since: first.waiting_since })
    expect(await list('&order=waiting')).toContain(customer)
    expect((await world.post('/v1/chat/messages/send', { to: customer, message: 'Here' })).status).toBe(200)
    expect(await look(customer)).toMatchObject({ waiting_since: null })
    expect(await list('&order=waiting')).not.toContain(customer)
  })

  test('an order confirmation is no reply, nor is a reaction; and a customer who reacts does not wait', async () => {
    const customer = await aCustomer()
    const template = { to: customer, template: 'hello_world', language: 'en_US' }
    expect((await world.post('/v1/chat/messages/template', template)).status).toBe(200)
    expect((await look(customer)).waiting_since).not.toBeNull()
    const sent = await world.post('/v1/chat/messages/send', { to: customer, message: 'Here' })
    expect((await look(customer)).waiting_since).toBeNull()
    await close(customer)
    const reaction = { message_id: sent.body.data.message_id, emoji: '👍' }
    await writes(customer, { type: 'reaction', reaction })
    expect(await look(customer)).toMatchObject({ state: 'closed', waiting_since: null, unread: 0 })
  })

  test('a closed one opens with the next message, and stays with whom it was assigned to', async () => {
    const bea = await aPerson('Bea')
    const customer = await aCustomer()
    expect((await assign(customer, { assignee: bea })).body.data.assignee).toEqual({ user_id: bea, name: 'Bea' })
    const closed = (await close(customer)).body.data
    expect(closed).toMatchObject({ state: 'closed', unread: 0, waiting_since: null, closed_at: expect.any(String) })
    expect((await close(customer)).status).toBe(200)
    expect(await list()).not.toContain(customer)
    expect(await list('&state=closed')).toContain(customer)
    await writes(customer)
    expect(await look(customer)).toMatchObject({ state: 'open', closed_at: null, unread: 1, assignee: { name: 'Bea' } })
    await close(customer)
    expect((await world.post(pathOf(customer, '/reopen'), {})).body.data).toMatchObject({
      state: 'open',
      closed_at: null,
    })
  })

  test('two who take a conversation at the same moment never both have it', async () => {
    const people = await Promise.all(['Ana', 'Bea', 'Caio', 'Duda'].map((name) => aPerson(name)))
    const customer = await aCustomer()
    const answers = await Promise.all(people.map((assignee) => assign(customer, { assignee, if_assignee: null })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body.error.code).toBe('conversation_assigned_elsewhere')
    const won = people[answers.findIndex(({ status }) => status === 200)]
    expect((await look(customer)).assignee.user_id).toBe(won)
    expect((await assign(customer, { assignee: null, if_assignee: won })).body.data.assignee).toBeNull()
  })

  test('one is assigned to people who may reply, and to nobody else', async () => {
    const customer = await aCustomer()
    const viewer = await aPerson('Vera', 'viewer')
    for (const assignee of [viewer, 'usr_unknown', 'me']) {
      const { status, body } = await assign(customer, { assignee })
      expect([status, body.error.details[0].field]).toEqual([400, 'assignee'])
    }
    expect((await assign('+12025559999', { assignee: null })).body.error.code).toBe('customer_not_found')
    const { assignees } = (await world.get('/v1/chat/assignees')).body.data
    expect(assignees.map(({ user_id }: { user_id: string }) => user_id)).not.toContain(viewer)
  })

  test('filters find mine, nobody’s, the unread and those whose window closes', async () => {
    const dora = await aPerson('Dora')
    const [one, two] = [await aCustomer(), await aCustomer()]
    await assign(one, { assignee: dora })
    expect(await list(`&assignee=${dora}`)).toEqual([one])
    expect(await list('&assignee=none')).not.toContain(one)
    expect(await list('&assignee=none')).toContain(two)
    expect(await list('&unread=true')).toEqual(expect.arrayContaining([one, two]))
    expect(await list('&window=closing')).toEqual([])
    expect((await world.get('/v1/chat/conversations?assignee=me')).body.error.details[0].field).toBe('assignee')
    // The last activity first, and the longest wait first.
    expect((await list()).slice(0, 2)).toEqual([two, one])
    const waits = (await world.get('/v1/chat/conversations?limit=100&order=waiting')).body.data.conversations
    const since = waits.map(({ waiting_since }: { waiting_since: string }) => waiting_since)
    expect(since).toEqual(since.toSorted())
    expect(since.length).toBeGreaterThan(1)
  })

  test('what happens is told in events and in the audit log', async () => {
    const eva = await aPerson('Eva')
    const customer = await aCustomer()
    const known = (await events()).length
    await assign(customer, { assignee: eva })
    await assign(customer, { assignee: eva })
    await close(customer)
    await close(customer)
    const told = (await events()).slice(known)
    expect(told.map(({ type }) => type)).toEqual(['conversation.assigned', 'conversation.closed'])
    expect(told[0].data).toMatchObject({ customer, assignee: { user_id: eva, name: 'Eva' }, previous_assignee: null })
    expect(told[1].data).toMatchObject({ customer, assignee: { name: 'Eva' } })
  })

  test('saved replies are kept, changed and deleted, one for each word', async () => {
    const path = '/v1/chat/saved-replies'
    const made = await world.post(path, { shortcut: 'Hours', text: 'Hello {{name}}, from 9 to 6.' })
    expect(made.body.data).toMatchObject({ shortcut: 'hours', text: 'Hello {{name}}, from 9 to 6.' })
    const again = await world.post(path, { shortcut: 'hours', text: 'Other' })
    expect([again.status, again.body.error.details[0].code]).toEqual([400, 'duplicate'])
    const id = made.body.data.saved_reply_id
    const changed = await world.call('PUT', `${path}/${id}`, { body: { shortcut: 'open', text: 'From 9 to 5.' } })
    expect(changed.body.data).toMatchObject({ saved_reply_id: id, shortcut: 'open' })
    expect((await world.get(path)).body.data.saved_replies).toMatchObject([{ shortcut: 'open', text: 'From 9 to 5.' }])
    expect((await world.call('DELETE', `${path}/${id}`)).body.data).toEqual({ saved_reply_id: id, deleted: true })
    expect((await world.call('DELETE', `${path}/${id}`)).body.error.code).toBe('saved_reply_not_found')
    expect((await world.post(path, { shortcut: 'a b', text: 'x' })).body.error.details[0].field).toBe('shortcut')
  })
})
