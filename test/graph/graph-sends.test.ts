import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import {
  addConnection,
  changeOptions,
  deleteConnection,
  requireConnection,
  rotateToken,
} from '../../server/src/connections/change-connection.ts'
import type { ConnectionOptions } from '../../server/src/contract/connections.ts'
import { aFailingPlatform } from '../support/accept-then-fail.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const later = 600_000
const untold = { sent_ms: later, delivered_ms: later, read_ms: later }
type Tool = Awaited<ReturnType<typeof addConnection>>

describe.each(engines)('sends in the dialect of Meta, on %s', { timeout: 60_000 }, (engine) => {
  const platform = aFailingPlatform()
  let world: World
  let tool: Tool
  let number: string
  let serial = 0
  const anyPhone = () => `+1202555${String(2_000 + serial++)}`
  const by = { actor: operator }

  const connect = (options: Partial<ConnectionOptions> = {}) =>
    addConnection(world.service.rt, {
      ...by,
      accountId: world.accountId,
      name: 'Help desk',
      tool: 'generic',
      options,
      createdBy: '',
    })
  const stored = ({ row }: Tool) => requireConnection(world.service.rt, world.accountId, row.id)
  const call = (method: string, path: string, body?: unknown, { token }: { token: string } = tool) =>
    world.call(method, `/graph${path}`, { body, token })
  const post = (body: unknown, from: { token: string } = tool) => call('POST', `/v26.0/${number}/messages`, body, from)
  const text = (to: string, said = 'Hello') => ({
    messaging_product: 'whatsapp',
    to,
    type: 'text',
    text: { body: said },
  })
  /** Bodies that reached Meta. */
  const posts = (to: string) => platform.posts.filter((one) => one.to === to).map(({ body }) => body)
  const recordOf = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const idOf = ({ body }: Answer): string => body.messages[0].id
  const writes = async (from: string) => {
    await world.control('POST', '/_sandbox/inbound', { from, text: 'Hi' })
    await waitFor(
      async () => (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(from)}`)).body.data.messages[0],
      10_000,
    )
  }

  beforeAll(async () => {
    // As in the product: how soon a status is applied depends on how busy the machine is.
    world = await aWorld(engine, { POSTERN_SEND_SETTLE_WAIT_MS: '5000' }, platform.start)
    tool = await connect()
    const { body } = await world.control('GET', '/_sandbox')
    number = body.numbers[0].phone_number_id
  })
  afterAll(() => world.stop())

  test('are answered as Meta answers, and stored as what they are', async () => {
    const answer = await post(text(world.customer, 'Your parcel is here'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: world.customer, wa_id: world.customer.slice(1) }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    })
    const record = await recordOf(idOf(answer))
    expect(record).toMatchObject({ type: 'text', to: world.customer, content: { text: 'Your parcel is here' } })
  })

  test('take every version, none, and a slash at the end', async () => {
    for (const path of [`/v13.0/${number}/messages`, `/${number}/messages`, `/v26.0/${number}/messages/`]) {
      expect([path, (await call('POST', path, text(world.customer, path))).status]).toEqual([path, 200])
    }
  })

  test('take the token in the address too, and no token of /v1', async () => {
    const path = `/graph/${number}/messages?access_token=${tool.token}`
    const open = await world.call('POST', path, { body: text(world.customer, 'by query'), headers: {}, token: 'none' })
    expect(open.status).toBe(401)
    const byQuery = await fetch(`${world.service.urls.base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(text(world.customer, 'by query')),
    })
    expect(byQuery.status).toBe(200)
    expect((await post(text(world.customer), { token: world.token })).body.error.code).toBe(190)
    const underV1 = await world.get('/v1/auth/me', tool.token)
    expect([underV1.status, underV1.body.error.code]).toEqual([401, 'api_key_not_accepted'])
    expect(world.logLines.filter((line) => line.includes(tool.token))).toEqual([])
  })

  test('of a kind that is not known here are sent as they came, and shown with Meta’s words', async () => {
    const to = anyPhone()
    await writes(to)
    const action = { name: 'voice_call', parameters: { display_text: 'Call' } }
    const interactive = { type: 'voice_call', body: { text: 'Call us' }, action }
    const asked = { messaging_product: 'whatsapp', to, type: 'interactive', interactive }
    const answer = await post(asked)
    expect(posts(to)).toEqual([{ ...asked, biz_opaque_callback_data: expect.stringMatching(/^out_/) }])
    expect(answer.status).toBe(200)
    const { meta_type, meta } = (await recordOf(idOf(answer))).content
    expect([meta_type, meta]).toEqual(['interactive.voice_call', asked.interactive])
  })

  test('outside the window are rejected before Meta is asked, unless Meta is to decide', async () => {
    const to = anyPhone()
    const refused = await post(text(to))
    expect([refused.status, refused.body.error.code]).toEqual([400, 131_047])
    expect(posts(to)).toEqual([])
    await post(text(to), await connect({ window: 'meta' }))
    expect(posts(to)).toHaveLength(1)
  })

  test('to a number that is not the connection’s look like those to no number', async () => {
    const nobody = await call('POST', '/v26.0/999999999999999/messages', text(world.customer))
    expect([nobody.status, nobody.body.error.code, nobody.body.error.error_subcode]).toEqual([400, 100, 33])
    const nothing = await call('POST', `/v26.0/${number}/deregister`, {})
    expect(nothing.body.error).toMatchObject({ code: 100, error_subcode: 33 })
  })

  test('to a group are rejected with a sentence, and nothing is sent', async () => {
    const group = { ...text('Y2FwaV9ncm91cDoxNTU1MDc4'), recipient_type: 'group' }
    const { status, body } = await post(group)
    expect([status, body.error.code]).toEqual([400, 131_009])
    expect(JSON.stringify(body)).toContain('Messages to groups are not sent by this gateway')
  })

  test('give Meta’s refusal as it came', async () => {
    const to = anyPhone()
    await writes(to)
    await world.control('POST', '/_sandbox/rules', {
      when: { endpoint: 'messages', to },
      do: { error: { code: 131_026 } },
    })
    const answer = await post(text(to))
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 131_026, fbtrace_id: expect.any(String) })
    expect(answer.body.error.fbtrace_id).not.toMatch(/^req_/)
  })

  test('that Meta accepts and then fails are a success with an alias, once, and the statuses settle them', async () => {
    const to = anyPhone()
    await writes(to)
    await world.control('PUT', '/_sandbox/scenario', { delays: untold })
    platform.faults.set(to, { code: 131_016, status: 500 })
    const answer = await post(text(to))
    expect([answer.status, idOf(answer)]).toEqual([200, expect.stringMatching(/^wamid\.PTN/)])
    expect(posts(to)).toHaveLength(1)
    const ownId = posts(to)[0]?.biz_opaque_callback_data as string
    expect(await recordOf(ownId)).toMatchObject({ status: 'queued', outcome: 'unknown' })
    await world.control('POST', '/_sandbox/clock', { advance_ms: later })
    await waitFor(async () => (await recordOf(ownId)).status !== 'queued', 10_000)
    expect(posts(to)).toHaveLength(1)
    // Meta is well again: the next answer does not have to wait for a status.
    platform.faults.delete(to)
    const quoting = { ...text(to, 'As I said'), context: { message_id: idOf(answer) } }
    expect((await post(quoting)).status).toBe(200)
    const { message_id: wamid } = await recordOf(ownId)
    expect(posts(to)[1]).toMatchObject({ context: { message_id: wamid } })
    expect(wamid).not.toBe(idOf(answer))
  })

  test('that Meta answers late are answered before the client leaves, and sent once', async () => {
    const to = anyPhone()
    await writes(to)
    const rules = [{ when: { endpoint: 'messages', to }, do: { delay_ms: 6_000 } }]
    await world.control('PUT', '/_sandbox/scenario', { rules, delays: untold })
    const answer = await post(text(to))
    expect(idOf(answer)).toMatch(/^wamid\.PTN/)
    await waitFor(() => posts(to).length > 0, 10_000)
    const ownId = posts(to)[0]?.biz_opaque_callback_data as string
    await waitFor(async () => (await recordOf(ownId)).status === 'sent', 10_000)
    expect(posts(to)).toHaveLength(1)
  })

  test('that a status names before Meta answers have Meta’s id', async () => {
    const to = anyPhone()
    await writes(to)
    const rules = [{ when: { endpoint: 'messages', to }, do: { statuses_before_answer: true } }]
    await world.control('PUT', '/_sandbox/scenario', { rules })
    platform.faults.set(to, 'cut')
    const answer = await post(text(to))
    expect([answer.status, idOf(answer)]).toEqual([200, expect.not.stringMatching(/^wamid\.PTN/)])
    expect(await recordOf(idOf(answer))).toMatchObject({ to })
    expect(posts(to)).toHaveLength(1)
  })

  test('whose client went away without an answer are found by its repeat', async () => {
    const to = anyPhone()
    await writes(to)
    await world.control('PUT', '/_sandbox/scenario', {
      rules: [{ when: { endpoint: 'messages', to }, do: { delay_ms: 1_000 } }],
    })
    const leaving = new AbortController()
    const left = fetch(`${world.service.urls.base}/graph/v26.0/${number}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tool.token}` },
      body: JSON.stringify(text(to, 'once')),
      signal: leaving.signal,
    }).catch((error: Error) => error.name)
    await waitFor(
      async () =>
        (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(to)}&direction=outbound`)).body.data
          .messages[0],
      10_000,
    )
    leaving.abort()
    expect(await left).toBe('AbortError')
    const again = await post(text(to, 'once'))
    expect([again.status, posts(to).length]).toEqual([200, 1])
  })

  test('with equal words within a minute are repeats until the customer writes, or where the connection says so', async () => {
    const to = anyPhone()
    await writes(to)
    const first = await post(text(to, 'Which size?'))
    const second = await post(text(to, 'Which size?'))
    expect([idOf(second), second.headers.get('idempotent-replayed')]).toEqual([idOf(first), 'true'])
    expect(posts(to)).toHaveLength(1)
    const inboundOf = async () =>
      (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(to)}&direction=inbound`)).body.data.messages
        .length
    await world.control('POST', '/_sandbox/inbound', { from: to, text: 'a size that nobody has' })
    await waitFor(async () => (await inboundOf()) === 2, 10_000)
    const asked = await post(text(to, 'Which size?'))
    expect([idOf(asked) === idOf(first), asked.headers.get('idempotent-replayed')]).toEqual([false, null])
    expect(idOf(await post(text(to, 'Which size?')))).toBe(idOf(asked))
    expect(posts(to)).toHaveLength(2)
    const other = await connect({ repeat_window: 0 })
    const ids = new Set<string>()
    for (let time = 0; time < 3; time++) ids.add(idOf(await post(text(to, 'ok'), other)))
    expect(ids.size).toBe(3)
  })

  test('that were rejected, and reactions, are tried again at once', async () => {
    const to = anyPhone()
    await writes(to)
    await world.control('POST', '/_sandbox/rules', {
      when: { endpoint: 'messages', to },
      count: 1,
      do: { error: { code: 131_026 } },
    })
    expect((await post(text(to, 'now?'))).status).toBe(400)
    expect((await post(text(to, 'now?'))).status).toBe(200)
    const [{ message_id }] = (
      await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(to)}&direction=inbound`)
    ).body.data.messages
    const react = (emoji: string) =>
      post({ messaging_product: 'whatsapp', to, type: 'reaction', reaction: { message_id, emoji } })
    for (const emoji of ['👍', '', '👍']) expect((await react(emoji)).headers.get('idempotent-replayed')).toBe(null)
    expect(posts(to)).toHaveLength(5)
  })

  test('with equal words at the same moment are one message, or two where the connection says so', async () => {
    const to = anyPhone()
    await writes(to)
    const [one, two] = await Promise.all([post(text(to, 'same')), post(text(to, 'same'))])
    expect(idOf(one)).toBe(idOf(two))
    expect(posts(to)).toHaveLength(1)
    const other = await connect({ repeats: false })
    const both = await Promise.all([post(text(to, 'twice'), other), post(text(to, 'twice'), other)])
    expect(new Set(both.map(idOf)).size).toBe(2)
  })

  test('end with the token: rotated it overlaps, deleted it is gone', async () => {
    const own = await connect()
    const rotated = await rotateToken(world.service.rt, await stored(own), by)
    expect((await post(text(world.customer, 'new'), rotated)).status).toBe(200)
    expect((await post(text(world.customer, 'old'), own)).status).toBe(200)
    await changeOptions(world.service.rt, await stored(own), { window: 'meta' }, by)
    await deleteConnection(world.service.rt, await stored(own), by)
    const ended = await post(text(world.customer, 'ended'), rotated)
    expect([ended.status, ended.body.error.code]).toEqual([401, 190])
  })
})
