import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startOwnSandbox } from '../../cli/src/own-sandbox.ts'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { loadSigningKeys } from '../../server/src/access/tokens/token-codec.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { loadConfig } from '../../server/src/config/config.ts'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { allows, type Scope, scopes } from '../../server/src/contract/scopes.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { seedCustomer } from '../../server/src/messages/sandbox-phone.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { type ApiKeyRow, findApiKeyByPublicKey } from '../../server/src/store/accounts/api-keys.ts'
import { findMessagesByChannelId } from '../../server/src/store/messages/messages.ts'
import { createHttpClient, type TextResponse } from '../support/http-client.ts'
import { publishedApi } from '../support/openapi/published-api.ts'
import { type EngineName, engines, freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { importSampleRates, sampleBudget } from '../support/sample-rates.ts'
import { tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * Every route of the OpenAPI document against everybody who may not use it. A new route is covered as soon as it is
 * declared; a new kind of id in a path needs one line in `makeObjects`, and the test says so.
 */
type Route = { method: string; path: string; id: string; scope: Scope | null; isPublic: boolean; hasBody: boolean }
type Answer = { status: number; body: Body; headers: Headers }
type Body = {
  data: Record<string, unknown> | null
  error?: Record<string, unknown> & { code: string; message: string }
}
type Credentials = { api_key: string; api_secret: string }

const routes = readRoutes()
const closed = routes.filter(({ isPublic }) => !isPublic)
const withIds = closed.filter(({ path }) => path.includes('{'))
/** A customer is a person, whom every account may name: each has a block list of its own. */
const owned = withIds.filter(({ path }) => !/{customer(_id)?}/.test(path))

function readRoutes(): Route[] {
  return Object.entries(publishedApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: String(operation.operationId),
      scope: (operation['x-scope'] as Scope | undefined) ?? null,
      isPublic: operation.security === undefined,
      hasBody: operation.requestBody !== undefined,
    })),
  )
}

/** Routes that look at what is asked for before they know which scope is needed. */
const eitherScope: Record<string, Scope[]> = {
  getMedia: ['media:read', 'media:write'],
  getMediaContent: ['media:read', 'media:write'],
}

const scoped = closed.filter(({ id, scope }) => scope !== null || id in eitherScope)

/** Bodies that are valid, so that a refusal is about the object and nothing else. */
const bodies: Record<string, object> = {
  updateWebhook: { events: ['message.read'] },
  updateTemplate: { components: [{ type: 'body', text: 'Your parcel has arrived.' }] },
  replayDeliveries: { since: '2026-01-01T00:00:00Z' },
  testWebhook: { type: 'message.sent' },
  setCustomerPreference: { marketing: 'opted_in' },
  updateLink: { message: 'Hello again' },
  updateBudget: { name: 'Another budget' },
  assignConversation: { assignee: null },
  updateSavedReply: { shortcut: 'open', text: 'From 9 to 5.' },
  updateBroadcast: { name: 'Another sale' },
  uploadRecipients: { recipients: [{ to: '+351912345679' }] },
  testBroadcast: { to: ['+12025550100'] },
  copyBroadcast: { results: ['failed'] },
}

let database: TestDatabase
let sandbox: RunningSandbox | null = null
let service: Service
const client = createHttpClient()
let a: Credentials
let b: Credentials
let objects: Record<string, string> = {}

async function start(engine: EngineName): Promise<void> {
  database = await freshDatabase(engine)
  const { database: place, folder } = database
  const env = {
    POSTERN_DATA_DIR: folder,
    ...(place.kind === 'postgres' ? { POSTERN_DATABASE_URL: place.url } : {}),
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: '127.0.0.1:0',
  }
  const { config } = loadConfig({ env, terminal: false })
  sandbox = await startOwnSandbox(config)
  const log = createLogger({ level: 'silent', format: 'json' })
  service = await startService(config, log, { sandbox: sandbox?.forService ?? null })
  const first = service.firstRun?.credentials
  a = { api_key: first?.apiKey ?? '', api_secret: first?.apiSecret ?? '' }
  b = await anotherAccount()
  objects = await makeObjects(await tokenFor(a))
}

async function stop(): Promise<void> {
  await service.stop()
  await sandbox?.close()
  await database.remove()
  client.close()
}

async function anotherAccount(): Promise<Credentials> {
  const { account, owner } = await createAccount(service.rt, { name: 'B', plan: 'enterprise', actor: operator })
  const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
  const { row, secret } = await createKey(service.rt, input)
  await connectSandboxChannel(service.rt, account.id, {
    url: sandbox?.forService.url ?? '',
    openNumber: openSandboxNumber,
  })
  await seedCustomer(service.rt, account.id)
  return { api_key: row.public_key, api_secret: secret }
}

async function findKey({ api_key }: Credentials): Promise<ApiKeyRow> {
  const [row] = await service.rt.store.read(findApiKeyByPublicKey, { public_key: api_key })
  if (!row) throw new Error('no key')
  return row
}

/** Another key of account A. */
async function aKeyWith(granted: readonly Scope[]): Promise<Credentials> {
  const first = await findKey(a)
  const input = {
    accountId: first.account_id,
    name: 'Key',
    scopes: granted,
    createdBy: first.created_by,
    actor: operator,
  }
  const { row, secret } = await createKey(service.rt, input)
  return { api_key: row.public_key, api_secret: secret }
}

/** One object of every kind that a path can name, all of account A. */
async function makeObjects(token: string): Promise<Record<string, string>> {
  const made = async (path: string, body: object | FormData) => {
    const { status, body: answer } = await call('POST', path, token, body)
    expect(status, `${path} ${JSON.stringify(answer)}`).toBeLessThan(300)
    return answer.data as Record<string, string>
  }
  const has = (path: string) => routes.some((route) => route.path === path && route.method === 'POST')
  const webhook = await made('/v1/webhooks', { url: 'https://hooks.acme.test/a', events: ['message.sent'] })
  const message = await made('/v1/chat/messages/send', { to: '+12025550100', message: 'Hello' })
  const form = new FormData()
  form.append('file', new Blob([onePixel], { type: 'image/png' }), 'pixel.png')
  const media = await made('/v1/chat/media', form)
  const note = {
    name: 'matrix_note',
    language: 'en',
    category: 'utility',
    components: [{ type: 'body', text: 'Your parcel is on its way.' }],
  }
  const template = has('/v1/chat/templates') ? await made('/v1/chat/templates', note) : {}
  const customer = has('/v1/chat/customers') ? await made('/v1/chat/customers', { address: '+351912345678' }) : {}
  const link = has('/v1/chat/links') ? await made('/v1/chat/links', { message: 'Hello' }) : {}
  const sale = { name: 'Sale', template: 'hello_world', language: 'en_US' }
  const broadcast = has('/v1/chat/broadcasts') ? await made('/v1/chat/broadcasts', sale) : {}
  const upload = broadcast.id
    ? await made(`/v1/chat/broadcasts/${broadcast.id}/recipients`, { recipients: [{ to: '+351912345678' }] })
    : {}
  await importSampleRates(service.rt)
  const budget = has('/v1/chat/budgets') ? await made('/v1/chat/budgets', sampleBudget) : {}
  const reply = has('/v1/chat/saved-replies')
    ? await made('/v1/chat/saved-replies', { shortcut: 'hours', text: 'From 9 to 6.' })
    : {}
  let delivery = ''
  await waitFor(async () => {
    const { body } = await call('GET', `/v1/webhooks/${webhook.id}/deliveries`, token)
    const [first] = (body.data?.deliveries ?? []) as { id: string }[]
    delivery = first?.id ?? ''
    return delivery !== ''
  }, 10_000)
  return {
    webhook_id: webhook.id ?? '',
    message_id: message.message_id ?? '',
    media_id: media.id ?? media.media_id ?? '',
    template_id: template.id ?? '',
    delivery_id: delivery,
    customer: '+351912345678',
    customer_id: customer.customer_id ?? '',
    link_id: link.link_id ?? '',
    broadcast_id: broadcast.id ?? '',
    upload_id: upload.upload_id ?? '',
    saved_reply_id: reply.saved_reply_id ?? '',
    budget_id: budget.budget_id ?? '',
  }
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function call(method: string, path: string, bearer: string | null, body?: object | FormData): Promise<Answer> {
  return callWith(method, path, bearer === null ? {} : { authorization: `Bearer ${bearer}` }, body)
}

async function callWith(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object | FormData,
): Promise<Answer> {
  const url = `${service.urls.base}${path}`
  if (body instanceof FormData) {
    const response = await fetch(url, { method, headers, body })
    return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
  }
  const json = body ? { 'content-type': 'application/json' } : {}
  const answer = await client.request(method, url, { ...headers, ...json }, body && JSON.stringify(body))
  return Object.assign(answer, { body: bodyOf(answer) })
}

/** Of a stream of events that it began is all there is to know; a file is its text. */
function bodyOf({ text, headers }: TextResponse): Body {
  const type = headers.get('content-type') ?? ''
  if (text === '' && type.startsWith('text/event-stream')) return { data: {} }
  if (type.startsWith('text/csv')) return { data: { text } }
  return JSON.parse(text) as Body
}

/** The path with ids of A, or with ids of the same form that nobody has. */
function urlOf({ path }: Route, whose: 'real' | 'random'): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const real = objects[name]
    if (!real) throw new Error(`The path ${path} names a ${name}: make one of A's in makeObjects.`)
    return encodeURIComponent(whose === 'random' ? randomLike(real) : real)
  })
}

function randomLike(id: string): string {
  return `${id.slice(0, -8)}0a1b2c3d`
}

const issued = new Map<string, Promise<string>>()

/** The same token for the same caller every time: half of all requests would be for another one. */
function tokenFor(credentials: Credentials, wanted?: readonly Scope[]): Promise<string> {
  const caller = JSON.stringify([credentials, wanted])
  const token = issued.get(caller) ?? newTokenFor(credentials, wanted)
  issued.set(caller, token)
  return token
}

async function newTokenFor(credentials: Credentials, wanted?: readonly Scope[]): Promise<string> {
  if (!wanted) return tokenOf(service.urls.base, credentials)
  const { body } = await call('POST', '/v1/auth/token', null, { ...credentials, scopes: wanted })
  return String(body.data?.access_token)
}

async function resigned(token: string, change: { alg?: string; claims?: object; key?: Buffer }): Promise<string> {
  const [active] = await loadSigningKeys(service.rt)
  const [head = '', body = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = { ...JSON.parse(head), ...(change.alg ? { alg: change.alg } : {}) }
  const signed = `${encode(header)}.${encode({ ...JSON.parse(body), ...change.claims })}`
  if (change.alg === 'none') return `${signed}.`
  const key = change.key ?? active?.secret ?? Buffer.alloc(0)
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

async function revokedToken(): Promise<string> {
  const token = await newTokenFor(a)
  await call('POST', '/v1/auth/revoke', token)
  return token
}

const past = Math.floor(Date.now() / 1_000) - 3_600

/** What the bearer itself says is judged before a store is asked: on one engine it is seen for both. */
const [first] = engines
/** The one that only the store knows. */
const revoked = 'a revoked token'

/** Name, bearer, and the one answer; refresh and revoke let some of them in on purpose. */
const badBearers: [
  name: string,
  make: () => Promise<string | null>,
  expected: string,
  except?: Record<string, string>,
][] = [
  ['no token', async () => null, '401 missing_credentials'],
  ['garbage', async () => 'garbage', '401 invalid_token'],
  ['alg none', async () => resigned(await tokenFor(a), { alg: 'none' }), '401 invalid_token'],
  ['another key', async () => resigned(await tokenFor(a), { key: Buffer.alloc(32, 7) }), '401 invalid_token'],
  ['an API key', async () => a.api_key, '401 api_key_not_accepted'],
  ['an API secret', async () => a.api_secret, '401 api_key_not_accepted'],
  [
    'an expired token',
    // One of its own: refreshing or revoking it ends it.
    async () => resigned(await newTokenFor(a), { claims: { exp: past } }),
    '401 token_expired',
    { refreshToken: '200 ok', revokeToken: '200 ok' },
  ],
  [revoked, revokedToken, '401 token_revoked', { revokeToken: '200 ok' }],
]

const said = ({ status, body }: Answer) => `${status} ${body.error?.code ?? 'ok'}`
const title = ({ method, path }: Route) => `${method} ${path}`

test('the document names every route of the contract that is there, and only /auth/token is open to all', () => {
  expect(routes.filter(({ isPublic }) => isPublic).map(title)).toEqual(['POST /v1/auth/token'])
  expect(closed.length).toBeGreaterThan(20)
})

describe.each(engines)('on %s', (engine) => {
  beforeAll(() => start(engine), 120_000)
  afterAll(stop)

  describe.each(closed.map((route) => [title(route), route] as const))('%s', (_, route) => {
    test.each(badBearers.filter(([name]) => engine === first || name === revoked))(
      'refuses %s',
      async (_name, make, expected, except = {}) => {
        const answer = await call(route.method, urlOf(route, 'random'), await make())
        expect(said(answer)).toBe(except[route.id] ?? expected)
        if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="postern"/)
      },
    )
  })

  describe.each(engine === first ? scoped.map((route) => [title(route), route] as const) : [])('%s', (_, route) => {
    test('lets in exactly the scopes that allow it', async () => {
      for (const granted of scopes) {
        const answer = await call(route.method, urlOf(route, 'random'), await tokenFor(a, [granted]), emptyBody(route))
        const refused = answer.body.error?.code === 'insufficient_scope'
        expect(refused, `${granted}: ${said(answer)}`).toBe(!fits(route, [granted]))
        if (refused) expectMissingScope(answer, route, 'access token')
      }
    })

    test('refuses a token that has every scope but the ones that allow it', async () => {
      const others = scopes.filter((scope) => !fits(route, [scope]))
      const answer = await call(route.method, urlOf(route, 'random'), await tokenFor(a, others), emptyBody(route))
      expect(said(answer)).toBe('403 insufficient_scope')
      expectMissingScope(answer, route, 'access token')
    })
  })

  const basic = ({ api_key, api_secret }: Credentials) => ({
    authorization: `Basic ${Buffer.from(`${api_key}:${api_secret}`).toString('base64')}`,
  })
  const aboutTokens = ['refreshToken', 'revokeToken']

  test.each(closed.map((route) => [title(route), route] as const))(
    '%s answers key and secret as it answers their token, unless it is about the token',
    async (_, route) => {
      const [path, body] = [urlOf(route, 'random'), emptyBody(route)]
      const answer = await callWith(route.method, path, basic(a), body)
      if (aboutTokens.includes(route.id)) expect(said(answer)).toBe('401 missing_credentials')
      else expect(said(answer)).toBe(said(await call(route.method, path, await tokenFor(a), body)))
      const foreign = await callWith(route.method, path, { ...basic(a), 'sec-fetch-site': 'cross-site' }, body)
      expect(said(foreign)).toBe('403 cross_site_request')
      expect(foreign.headers.get('www-authenticate')).toBeNull()
    },
  )

  test('a key without any fitting scope is refused by every route that needs one, also without a token', async () => {
    for (const route of scoped) {
      const others = scopes.filter((scope) => !fits(route, [scope]))
      const answer = await callWith(
        route.method,
        urlOf(route, 'random'),
        basic(await aKeyWith(others)),
        emptyBody(route),
      )
      expect(said(answer), title(route)).toBe('403 insufficient_scope')
      expectMissingScope(answer, route, 'API key')
    }
  })

  test('only the routes about the token itself need no scope', () => {
    const free = closed.filter((route) => !scoped.includes(route))
    expect(free.map(title)).toEqual(['GET /v1/auth/me', 'POST /v1/auth/refresh', 'POST /v1/auth/revoke'])
  })

  function fits({ id, scope }: Route, granted: readonly Scope[]): boolean {
    const wanted = eitherScope[id] ?? (scope ? [scope] : [])
    return wanted.some((one) => allows(granted, one))
  }

  function emptyBody({ hasBody }: Route): object | undefined {
    return hasBody ? {} : undefined
  }

  /** A narrow token of a wide key: its owner would look at the key in vain. */
  function expectMissingScope(
    { body, headers }: Answer,
    { id, scope }: Route,
    blamed: 'access token' | 'API key',
  ): void {
    const wanted = eitherScope[id] ?? [scope]
    expect(wanted).toContain(body.error?.required_scope)
    expect(body.error?.message).toMatch(new RegExp(`^The .*${blamed}.* lacks the scope `))
    expect(headers.get('www-authenticate')).toContain(
      `error="insufficient_scope", scope="${body.error?.required_scope}"`,
    )
  }

  describe('an object of another account', () => {
    test.each(owned.map((route) => [title(route), route] as const))(
      'is to %s what does not exist at all',
      async (_, route) => {
        const token = await tokenFor(b)
        const body = bodies[route.id] ?? emptyBody(route)
        const theirs = await call(route.method, urlOf(route, 'real'), token, body)
        const nobodys = await call(route.method, urlOf(route, 'random'), token, body)
        const cause = theirs.status === 400 ? "no valid body in 'bodies'" : 'the other account was let in'
        expect(theirs.status, `${said(theirs)}: ${cause}`).toBe(404)
        expect(told(theirs)).toEqual(told(nobodys))
      },
    )

    test('is not found by an id of ours either, which its owner may use in place of the one of Meta', async () => {
      const [row] = await service.rt.store.read(findMessagesByChannelId, {
        account_id: (await findKey(a)).account_id,
        ids: [objects.message_id ?? ''],
      })
      const path = `/v1/chat/messages/${row?.id}`
      expect(said(await call('GET', path, await tokenFor(a)))).toBe('200 ok')
      expect(said(await call('GET', path, await tokenFor(b)))).toBe('404 message_not_found')
    })

    test('is still there afterwards', async () => {
      const token = await tokenFor(a)
      const reads = withIds.filter(({ method, id }) => method === 'GET' && id !== 'getMediaContent')
      for (const route of reads)
        expect(said(await call('GET', urlOf(route, 'real'), token)), title(route)).toBe('200 ok')
    })

    test('is in no list of others', async () => {
      const token = await tokenFor(b)
      for (const route of closed.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
        const text = JSON.stringify((await call('GET', route.path, token)).body)
        for (const [name, id] of Object.entries(objects)) {
          if (id) expect(text.includes(id), `${title(route)} shows ${name}`).toBe(false)
        }
      }
    })

    test('cannot be reached with a page mark of its owner', async () => {
      const token = await tokenFor(a)
      await call('POST', '/v1/chat/messages/send', token, { to: '+12025550100', message: 'Again' })
      const { body } = await call('GET', '/v1/chat/messages?limit=1', token)
      const page = (body.data ?? {}) as { pagination?: { next_cursor: string | null } }
      const next = `/v1/chat/messages?limit=1&cursor=${encodeURIComponent(page.pagination?.next_cursor ?? 'none')}`
      expect(said(await call('GET', next, token))).toBe('200 ok')
      expect(said(await call('GET', next, await tokenFor(b)))).toBe('400 invalid_cursor')
    })

    test('cannot be used by naming it in a body', async () => {
      const token = await tokenFor(b)
      const naming: [path: string, body: (id: string) => object, id: string][] = [
        [
          '/v1/chat/messages/media',
          (id) => ({ to: '+12025550100', type: 'image', media_id: id }),
          objects.media_id ?? '',
        ],
        [
          '/v1/chat/messages/send',
          (id) => ({ to: '+12025550100', message: 'Hi', reply_to: id }),
          objects.message_id ?? '',
        ],
      ]
      for (const [path, body, id] of naming) {
        const theirs = await call('POST', path, token, body(id))
        expect(said(theirs), path).toMatch(/^404 /)
        expect(told(theirs)).toEqual(told(await call('POST', path, token, body(randomLike(id)))))
      }
    })

    /** All that an answer says, except for the ids that were asked for. */
    function told({ body }: Answer): object {
      const { request_id: _, ...error } = body.error ?? ({} as Record<string, unknown>)
      const ids = Object.values(objects).flatMap((id) => (id ? [id, randomLike(id)] : []))
      const text = JSON.stringify(error, (name, value) => (name === 'trace_id' ? null : value))
      return JSON.parse(ids.reduce((left, id) => left.replaceAll(id, 'ID'), text)) as object
    }
  })
})
