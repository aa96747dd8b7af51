import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const hourMs = 3_600_000

describe.each(engines)('sends that wait, on %s', (engine) => {
  let world: World
  let customers = 0
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  beforeEach(async () => {
    await world.control('POST', '/_sandbox/reset')
  })
  afterAll(() => world.stop())

  const aCustomer = () => `+35191200${1_000 + customers++}`
  const template = (fields: object) =>
    world.post('/v1/chat/messages/template', {
      to: aCustomer(),
      template: 'hello_world',
      language: 'en_US',
      ...fields,
    })
  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const statusOf = async (id: string) => (await record(id)).status as string
  const arrivals = async (to: string): Promise<unknown[]> => {
    const { body } = await world.control('GET', '/_sandbox/messages?direction=outbound&limit=1000')
    return body.data.filter((message: { to: string }) => message.to === to)
  }
  const waiting = async () => (await world.get('/v1/chat/messages?status=waiting&limit=100')).body.data.messages
  const fail = (error: number) =>
    world.control('PUT', '/_sandbox/scenario', {
      rules: [{ when: { endpoint: 'messages' }, do: { error: { code: error } } }],
    })

  test('a queued message is answered at once and sent as soon as there is room', async () => {
    const to = aCustomer()
    const { status, body } = await template({ to, queue: true, client_reference: 'visit-1' })
    expect([status, body.data.status, body.data.message_id.slice(0, 4)]).toEqual([200, 'waiting', 'out_'])
    expect(Date.parse(body.data.expires_at) - Date.parse(body.data.send_at)).toBe(24 * hourMs)
    await waitFor(async () => ['sent', 'delivered', 'read'].includes(await statusOf(body.data.message_id)))
    expect(await arrivals(to)).toHaveLength(1)
    const sent = await record(body.data.message_id)
    expect(sent).toMatchObject({ attempts: 1, waiting_for: null, next_attempt_at: null, client_reference: 'visit-1' })
    expect(sent.history.map((step: { status: string }) => step.status).slice(0, 3)).toEqual([
      'waiting',
      'queued',
      'sent',
    ])
  })

  test('a message with send_at is listed as waiting, and leaves at its time and not before', async () => {
    const to = aCustomer()
    const at = Date.now() + 1_500
    const { body } = await template({ to, send_at: new Date(at).toISOString() })
    expect(await record(body.data.message_id)).toMatchObject({ status: 'waiting', waiting_for: 'time', attempts: 0 })
    expect((await waiting()).map((one: { message_id: string }) => one.message_id)).toContain(body.data.message_id)
    await waitFor(async () => (await arrivals(to)).length === 1)
    expect(Date.now()).toBeGreaterThanOrEqual(at)
    await waitFor(async () => !['waiting', 'queued'].includes(await statusOf(body.data.message_id)))
    expect(await waiting()).toEqual([])
  })

  test('a message whose time has not come does not leave with one that is due', async () => {
    const planned = (await template({ send_at: inMs(50_000) })).body.data.message_id
    const due = (await template({ queue: true })).body.data.message_id
    await waitFor(async () => !['waiting', 'queued'].includes(await statusOf(due)))
    expect(await statusOf(planned)).toBe('waiting')
    await world.post(`/v1/chat/messages/${planned}/cancel`)
  })

  test('what waits is listed with the next first', async () => {
    const later = await template({ send_at: inMs(3 * hourMs) })
    const sooner = await template({ send_at: inMs(2 * hourMs) })
    const ids = (await waiting()).map((one: { message_id: string }) => one.message_id)
    expect(ids).toEqual([sooner, later].map(({ body }) => body.data.message_id))
    for (const id of ids) expect((await world.post(`/v1/chat/messages/${id}/cancel`)).status).toBe(200)
  })

  test('a canceled message is not sent, says so once, and is canceled again when asked again', async () => {
    const to = aCustomer()
    const { body } = await template({ to, send_at: inMs(700) })
    const id = body.data.message_id
    const [first, second] = [
      await world.post(`/v1/chat/messages/${id}/cancel`),
      await world.post(`/v1/chat/messages/${id}/cancel`),
    ]
    expect(first.body.data).toEqual({ message_id: id, status: 'canceled', canceled_at: expect.any(String) })
    expect([second.status, second.body.data]).toEqual([200, first.body.data])
    await pause(1_000)
    expect([await statusOf(id), await arrivals(to)]).toEqual(['canceled', []])
    const { events } = (await world.get('/v1/events?limit=100&type=message.canceled')).body.data
    expect(events.filter((event: { data: { message_id: string } }) => event.data.message_id === id)).toHaveLength(1)
  })

  test('all that waits with a reference is canceled together, and nothing else', async () => {
    const group = [1, 2, 3].map(() => template({ send_at: inMs(hourMs), client_reference: 'visit-77' }))
    const other = await template({ send_at: inMs(hourMs), client_reference: 'visit-78' })
    await Promise.all(group)
    const { body } = await world.post('/v1/chat/messages/cancel', { client_reference: 'visit-77' })
    expect(body.data).toEqual({ canceled: 3 })
    expect(await statusOf(other.body.data.message_id)).toBe('waiting')
    await world.post(`/v1/chat/messages/${other.body.data.message_id}/cancel`)
  })

  test('a message that was sent cannot be canceled', async () => {
    const { body } = await template({})
    const answer = await world.post(`/v1/chat/messages/${encodeURIComponent(body.data.message_id)}/cancel`)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'message_not_cancelable'])
  })

  test('a repeat with the same key gets the first answer and stores nothing more', async () => {
    const to = aCustomer()
    const send_at = inMs(hourMs)
    const ask = () =>
      world.post(
        '/v1/chat/messages/template',
        { to, template: 'hello_world', language: 'en_US', send_at },
        { 'idempotency-key': `wait-${engine}` },
      )
    const answers = await Promise.all([ask(), ask(), ask()])
    const ids = new Set(answers.map(({ body }) => body.data?.message_id))
    expect([answers.map(({ status }) => status), ids.size]).toEqual([[200, 200, 200], 1])
    expect((await waiting()).filter((one: { to: string }) => one.to === to)).toHaveLength(1)
    await world.post(`/v1/chat/messages/${[...ids][0]}/cancel`)
  })

  test('a text may be planned while the window is closed, and fails when it is still closed then', async () => {
    const to = aCustomer()
    const { status, body } = await world.post('/v1/chat/messages/send', { to, message: 'Hi', send_at: inMs(500) })
    expect(status).toBe(200)
    await waitFor(async () => (await statusOf(body.data.message_id)) === 'failed')
    expect(await record(body.data.message_id)).toMatchObject({ error: { code: 'customer_window_closed' }, attempts: 0 })
    expect(await arrivals(to)).toEqual([])
  })

  test('a text with a fallback becomes the template when its time has come', async () => {
    const to = aCustomer()
    const fallback = { template: 'hello_world', language: 'en_US' }
    const { body } = await world.post('/v1/chat/messages/send', { to, message: 'Hi', fallback, send_at: inMs(500) })
    await waitFor(async () => ['sent', 'delivered', 'read'].includes(await statusOf(body.data.message_id)))
    expect(await record(body.data.message_id)).toMatchObject({ type: 'template', used: 'template' })
    expect(await arrivals(to)).toHaveLength(1)
  })

  test('a throttle is waited for, and the message sent once', async () => {
    await world.control('PUT', '/_sandbox/scenario', {
      rules: [{ when: { endpoint: 'messages' }, do: { error: { code: 80_007 } }, count: 1 }],
    })
    const to = aCustomer()
    const { body } = await template({ to, queue: true })
    await waitFor(async () => (await record(body.data.message_id)).waiting_for === 'meta')
    const put = await record(body.data.message_id)
    expect([put.status, put.attempts, await arrivals(to)]).toEqual(['waiting', 1, []])
    // Meta asked for a minute.
    expect(Date.parse(put.next_attempt_at) - Date.now()).toBeGreaterThan(50_000)
    await world.post(`/v1/chat/messages/${body.data.message_id}/cancel`)
  })

  test('an answer that does not exclude a send is never repeated', async () => {
    await fail(131_016)
    const to = aCustomer()
    const { body } = await template({ to, queue: true })
    await waitFor(async () => (await record(body.data.message_id)).outcome === 'unknown')
    expect(await record(body.data.message_id)).toMatchObject({ status: 'queued', attempts: 1, next_attempt_at: null })
  })

  test.each([
    ['send_at', 'yesterday', 'invalid_format'],
    ['send_at', '2020-01-01T00:00:00Z', 'invalid_value'],
    ['send_at', '2099-01-01T00:00:00Z', 'invalid_value'],
  ])('%s %s is refused as %s', async (field, value, code) => {
    const { status, body } = await template({ [field]: value })
    expect([status, body.error.details[0].field, body.error.details[0].code]).toEqual([400, field, code])
  })

  test('valid_for says nothing about a message that does not wait', async () => {
    const { status, body } = await template({ valid_for: 60 })
    expect([status, body.error.details[0].field]).toEqual([400, 'valid_for'])
  })

  test('what could never be sent is refused when it is handed in', async () => {
    const { status, body } = await template({ template: 'nothing_like_it', send_at: inMs(hourMs) })
    expect([status, body.error.code]).toEqual([404, 'template_not_found'])
  })
})
