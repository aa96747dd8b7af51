import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { addConnection } from '../../server/src/connections/change-connection.ts'
import { type EventType, events, eventTypes } from '../../server/src/contract/events.ts'
import { isPersonal, type Scope, scopes } from '../../server/src/contract/scopes.ts'
import { maskedEvent } from '../../server/src/events/masked-event.ts'
import { passedCalls } from '../../server/src/http/graph/call-table.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { addSetupLink } from '../../server/src/people/setup-link.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit, unitOf } from '../../server/src/store/engine/unit.ts'
import { buildSample } from '../../server/src/webhooks/listen/trigger-event.ts'
import { aMember, anOwner, type ConsoleWorld, type Visitor } from '../support/console/console-world.ts'
import { type EngineName, engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { localReceivers } from '../support/webhook-world.ts'

/**
 * Every route of both API documents, every webhook and every stream, for those who see no people: a key without
 * `messages:read`, and the role developer. A new route or event is walked as soon as it is declared.
 */
const digits = '351934567812'
const customer = `+${digits}`
const wrote = 'Confidential words of a customer'
const sent = 'Confidential words to a customer'
const called = 'Zulmira Quintanilha'
/** What a message id at Meta contains of the number. */
const encoded = Buffer.from(digits).toString('base64').slice(0, 12)
const secrets = { digits, wrote, sent, called, encoded }
const namesIn = (shown: string) =>
  Object.entries(secrets).flatMap(([name, secret]) => (shown.includes(secret) ? name : []))

type Route = { method: string; path: string; id: string }
const routesIn = (document: string): Route[] => {
  const { paths } = JSON.parse(readFileSync(join('docs/api', document), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const order = ['GET', 'POST', 'PUT', 'DELETE']
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id }]) => ({ method: method.toUpperCase(), path, id })),
    )
    .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
}

/** Ends the session or the credentials that walk, or never ends by itself; the streams have tests of their own. */
const leftOut = [
  'revokeToken',
  'refreshToken',
  'getToken',
  'listenToEvents',
  'followChanges',
  'signOut',
  'revokeOtherSessions',
]

/** The caller names the customer, or reads what is the caller's own: nothing else is asked with a secret in it. */
const bodies: Record<string, object> = {
  createWebhook: { url: 'https://elsewhere.test/hook', events: ['*'] },
  updateWebhook: { events: ['*'] },
  testWebhook: { type: 'message.received' },
  replayDeliveries: { since: '2026-01-01T00:00:00Z', status: 'all' },
  createKey: { name: 'Till', scopes: ['messages:send'], expires_at: null, allowed_ips: null },
  triggerEvent: { type: 'message.read' },
  setCustomerPreference: { marketing: 'opted_in' },
  assignConversation: { assignee: null },
  createSavedReply: { shortcut: 'hours', text: 'From 9 to 6.' },
}
const queries: Record<string, string> = {
  getThread: `?customer=${encodeURIComponent(customer)}`,
  describeCustomer: `?customer=${encodeURIComponent(customer)}`,
  previewReplay: '?since=2026-01-01T00:00:00Z&status=all',
}

const told = ['message.received', 'message.sent', 'message.delivered', 'customer.preference_changed']

const makeReal = operation({
  name: 'test.make_real',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `update channels set kind = 'cloud' from rows where channels.account_id = rows.account_id`,
})

type Credentials = { authorization: string }
let database: TestDatabase
let sandbox: Sandbox
let service: Service
let receiver: Server
let received: { path: string; body: string }[] = []
let accountId = ''
let all: Credentials
let blind: Credentials
let owner: Visitor
let developer: Visitor
let objects: Record<string, string> = {}
let tools: { all: string; blind: string }

async function start(engine: EngineName): Promise<void> {
  database = await freshDatabase(engine)
  const { database: place, folder } = database
  const env = {
    ...localReceivers,
    POSTERN_DATA_DIR: folder,
    ...(place.kind === 'postgres' ? { POSTERN_DATABASE_URL: place.url } : {}),
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: 'off',
    POSTERN_REQUEST_LOG: 'all',
  }
  const { config } = loadConfig({ env, terminal: false })
  service = await startService(config, createLogger({ level: 'silent', format: 'json' }), { sandbox: null })
  sandbox = await startSandbox({ port: 0, approved: true, development: true })
  receiver = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request)
    received.push({ path: request.url ?? '', body })
    // Also proves the address, and answers everything with what it was told.
    response.setHeader('content-type', 'application/json').end(body)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  received = []
  await makePeople()
  await makeObjects()
}

async function stop(): Promise<void> {
  await service.stop()
  await sandbox.close()
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await database.remove()
}

async function makePeople(): Promise<void> {
  const { rt, urls } = service
  const account = await createAccount(rt, { name: 'Acme', plan: 'enterprise', actor: operator })
  accountId = account.account.id
  await connectSandboxChannel(rt, accountId, { url: sandbox.url, openNumber: openSandboxNumber })
  await rt.store.write(unitOf(makeReal, { account_id: accountId }))
  const seesNobody = scopes.filter((scope) => scope !== 'messages:read')
  all = await aKey(account.owner.id, scopes)
  blind = await aKey(account.owner.id, seesNobody)
  const tool = async (granted: readonly Scope[]) =>
    (
      await addConnection(rt, {
        ...{ accountId, name: 'Help desk', tool: 'generic', options: {}, scopes: granted },
        ...{ createdBy: account.owner.id, actor: operator },
      })
    ).token
  tools = { all: await tool(scopes), blind: await tool(seesNobody) }
  const world = { rt, url: urls.base, accountId, ownerId: account.owner.id, domain: 'acme.test' } as ConsoleWorld
  const ownerLink = async () => {
    const unit = new Unit()
    const { link } = addSetupLink(rt, unit, account.owner.id, 'owner')
    await rt.store.write(unit)
    return link
  }
  owner = await anOwner({ ...world, ownerLink })
  developer = await aMember(world, 'developer')
}

async function aKey(createdBy: string, granted: readonly Scope[]): Promise<Credentials> {
  const { row, secret } = await createKey(service.rt, {
    accountId,
    name: 'Key',
    scopes: granted,
    createdBy,
    actor: operator,
  })
  return { authorization: `Basic ${Buffer.from(`${row.public_key}:${secret}`).toString('base64')}` }
}

async function makeObjects(): Promise<void> {
  const place = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const open = await made('/v1/webhooks', { url: `${place}/open`, events: ['*'] }, all)
  const masked = await made('/v1/webhooks', { url: `${place}/masked`, events: ['*'] }, blind)
  const to = sandbox.numbers.at(-1)?.phone_number_id ?? ''
  sandbox.control.inbound({ to, from: digits, name: called, text: wrote })
  sandbox.control.setPreference({ to, from: digits, value: 'stop' })
  const isThere = async (path: string, type: string) =>
    waitFor(() => received.some((one) => one.path === path && one.body.includes(`"type":"${type}"`)), 20_000)
  await isThere('/open', 'message.received')
  const file = { type: 'document', media: { filename: `${called}.txt`, mime_type: 'text/plain', caption: wrote } }
  const { message_id: withFile } = sandbox.control.inbound({ to, from: digits, name: called, ...file })
  const refused = await callApi('POST', '/v1/chat/messages/send', all, { to: customer, message: sent.repeat(200) })
  expect(refused.status).toBe(400)
  const request = { to: customer, message: sent, client_reference: `for ${digits}` }
  const message = await made('/v1/chat/messages/send', request, all)
  for (const path of ['/open', '/masked']) {
    for (const type of told) await isThere(path, type)
  }
  await made('/v1/chat/blocked', { customers: [customer] }, all)
  const { broadcast, upload } = await makeBroadcast(sandbox.numbers.at(-1)?.waba_id ?? '')
  await made('/v1/chat/messages/send', { ...request, send_at: new Date(Date.now() + 3_600_000).toISOString() }, all)
  const { connections } = JSON.parse((await callConsole('GET', '/console/api/connections', owner)).text).data
  const path = `/v1/webhooks/${open.id}/deliveries`
  const delivery = await waitForDelivery(path)
  objects = {
    webhook_id: open.id ?? '',
    masked_id: masked.id ?? '',
    message_id: message.message_id ?? '',
    delivery_id: delivery,
    media_id: await fileOf(withFile),
    graph_number: to,
    graph_account: sandbox.numbers.at(-1)?.waba_id ?? '',
    broadcast_id: broadcast,
    upload_id: upload,
    connection_id: connections[0].id,
    customer: '+15550000000',
    customer_id: (await made('/v1/chat/customers', { address: customer }, all)).customer_id ?? '',
  }
}

/** A draft for the customer, with a line that was not taken. */
async function makeBroadcast(wabaId: string): Promise<{ broadcast: string; upload: string }> {
  const text = 'Hello {{1}}, {{2}} is here.'
  const body = { type: 'BODY', text, example: { body_text: [['Ana', 'A-1']] } }
  sandbox.control.addTemplates({ waba_id: wabaId, templates: [{ name: 'parcel', components: [body] }] })
  const parameters = ['{{name}}', '{{order}}'].map((value) => ({ type: 'text', text: value }))
  const template = { template: 'parcel', language: 'en_US', components: [{ type: 'body', parameters }] }
  const { id = '' } = await made('/v1/chat/broadcasts', { name: 'Sale', ...template }, all)
  const taken = { to: customer, client_reference: `for ${digits}`, values: { name: called, order: sent } }
  const rejected = { to: '+351934567813', values: { name: `${called}\n${wrote}\t`, order: '' } }
  const recipients = [taken, rejected, { ...rejected, values: { name: `${wrote}     ${called}\n`, order: sent } }]
  const { upload_id: upload = '' } = await made(`/v1/chat/broadcasts/${id}/recipients`, { recipients }, all)
  return { broadcast: id, upload }
}

/** Once its bytes are here. */
async function fileOf(messageId: string): Promise<string> {
  let id = ''
  await waitFor(async () => {
    const shown = await callApi('GET', `/v1/chat/messages/${encodeURIComponent(messageId)}`, all)
    const { data } = JSON.parse(shown.text) as { data: { content: { media: { media_id: string } } } | null }
    id = data?.content.media.media_id ?? ''
    return id !== '' && (await callApi('GET', `/v1/chat/media/${id}/content`, all)).status === 200
  }, 20_000)
  return id
}

/** The one that told what the customer wrote, once it has been tried. */
async function waitForDelivery(path: string): Promise<string> {
  let found = ''
  await waitFor(async () => {
    const shown = await callApi('GET', `${path}?type=message.received&status=delivered`, all)
    found = (JSON.parse(shown.text) as { data: { deliveries: { id: string }[] } }).data.deliveries[0]?.id ?? ''
    return found !== ''
  }, 20_000)
  return found
}

async function made(path: string, body: object, as: Credentials): Promise<Record<string, string>> {
  const { status, text: shown } = await callApi('POST', path, as, body)
  expect(status, shown).toBeLessThan(300)
  return (JSON.parse(shown) as { data: Record<string, string> }).data
}

async function call(method: string, path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(`${service.urls.base}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, text: await response.text() }
}
const callApi = (method: string, path: string, as: Credentials, body?: object) => call(method, path, as, body)
const callConsole = (method: string, path: string, { cookie }: Visitor, body?: object) =>
  call(method, path, { cookie, 'sec-fetch-site': 'same-origin' }, body)

/** Ids in paths are ours to know: a reader who sees no people is never told those of Meta. */
function urlOf({ path, id }: Route): string {
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(objects[name] ?? 'none'))}${queries[id] ?? ''}`
}

type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>

/** What each route shows of the customer, and how many of them answered with something. */
async function walk(routes: readonly Route[], ask: Ask) {
  const shown: Record<string, string[]> = {}
  let answered = 0
  for (const route of routes.filter(({ id }) => !leftOut.includes(id))) {
    const body = route.method === 'POST' || route.method === 'PUT' ? (bodies[route.id] ?? {}) : undefined
    const { status, text: answer } = await ask(route.method, urlOf(route), body)
    if (status < 300) answered++
    const found = namesIn(answer)
    if (found.length > 0) shown[`${route.method} ${route.path}`] = found
  }
  return { shown, answered }
}

const reads = (routes: readonly Route[]) => routes.filter(({ method }) => method === 'GET')
const writes = (routes: readonly Route[]) => routes.filter(({ method }) => method !== 'GET')

/** Places in paths that are filled with nothing: what they name says nothing about a customer. */
const unfilled = [
  ...[
    'account_id',
    'budget_id',
    'channel_id',
    'key_id',
    'link_id',
    'number_id',
    'rate_card_id',
    'saved_reply_id',
    'session_id',
  ],
  ...['signup_id', 'template_id', 'user_id'],
]

describe.each(engines)('on %s, of a customer', (engine) => {
  beforeAll(() => start(engine), 120_000)
  afterAll(stop)

  test('a key with messages:read and the owner are shown everything, so that the walks below look at something', async () => {
    const api = await walk(reads(routesIn('openapi.json')), (method, path, body) => callApi(method, path, all, body))
    expect(Object.keys(api.shown)).toEqual(
      expect.arrayContaining([
        'GET /v1/chat/blocked',
        'GET /v1/chat/broadcasts/{broadcast_id}/recipients',
        'GET /v1/chat/broadcasts/{broadcast_id}/recipients.csv',
        'GET /v1/chat/conversations',
        'GET /v1/chat/conversations/{customer_id}',
        'GET /v1/chat/customers',
        'GET /v1/chat/customers/{customer_id}',
        'GET /v1/chat/media/{media_id}',
        'GET /v1/chat/messages',
        'GET /v1/events',
        'GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
        'GET /v1/webhooks/{webhook_id}/deliveries',
      ]),
    )
    const pages = await walk(reads(routesIn('console.json')), (method, path, body) =>
      callConsole(method, path, owner, body),
    )
    expect(Object.keys(pages.shown)).toEqual(
      expect.arrayContaining([
        'GET /console/api/conversation',
        'GET /console/api/exports/messages',
        'GET /console/api/messages',
        'GET /console/api/messages/{message_id}',
        'GET /console/api/webhooks/{webhook_id}/deliveries/{delivery_id}',
      ]),
    )
  })

  test('every other route names something that is there', () => {
    const named = ['openapi.json', 'console.json']
      .flatMap(routesIn)
      .flatMap(({ path }) => path.match(/(?<={)\w+/g) ?? [])
    expect(Object.keys(objects)).toEqual(
      expect.arrayContaining([...new Set(named)].filter((name) => !unfilled.includes(name))),
    )
  })

  test('a webhook registered without messages:read is told no words, names or numbers; a status keeps its id', async () => {
    const payloads = received.filter(({ path }) => path === '/masked').map(({ body }) => body)
    expect(payloads.length).toBeGreaterThanOrEqual(told.length)
    for (const body of payloads) expect(namesIn(withoutOwnId(body)), body).toEqual([])
    const statuses = payloads.map((body) => JSON.parse(body) as { data?: Record<string, unknown> })
    expect(statuses.filter(({ data }) => data?.message_id === objects.message_id).length).toBeGreaterThanOrEqual(2)
    const whole = received.filter(({ path }) => path === '/open').map(({ body }) => body)
    expect(namesIn(whole.join())).toEqual(['digits', 'wrote', 'called', 'encoded'])
  })

  test('a listener without messages:read is handed the same', async () => {
    const ending = new AbortController()
    const since = '2026-01-01T00:00:00Z'
    const response = await fetch(`${service.urls.base}/v1/listen?since=${since}`, {
      headers: blind,
      signal: ending.signal,
    })
    let heard = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      heard += chunk
      if (told.every((type) => heard.includes(type))) break
    }
    ending.abort()
    const found = [...heard.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line ?? '') as { body?: string })
    const handed = found.flatMap(({ body }) => body ?? [])
    expect(handed.length).toBeGreaterThanOrEqual(told.length)
    for (const body of handed) expect(namesIn(withoutOwnId(body)), body).toEqual([])
  })

  const asDeveloper: Ask = (method, path, body) => callConsole(method, path, developer, body)
  const asBlind: Ask = (method, path, body) => callApi(method, path, blind, body)

  test('the role developer is shown nothing by anything that the console reads', async () => {
    const { shown, answered } = await walk(reads(routesIn('console.json')), asDeveloper)
    expect(shown).toEqual({})
    expect(answered).toBeGreaterThan(25)
  })

  test('a key without messages:read is shown nothing by anything that the API reads', async () => {
    const { shown, answered } = await walk(reads(routesIn('openapi.json')), asBlind)
    expect(shown).toEqual({})
    expect(answered).toBeGreaterThan(15)
  })

  test('a connection without messages:read is shown nothing by any call below /graph', async () => {
    const ids = { number: objects.graph_number, waba: objects.graph_account, template: 'none' }
    const paths = Object.entries(passedCalls).flatMap(([name, rows]) => {
      const [method, edge = ''] = name.split(' ')
      const end = edge === '' ? '' : `/${edge.replace('{}', 'none')}`
      return method === 'GET' ? rows.map(({ of }) => `/graph/v26.0/${ids[of as keyof typeof ids]}${end}`) : []
    })
    const media = `/graph/v26.0/${objects.media_id}`
    const shownTo = async (token: string) => {
      const answers = [...paths, media].map((path) => call('GET', path, { authorization: `Bearer ${token}` }))
      return [...new Set((await Promise.all(answers)).flatMap(({ text: shown }) => namesIn(shown)))]
    }
    expect(await shownTo(tools.all)).toEqual(['digits'])
    expect(await shownTo(tools.blind)).toEqual([])
  })

  // Last: they delete what the others read.
  test('neither is shown anything by what changes something', async () => {
    const api = await walk(writes(routesIn('openapi.json')), asBlind)
    expect([api.shown, api.answered]).toEqual([{}, expect.any(Number)])
    expect(api.answered).toBeGreaterThan(10)
    const pages = await walk(writes(routesIn('console.json')), asDeveloper)
    expect(pages.shown).toEqual({})
  })

  test.each(scopes)('the role developer makes no key that shows more than it sees: %s', async (scope) => {
    const key = { name: 'Till', scopes: [scope], expires_at: null, allowed_ips: null }
    const { status } = await callConsole('POST', '/console/api/keys', developer, key)
    expect(status).toBe(isPersonal(scope) ? 403 : 201)
  })
})

/** A status of a message of the account is matched by the id that Meta gave for the send. */
function withoutOwnId(body: string): string {
  const { data = {}, ...event } = JSON.parse(body) as { data?: Record<string, unknown> }
  const { message_id, ...rest } = data
  return JSON.stringify({ ...event, data: data.direction === 'outbound' ? rest : data })
}

describe('an event', () => {
  const rt = { newId: () => 'evt_1', clock: { now: () => 0 } } as unknown as Parameters<typeof buildSample>[0]

  test.each(eventTypes)('%s says whether it tells of a customer, and is masked by that', (type: EventType) => {
    const { body } = buildSample(rt, type, null, { from: customer, text: wrote })
    const { data } = JSON.parse(body) as { data: object }
    const metaId = `wamid.HBgM${encoded}`
    const names = { ...data, user_id: called, reply_to: metaId, ...('message_id' in data && { message_id: metaId }) }
    const whole = JSON.stringify({ ...JSON.parse(body), data: events[type].personal ? names : JSON.parse(body).data })
    expect(namesIn(whole).length > 0).toBe(events[type].personal)
    for (const delivered of [true, false]) {
      const masked = maskedEvent(whole, { delivered, ownId: 'in_1' })
      expect(namesIn(delivered ? withoutOwnId(masked) : masked)).toEqual([])
      if (!events[type].personal) expect(masked).toBe(whole)
    }
  })

  test('that nobody has declared is shown to nobody who sees no people', () => {
    const unknown = JSON.stringify({ id: 'evt_1', type: 'message.edited', data: { text: wrote, to: customer } })
    expect(namesIn(maskedEvent(unknown, { delivered: true, ownId: null }))).toEqual([])
  })
})
