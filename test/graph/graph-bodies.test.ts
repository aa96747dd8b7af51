import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { png } from '../media/media-samples.ts'
import { aFailingPlatform } from '../support/accept-then-fail.ts'
import { departFromContract } from '../support/contract/violations.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'

type Body = RequestInit['body']

const platform = aFailingPlatform()
let world: GraphWorld
let tool: Tool
let messages: string

beforeAll(async () => {
  world = await aGraphWorld('sqlite', {}, platform.start)
  await world.control('PUT', '/_sandbox/scenario', { throttle: false })
  const scopes = ['messages:send', 'messages:read', 'media:write', 'templates:write', 'profile:write'] as const
  tool = await world.connect({ scopes, options: { repeats: false } })
  messages = `/v20.0/${world.number}/messages`
}, 60_000)
afterAll(() => world?.stop())

async function post(path: string, body: Body, headers: Record<string, string> = {}) {
  const response = await world.fetchGraph(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tool.token}`, ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** What arrived at Meta of a send, without what is the gateway's own in it. */
async function arrived(path: string, body: Body, headers: Record<string, string> = {}) {
  const first = platform.posts.length
  const { status } = await post(path, body, headers)
  const [sent, ...others] = platform.posts.slice(first)
  const { biz_opaque_callback_data: _, ...rest } = sent?.body ?? {}
  return [status, rest, others.length]
}

const said = (to: string, text: unknown) => ({ messaging_product: 'whatsapp', to, type: 'text', text })

function multipart(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

describe('A message', () => {
  const to = '12025550100'
  const json = { 'content-type': 'application/json' }

  test('is the same to Meta in JSON, in both forms, in the fields of PHP and in the address', async () => {
    const message = said(to, { body: 'Hi' })
    const flat = { ...said(to, ''), text: '{"body":"Hi"}' }
    const { text: _, ...around } = message
    const fields = { ...around, 'text[body]': 'Hi' }
    const right = [200, message, 0]
    expect({
      json: await arrived(messages, JSON.stringify(message), json),
      form: await arrived(messages, new URLSearchParams(flat)),
      multipart: await arrived(messages, multipart(flat)),
      'form of PHP': await arrived(messages, new URLSearchParams(fields)),
      'multipart of PHP': await arrived(messages, multipart(fields)),
      address: await arrived(`${messages}?${new URLSearchParams(flat)}`, undefined),
      'address and body': await arrived(`${messages}?messaging_product=whatsapp`, JSON.stringify(message), json),
    }).toEqual({
      json: right,
      form: right,
      multipart: right,
      'form of PHP': right,
      'multipart of PHP': right,
      address: right,
      'address and body': right,
    })
  })

  test('keeps the lists in the fields of PHP', async () => {
    const fields = {
      messaging_product: 'whatsapp',
      to,
      type: 'interactive',
      'interactive[type]': 'button',
      'interactive[body][text]': 'Which?',
      'interactive[action][buttons][0][type]': 'reply',
      'interactive[action][buttons][0][reply][id]': 'a',
      'interactive[action][buttons][0][reply][title]': 'A',
      'interactive[action][buttons][][type]': 'reply',
      'interactive[action][buttons][1][reply][id]': 'b',
      'interactive[action][buttons][1][reply][title]': 'B',
    }
    const buttons = ['a', 'b'].map((id) => ({ type: 'reply', reply: { id, title: id.toUpperCase() } }))
    expect(await arrived(messages, new URLSearchParams(fields))).toEqual([
      200,
      {
        messaging_product: 'whatsapp',
        to,
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'Which?' }, action: { buttons } },
      },
      0,
    ])
  })

  test('takes no token, proof or trick along to Meta', async () => {
    const message = said(to, { body: 'Hi' })
    for (const token of [tool.token, 'EAAforeign']) {
      const beside = { ...message, access_token: token, appsecret_proof: 'abc' }
      expect(await arrived(messages, JSON.stringify(beside), json)).toEqual([200, message, 0])
    }
    for (const name of ['method', 'batch', 'ids', 'callback', 'debug']) {
      const inBody = JSON.stringify({ ...message, [name]: 'x' })
      expect(await arrived(messages, inBody, json)).toEqual([400, {}, 0])
      expect(await arrived(`${messages}?${name}=x`, JSON.stringify(message), json)).toEqual([400, {}, 0])
    }
  })

  test('without a body, or with one that cannot be read, is a mistake of the client', async () => {
    const codeOf = async (body: Body, headers?: Record<string, string>) => {
      const answer = await post(messages, body, headers)
      return [answer.status, answer.body.error.code]
    }
    const form = { 'content-type': 'multipart/form-data; boundary=x' }
    const file = new FormData()
    file.append('file', new Blob(['x']), 'a.txt')
    expect([
      await codeOf(undefined),
      await codeOf('', json),
      await codeOf('--x\r\nbroken', form),
      await codeOf('', { 'content-type': 'multipart/form-data' }),
      await codeOf(file),
      await codeOf(new URLSearchParams({ to: 'a\u0000b' })),
      await codeOf(new URLSearchParams({ [`a${'[b]'.repeat(30_000)}`]: 'x' })),
    ]).toEqual([
      [400, 131_008],
      [400, 131_008],
      [400, 100],
      [400, 100],
      [400, 100],
      [400, 100],
      [400, 131_008],
    ])
  })

  test('has a recipient however the digits are grouped, and an address with a slash too many', async () => {
    departFromContract(/./)
    for (const written of ['1 202 555 0100', '1-202-555-0100', '12025550100 ', 12_025_550_100]) {
      const message = { ...said(to, { body: 'Hi' }), to: written }
      expect(await arrived(`/${messages}/`, JSON.stringify(message), json)).toEqual([200, message, 0])
    }
  })

  test('that stands in a text is known for what it is', async () => {
    departFromContract(/./)
    const template = JSON.stringify({ name: 'hello_world', language: { code: 'en_US' } })
    const message = { messaging_product: 'whatsapp', to: '12025559998', type: 'template', template }
    expect((await post(messages, JSON.stringify(message), json)).status).toBe(200)
    const { body } = await world.get('/v1/chat/messages?limit=1')
    expect([body.data.messages[0].type, body.data.messages[0].template]).toEqual(['template', 'hello_world'])
  })

  test('is not taken from the page of another site', async () => {
    const crossSite = { ...json, 'sec-fetch-site': 'cross-site' }
    const answer = await world.call('POST', `/graph${messages}`, {
      body: said(to, { body: 'Hi' }),
      headers: crossSite,
      token: tool.token,
    })
    expect([answer.status, answer.body.error.code]).toEqual([403, 10])
  })
})

describe('Every other call', () => {
  test('takes its parameters from forms and from the address', async () => {
    const profile = `/${world.number}/whatsapp_business_profile`
    const about = { messaging_product: 'whatsapp', about: 'Open until six' }
    expect((await post(profile, multipart(about))).body).toEqual({ success: true })
    expect((await post(`${profile}?${new URLSearchParams(about)}`, undefined)).body).toEqual({ success: true })
    const template = { name: 'in_a_form', language: 'en_US', category: 'UTILITY' }
    const components = '[{"type":"BODY","text":"Hello to you"}]'
    const made = await post(`/${world.waba}/message_templates`, multipart({ ...template, components }))
    expect([made.status, made.body.status]).toEqual([200, 'PENDING'])
  })

  test('takes the tokens of tools and apps from multipart forms', async () => {
    const { row } = await requireConnection(world.service.rt, world.accountId, tool.row.id)
    const { appId, appSecret } = openConnection(world.service.rt, row)
    const without = { authorization: '' }
    const registered = await post(`/${world.number}/register`, multipart({ access_token: tool.token }), without)
    expect(registered.body).toEqual({ success: true })
    const credentials = { client_id: appId, client_secret: appSecret, grant_type: 'client_credentials' }
    const exchanged = await post('/oauth/access_token', multipart(credentials), without)
    expect(exchanged.body.access_token).toBe(`${appId}|${appSecret}`)
    const subscription = { callback_url: 'http://tool.invalid/', access_token: `${appId}|${appSecret}` }
    for (const app of [appId, 'app']) {
      const answer = await post(`/${app}/subscriptions`, multipart(subscription), without)
      expect([app, answer.status, answer.body.error.code]).not.toEqual([app, 401, 190])
    }
  })

  test('of a file is understood where its type is only a word', async () => {
    const form = multipart({ messaging_product: 'whatsapp', type: 'image' })
    form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
    expect((await post(`/${world.number}/media`, form)).body).toEqual({ id: expect.any(String) })
  })
})
