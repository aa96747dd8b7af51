import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import {
  pauseCallback,
  removeCallback,
  resumeCallback,
  setCallback,
  verifyCallback,
} from '../../server/src/connections/callback-address.ts'
import {
  addConnection,
  deleteConnection,
  prepareAppSecret,
  requireConnection,
  switchAppSecret,
} from '../../server/src/connections/change-connection.ts'
import { describeConnection, openConnection } from '../../server/src/connections/connection.ts'
import type { ConnectionOptions } from '../../server/src/contract/connections.ts'
import { listConnections } from '../../server/src/store/connections/connections.ts'
import { listDeliveries } from '../../server/src/webhooks/replay/list-deliveries.ts'
import { replayDeliveries } from '../../server/src/webhooks/replay/replay-deliveries.ts'
import { engines } from '../support/postgres/databases.ts'
import { type GraphTool, type HandshakeForm, startGraphTool } from '../support/receiver/graph-tool.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Made = Awaited<ReturnType<typeof addConnection>>
type Connected = { made: Made; tool: GraphTool }
const verifyToken = 'the-verify-token'
const by = { actor: operator }
const codeParts = [
  { type: 'body', add_security_recommendation: true },
  { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code' }] },
]

describe.each(engines)('tools that get callbacks, on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  let number: string
  let serial = 0
  const all: Connected[] = []
  const secrets: string[] = []
  const soon = (predicate: () => boolean | Promise<boolean>) => waitFor(predicate, 20_000)
  const stored = ({ made }: Connected) => requireConnection(world.service.rt, world.accountId, made.row.id)
  const anyPhone = () => `+1202555${String(4_000 + serial++)}`

  const connect = async (options: Partial<ConnectionOptions> = {}): Promise<Connected> => {
    const { rt } = world.service
    const made = await addConnection(rt, {
      ...by,
      accountId: world.accountId,
      name: 'Tool',
      tool: 'generic',
      options,
      createdBy: '',
    })
    const current = async () => openConnection(rt, (await requireConnection(rt, world.accountId, made.row.id)).row)
    let secret = (await current()).appSecret
    secrets.push(secret, made.token)
    const tool = await startGraphTool({ verifyToken, appSecret: () => secret })
    const connected = { made, tool }
    all.push(connected)
    return Object.assign(connected, {
      async refresh() {
        secret = (await current()).appSecret
      },
    })
  }
  const callback = async (connected: Connected) =>
    setCallback(world.service.rt, await stored(connected), { url: connected.tool.url, verifyToken }, by)
  const listening = async (options: Partial<ConnectionOptions> = {}) => {
    const connected = await connect(options)
    const address = { url: connected.tool.url, verifyToken }
    await setCallback(world.service.rt, await stored(connected), address, { ...by, waive: true })
    return connected
  }
  const send = (to: string, said: object, { made }: Connected): Promise<Answer> =>
    world.call('POST', `/graph/v26.0/${number}/messages`, {
      body: { messaging_product: 'whatsapp', to, ...said },
      token: made.token,
    })
  const text = (body: string) => ({ type: 'text', text: { body } })
  const writes = (from: string, said = 'Hi') => world.control('POST', '/_sandbox/inbound', { from, text: said })
  const idOf = ({ body }: Answer): string => body.messages[0].id
  const statuses = ({ tool }: Connected, id: string) =>
    tool.items().flatMap(({ item }) => (item.id === id && item.status ? [item] : []))

  beforeAll(async () => {
    world = await aWorld(engine, { POSTERN_RELAY_ALLOW: 'localhost' })
    const { body } = await world.control('GET', '/_sandbox')
    number = body.numbers[0].phone_number_id
    secrets.push(body.numbers[0].access_token, body.numbers[0].app_secret, verifyToken)
  })
  afterEach(async () => {
    const rows = await world.service.rt.store.read(listConnections, { account_id: world.accountId })
    for (const { id } of rows) {
      await deleteConnection(world.service.rt, await requireConnection(world.service.rt, world.accountId, id), by)
    }
  })
  afterAll(async () => {
    for (const { tool } of all) {
      expect(tool.requests.filter(({ isSigned }) => !isSigned)).toEqual([])
      const texts = tool.requests.map((one) => JSON.stringify([one.text, one.headers]))
      for (const secret of secrets) expect(texts.filter((one) => one.includes(secret))).toEqual([])
      await tool.close()
    }
    for (const secret of secrets) expect(world.logLines.filter((line) => line.includes(secret))).toEqual([])
    await world.stop()
  })

  test('what a customer writes reaches each of them, as Meta said it', async () => {
    const [first, second] = [await listening(), await listening()]
    const from = anyPhone()
    await writes(from, 'Is it ready?')
    for (const { tool } of [first, second]) {
      await soon(() => tool.items().length === 1)
      expect(tool.items()[0]).toMatchObject({
        field: 'messages',
        item: { from: from.slice(1), text: { body: 'Is it ready?' } },
      })
      expect(tool.requests[0]?.body.object).toBe('whatsapp_business_account')
      expect(tool.requests[0]?.headers['content-type']).toBe('application/json')
    }
  })

  test('statuses come back to the tool that sent the message, with its own data, and not to others', async () => {
    const [own, other, every] = [await listening(), await listening(), await listening({ statuses: 'all' })]
    const answer = await send(world.customer, { ...text('Mine'), biz_opaque_callback_data: 'ticket 7' }, own)
    const id = idOf(answer)
    await soon(() => statuses(own, id).length >= 2 && statuses(every, id).length >= 2)
    expect(statuses(own, id)[0]).toMatchObject({ biz_opaque_callback_data: 'ticket 7' })
    expect(statuses(every, id)[0]).not.toHaveProperty('biz_opaque_callback_data')
    const by1 = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Not yours' })
    const v1Id: string = by1.body.data.message_id
    await soon(() => statuses(every, v1Id).length >= 2)
    expect([statuses(own, v1Id), statuses(other, id), statuses(other, v1Id)]).toEqual([[], [], []])
  })

  test('what others send is shown as an echo, never to its sender, and codes without their digits', async () => {
    const draft = { name: 'login_code', language: 'en_US', category: 'authentication', components: codeParts }
    await world.post('/v1/chat/templates', draft)
    await soon(async () => {
      const { body } = await world.get('/v1/chat/templates?name=login_code')
      return body.data.templates[0]?.status === 'approved'
    })
    const watching = await listening({ echoes: 'others' })
    const sender = await listening({ echoes: 'others' })
    const answer = await send(world.customer, text('From the bot'), sender)
    await soon(() => watching.tool.items().some(({ field }) => field === 'smb_message_echoes'))
    const echoes = ({ tool }: Connected) => tool.items().filter(({ field }) => field === 'smb_message_echoes')
    expect(echoes(watching)[0]?.item).toMatchObject({
      id: idOf(answer),
      to: world.customer.slice(1),
      type: 'text',
      text: { body: 'From the bot' },
    })
    expect(echoes(watching)[0]?.item).not.toHaveProperty('biz_opaque_callback_data')
    const components = [{ type: 'body', parameters: [{ type: 'text', text: '424242' }] }]
    const template = { name: 'login_code', language: 'en_US' }
    const wanted = { to: world.customer, template: template.name, language: template.language, components }
    const code = await world.post('/v1/chat/messages/template', wanted)
    expect(code.status, JSON.stringify(code.body)).toBe(200)
    await soon(() => echoes(watching).length >= 2 && echoes(sender).length >= 1)
    expect(echoes(watching)[1]?.item.template).toEqual({ name: template.name, language: { code: template.language } })
    expect(echoes(sender).map(({ item }) => item.id)).toEqual([code.body.data.message_id])
    expect(
      [...watching.tool.requests, ...sender.tool.requests].filter(({ text: sent }) => sent.includes('424242')),
    ).toEqual([])
  })

  test.each<[HandshakeForm, boolean]>([
    ['bare', true],
    ['quoted', true],
    ['number', true],
    ['wrong', false],
    ['forbidden', false],
    ['redirect', false],
  ])('a handshake that is answered %s: %s', async (form, isRight) => {
    const connected = await connect()
    connected.tool.answerHandshake(form)
    const set = await callback(connected)
    expect([set.verified, set.problem === null, connected.tool.handshakes]).toEqual([isRight, isRight, [verifyToken]])
    const { callback: shown } = await describeConnection(world.service.rt, await stored(connected))
    expect(shown?.state).toBe(isRight ? 'active' : 'unverified')
    await writes(anyPhone(), form)
    if (isRight) await soon(() => connected.tool.requests.length === 1)
    else {
      const check = await listening()
      await writes(anyPhone(), form)
      await soon(() => check.tool.requests.length === 1)
      expect(connected.tool.requests).toEqual([])
      connected.tool.answerHandshake('bare')
      await verifyCallback(world.service.rt, await stored(connected), by)
      await writes(anyPhone(), form)
      await soon(() => connected.tool.requests.length === 1)
      await removeCallback(world.service.rt, await stored(check), by)
    }
    await removeCallback(world.service.rt, await stored(connected), by)
  })

  test('an address that proved itself is not asked again for the same verify token', async () => {
    const connected = await connect()
    await callback(connected)
    await callback(connected)
    expect(connected.tool.handshakes).toHaveLength(1)
  })

  test('a paused tool can catch up', async () => {
    const { rt } = world.service
    const connected = await listening()
    await pauseCallback(rt, await stored(connected), by)
    const since = new Date(rt.clock.now() - 1_000).toISOString()
    await writes(anyPhone(), 'While you were away')
    const relayId = (await stored(connected)).row.relay_id ?? ''
    const listed = async () => (await listDeliveries(rt, world.accountId, relayId, {})).deliveries
    await soon(async () => (await listed()).some(({ status }) => status === 'skipped'))
    await resumeCallback(rt, await stored(connected), by)
    await replayDeliveries(rt, world.accountId, relayId, { since })
    await soon(() => connected.tool.items().length === 1)
    expect(connected.tool.items()[0]?.item).toMatchObject({ text: { body: 'While you were away' } })
  })

  test('the prepared secret signs from the switch on, and a deleted connection hears nothing more', async () => {
    const { rt } = world.service
    const connected = await listening()
    secrets.push(await prepareAppSecret(rt, await stored(connected), by))
    await switchAppSecret(rt, await stored(connected), by)
    await (connected as Connected & { refresh(): Promise<void> }).refresh()
    await writes(anyPhone())
    await soon(() => connected.tool.requests.length === 1)
    await deleteConnection(rt, await stored(connected), by)
    const after = await listening()
    await writes(anyPhone())
    await soon(() => after.tool.requests.length === 1)
    expect(connected.tool.requests).toHaveLength(1)
  })

  test('the webhooks of the API are not mixed with it', async () => {
    await listening()
    expect((await world.get('/v1/webhooks')).body.data.webhooks).toEqual([])
    const { row } = await stored(all.at(-1) as Connected)
    expect((await world.get(`/v1/webhooks/${row.relay_id}`)).status).toBe(404)
    expect((await world.call('DELETE', `/v1/webhooks/${row.relay_id}`)).status).toBe(404)
  })

  test.each([
    'http://tool.test/webhook',
    'https://10.0.0.8/webhook',
    'https://169.254.169.254/latest',
    'https://tool.internal/webhook',
    'https://user:pass@tool.test/',
    'https://[fd00::1]/webhook',
  ])('an address that leads into a private network is rejected: %s', async (url) => {
    const connected = await connect()
    const set = setCallback(world.service.rt, await stored(connected), { url, verifyToken }, by)
    await expect(set).rejects.toMatchObject({ code: 'webhook_url_not_allowed' })
    expect((await stored(connected)).row.relay_id).toBeNull()
  })
})
