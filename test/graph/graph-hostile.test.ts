import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import { ownCalls, passedCalls } from '../../server/src/http/graph/call-table.ts'
import { departFromContract } from '../support/contract/violations.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { scaled } from '../support/proof.ts'

let world: GraphWorld
let tool: Tool
let appToken: string
let appId: string
beforeAll(async () => {
  world = await aGraphWorld('sqlite')
  tool = await world.connect({ tool: 'pywa', options: { hosts: ['*'], max_per_minute: null } })
  const { row } = await requireConnection(world.service.rt, world.accountId, tool.row.id)
  const opened = openConnection(world.service.rt, row)
  appId = opened.appId
  appToken = `${appId}|${opened.appSecret}`
}, 60_000)
afterAll(() => world?.stop())

/** The same numbers in every run. */
function seeded(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return {
    below: (count: number) => Math.floor(next() * count),
    of: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
  }
}

const pieces = [
  'v21.0',
  'v999.9',
  'v1',
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '',
  'messages',
  'media',
  'subscriptions',
  'me',
  'register',
  'uploads',
  'upload:abc',
  'debug_token',
  'oauth',
  'access_token',
  'message_templates',
  'a'.repeat(1_100),
  '🙂',
  '{id}',
  '1,2',
  '0',
  '-1',
  '%',
  "'",
  'assigned_users',
  'subscribed_apps',
]
const queries = [
  '',
  '?fields=id',
  '?fields[]=a&fields[]=b',
  '?access_token=a&access_token=b',
  '?ids=1,2',
  '?method=delete',
  '?limit=-1',
  '?fields=a{b}',
  '?%',
  '?__proto__[a]=b',
  '?input_token=x',
]
const bodies = [
  '{}',
  '[]',
  'null',
  '"text"',
  '7',
  '{"a":',
  '\\u0000',
  '{"__proto__":{"a":1}}',
  '{"messaging_product":"whatsapp","to":{"a":1},"type":[]}',
  `{"to":"${'9'.repeat(500)}"}`,
  '[['.repeat(2_000),
  '{"status":"read","message_id":{}}',
  '{"webhook_configuration":"{\\"override_callback_uri\\":7}"}',
  'a=b&c',
  '--x',
]
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/json; charset=utf-7',
  '',
]

test('whatever is asked, the answer is JSON in Meta’s shape, and never a failure of the gateway', async () => {
  departFromContract(/./)
  const random = seeded(20_261_118)
  const wrong: unknown[] = []
  for (let nth = 0; nth < scaled(400); nth++) {
    const ids = [world.number, world.waba, appId, '999999999999999']
    const path = Array.from({ length: 1 + random.below(4) }, () => random.of([...pieces, ...ids])).join('/')
    const method = random.of(['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])
    const type = random.of(types)
    const token = random.of([tool.token, tool.token, tool.token, '', 'ptg_x', appToken, 'a'.repeat(9_000)])
    const asked = `${method} /${path}${random.of(queries)}`
    const response = await world.fetchGraph(`/${path}${asked.slice(asked.indexOf(path) + path.length)}`, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(type && { 'content-type': type }) },
      ...(method !== 'GET' && { body: random.of(bodies) }),
    })
    const text = await response.text()
    const answer = parsed(text)
    const isError = typeof answer?.error?.code === 'number' && typeof answer.error.message === 'string'
    // Below another address than /graph the rules of the rest hold.
    const isBelow = new URL(response.url).pathname.startsWith('/graph')
    if (isBelow && (response.status >= 500 || (response.status >= 400 && !isError) || answer === null)) {
      wrong.push({ asked: asked.slice(0, 200), type, status: response.status, text: text.slice(0, 200) })
    }
  }
  expect(wrong).toEqual([])
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: whatever came back
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

test('no subscription leads into the network of the gateway', async () => {
  let connections = 0
  const server = createServer(() => connections++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const inside = [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://localhost:${port}/`,
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://10.0.0.1/',
    `https://0x7f000001:${port}/`,
    `https://2130706433:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    'https://user:secret@tool.invalid/',
    'ftp://tool.invalid/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
  ]
  for (const url of inside) {
    const query = new URLSearchParams({
      access_token: appToken,
      object: 'whatsapp_business_account',
      callback_url: url,
      verify_token: 'v',
    })
    const answer = await world.fetchGraph(`/v21.0/${appId}/subscriptions?${query}`, { method: 'POST' })
    const { error } = (await answer.json()) as { error?: { code: number } }
    expect([url, answer.status, error?.code]).toEqual([url, 400, expect.any(Number)])
  }
  // Ten addresses a minute are asked, so the other way gets one of them.
  const configuration = { override_callback_uri: 'https://169.254.169.254/', verify_token: 'v' }
  const body = { webhook_configuration: configuration }
  expect((await world.graph('POST', `/v21.0/${world.number}`, body, tool)).status).toBe(400)
  const shown = await world.graph('GET', `/v21.0/${world.waba}/subscribed_apps`, undefined, tool)
  expect(JSON.stringify(shown.body)).not.toContain('override_callback_uri')
  server.close()
  expect(connections).toBe(0)
})

test('ids of another account are those of nobody, on every route', async () => {
  const stranger = await world.connectStranger()
  const { data } = (await world.graph('GET', `/${world.waba}/message_templates?fields=id&limit=1`)).body
  const own = Object.values(ownCalls).map(({ path }) => `POST ${path.replace(/` with `.*/, '')}`)
  const edges = new Set(
    [...Object.keys(passedCalls), ...own].map((call) =>
      call.replace(/^\w+ (?:\{[\w ]+\})?\/?/, '/').replace(/\{.*/, 'x'),
    ),
  )
  const sent = {
    messaging_product: 'whatsapp',
    to: world.customer,
    type: 'text',
    text: { body: 'x' },
    webhook_configuration: { override_callback_uri: 'https://tool.test/', verify_token: 'v' },
  }
  for (const edge of edges) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const told = async (id: string) => {
        const body = method === 'GET' ? undefined : sent
        const { status, body: answer } = await world.graph(method, `/v21.0/${id}${edge}`, body, stranger)
        const { code, error_subcode: subcode, message } = answer.error ?? {}
        return [method, edge, status, code, subcode, message]
      }
      const nobody = await told('999999999999999')
      expect(nobody).toEqual([
        method,
        edge,
        expect.toBeOneOf([400, 401, 403]),
        expect.any(Number),
        nobody[4],
        nobody[5],
      ])
      for (const id of [world.number, world.waba, appId, data[0].id]) expect(await told(id)).toEqual(nobody)
    }
  }
})

test('a token works in the places where tools put it, and in no other', async () => {
  const { token } = tool
  const { apiKey, apiSecret } = world
  const basic = (name: string, word: string) => `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`
  const path = `/v21.0/${world.number}`
  const tried = async (at: string, authorization?: string, init: RequestInit = {}) => {
    const headers = { ...(authorization !== undefined && { authorization }), ...init.headers }
    return (await world.fetchGraph(at, { ...init, headers })).status
  }
  const inBody = (type: string, body: string) => ({ method: 'POST', body, headers: { 'content-type': type } })
  const inForm = (body: string) => inBody('application/x-www-form-urlencoded', body)
  expect([
    await tried(path, `Bearer ${token}`),
    await tried(path, `bearer  ${token} `),
    await tried(path, `OAuth ${token}`),
    await tried(`${path}?access_token=${token}`),
    await tried(`${path}?access_token=${token}`, basic('any', 'thing')),
    await tried(`${path}/register`, undefined, inForm(`pin=123456&access_token=${token}`)),
    await tried(`${path}/register`, `Bearer ${token}`, inForm('pin=123456&access_token=ptg_x')),
  ]).toEqual([200, 200, 200, 200, 200, 200, 200])
  const others = {
    nowhere: await tried(path),
    'without a scheme': await tried(path, token),
    'as the name of a pair': await tried(path, basic(token, '')),
    'as the word of a pair': await tried(path, basic('', token)),
    'key and secret of /v1': await tried(path, basic(apiKey, apiSecret)),
    'a token of /v1': await tried(path, `Bearer ${world.token}`),
    'a wrong one in the header before the right one in the address': await tried(
      `${path}?access_token=${token}`,
      'Bearer ptg_x',
    ),
    'twice in the address': await tried(`${path}?access_token=${token}&access_token=${token}`),
    'under another name': await tried(`${path}?token=${token}`),
    'in the path': await tried(`/${token}/${world.number}`),
    'in a cookie': await tried(path, undefined, { headers: { cookie: `access_token=${token}` } }),
    'in a header of its own': await tried(path, undefined, { headers: { 'x-api-key': token } }),
    'a wrong one in a form': await tried(`${path}/messages`, undefined, inForm('to=1&access_token=ptg_x')),
    'a wrong one in the header before the right one in a form': await tried(
      `${path}/messages`,
      'Bearer ptg_x',
      inForm(`access_token=${token}`),
    ),
    'twice in a form': await tried(`${path}/messages`, undefined, inForm('access_token=a&access_token=ptg_x')),
    'in no field of a form': await tried(`${path}/messages`, undefined, inForm('to=1')),
    'an app token in a form': await tried(`${path}/messages`, undefined, inForm(`access_token=${appToken}`)),
    'in a body': await tried(
      `${path}/messages`,
      undefined,
      inBody('application/json', JSON.stringify({ access_token: token })),
    ),
    'a letter short': await tried(path, `Bearer ${token.slice(0, -1)}`),
    'an app token for a number': await tried(path, `Bearer ${appToken}`),
  }
  expect(Object.entries(others).filter(([, status]) => status !== 401)).toEqual([])
})
