import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

describe.each(engines)('who handles a conversation, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  }, 60_000)
  afterAll(() => world.stop())

  let next = 0
  /** A customer who has just written. */
  async function aCustomer(): Promise<string> {
    const from = `+1202555${String(2_000 + next++).padStart(4, '0')}`
    await writes(from)
    return from
  }
  const writes = async (from: string) => {
    const { body } = await world.control('POST', '/_sandbox/inbound', { from, text: 'Hi' })
    const path = `/v1/chat/messages/${encodeURIComponent(body.message_id)}`
    await waitFor(async () => (await world.get(path)).status === 200, 10_000)
    return (await world.get(path)).body.data
  }
  const pathOf = (customer: string) => `/v1/chat/conversations/${encodeURIComponent(customer)}/control`
  const look = async (customer: string) => (await world.get(pathOf(customer))).body.data
  const act = (customer: string, body: object) => world.post(pathOf(customer), body)
  const send = (to: string) => world.post('/v1/chat/messages/send', { to, message: 'Hello' })
  const own = (phone_number: string, owned_by: string | null) =>
    world.control('POST', '/_sandbox/customers', { phone_number, owned_by })

  test('a conversation is passed on, its next message comes as a copy, and a text from here is rejected', async () => {
    const customer = await aCustomer()
    expect(await look(customer)).toMatchObject({ customer_id: customer, owner: 'gateway', shared: false })
    const passed = await act(customer, { action: 'pass', role: 'customer_service', note: 'Wants to talk to a person.' })
    expect(passed.body.data).toMatchObject({ owner: 'other', role: 'customer_service', shared: true })
    expect(await writes(customer)).toMatchObject({ origin: 'standby', direction: 'inbound' })
    const refused = await send(customer)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'thread_owned_elsewhere'])
    expect(await look(customer)).toMatchObject({ owner: 'other', role: 'customer_service' })
    const template = { to: customer, template: 'order_confirmation', language: 'en_US' }
    const values = [{ type: 'body', parameters: ['Ana', 'A-1', '9 EUR'].map((text) => ({ type: 'text', text })) }]
    expect((await world.post('/v1/chat/messages/template', { ...template, components: values })).status).toBe(200)
    expect(await look(customer)).toMatchObject({ owner: 'other' })
  })

  test('a rejected text tells that another responder handles the conversation, and one that is accepted that we do', async () => {
    const customer = await aCustomer()
    await own(customer, 'ai_agent')
    expect((await send(customer)).body.error.code).toBe('thread_owned_elsewhere')
    expect(await look(customer)).toMatchObject({ owner: 'other', role: null, shared: true })
    await own(customer, null)
    expect((await send(customer)).status).toBe(200)
    expect(await look(customer)).toMatchObject({ owner: 'gateway' })
  })

  test('it is released, and the next message decides', async () => {
    const customer = await aCustomer()
    expect((await act(customer, { action: 'release' })).body.data).toMatchObject({ owner: 'nobody' })
    expect(await writes(customer)).toMatchObject({ origin: null })
    expect(await look(customer)).toMatchObject({ owner: 'gateway' })
  })

  test('it is taken by the escalation partner alone', async () => {
    const customer = await aCustomer()
    await own(customer, 'ai_agent')
    const refused = await act(customer, { action: 'take' })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'channel_rejected'])
    expect(refused.body.error.upstream.code).toBe(2494191)
  })

  test('a lost answer is unknown, asked once, and changes nothing that is known', async () => {
    const customer = await aCustomer()
    const rule = { when: { endpoint: 'thread_control' }, count: 1, do: { reset_after_accept: true } }
    await world.control('POST', '/_sandbox/rules', rule)
    const lost = await act(customer, { action: 'pass' })
    expect([lost.status, lost.body.error.code, lost.body.error.retryable]).toEqual([
      500,
      'control_outcome_unknown',
      false,
    ])
    expect(await look(customer)).toMatchObject({ owner: 'gateway', shared: false })
    // It was carried out, and nobody asked again.
    expect((await send(customer)).body.error.code).toBe('thread_owned_elsewhere')
  })

  test.each([
    [{ action: 'release', role: 'utility' }, 'role'],
    [{ action: 'give' }, 'action'],
    [{ action: 'pass', note: 'x'.repeat(2_001) }, 'note'],
  ])('%j is rejected before Meta is asked', async (body, field) => {
    const { status, body: answer } = await act('+12025550100', body)
    expect([status, answer.error.details[0].field]).toEqual([400, field])
  })
})
