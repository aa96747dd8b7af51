import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usualOptions } from '../../server/src/contract/connections.ts'
import { password } from '../support/console/console-world.ts'
import {
  did,
  furnish,
  sharedCustomer,
  type Tenant,
  type TwoTenants,
  twoTenants,
} from '../support/console/two-tenants.ts'
import { publishedApi } from '../support/openapi/published-api.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * Every route of the console between two accounts that write with the same person. A new route is covered as soon as it is
 * declared; one that changes something needs a line in `acts`, and the tests say so.
 */
type Parameter = { name: string; in: 'path' | 'query'; required?: boolean }
type Schema = { $ref?: string; properties?: Record<string, unknown> }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  security?: object[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Route = { method: string; path: string; id: string; parameters: Parameter[]; fields: string[] }
type Answer = { status: number; text: string }

/** Routes that this table cannot ask, and where they are asked. */
const alone: Record<string, string> = {
  followChanges: 'test/console/console-live.test.ts',
  returnFromSignup: 'test/channels/signup.test.ts',
  connectChannel: 'test/console/console-connect.test.ts',
  confirmTwoFactor: 'test/console/console-two-factor.test.ts',
  switchOffTwoFactor: 'test/console/console-two-factor.test.ts',
  renewRecoveryCodes: 'test/console/console-two-factor.test.ts',
  uploadMedia: 'test/media/media-upload.test.ts',
  ...Object.fromEntries(
    [
      'getInstallation',
      'listSettings',
      'listTenants',
      'createTenant',
      'setTenantPlan',
      'setTenantStatus',
      'planTenantDeletion',
    ].map((id) => [id, 'test/console/console-installation.test.ts']),
  ),
  listTableSizes: 'test/console/console-installation-faults.test.ts',
  listAuditOfAll: 'test/console/console-installation-faults.test.ts',
  linkByOidc: 'test/people/oidc.test.ts',
  confirmByOidc: 'test/people/oidc.test.ts',
  switchAccount: 'test/console/console-accounts.test.ts',
}

const routes = readRoutes()
const reads = routes.filter(({ method }) => method === 'GET')
const changes = routes.filter(({ method }) => method !== 'GET')
const withIds = routes.filter(({ path }) => /\{(?!customer\})/.test(path))

function readRoutes(): Route[] {
  const { paths, components } = publishedApi('console') as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const schemaOf = (given: Schema = {}) => components.schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const closed = all.filter(
    ({ operation }) => (operation.security ?? []).length > 0 && !(operation.operationId in alone),
  )
  return closed.map(({ path, method, operation }) => {
    const [body] = Object.values(operation.requestBody?.content ?? {})
    const fields = Object.keys(schemaOf(body?.schema).properties ?? {})
    return { method, path, id: operation.operationId, parameters: operation.parameters ?? [], fields }
  })
}

const since = new Date(Date.now() - 3_600_000).toISOString()
const hello = { to: sharedCustomer, message: 'Hello' }
const line = ({ ids }: Tenant) => ({ number_id: ids.number_id, customer: sharedCustomer })
const note = { body: 'Your parcel has arrived.', submit: false }
const rates = { name: 'rates.csv', from: '2026-01-01', text: 'Market,Currency,Utility\nPortugal,USD,0.01' }
const access = { name: 'New name', scopes: ['messages:read'] }

/** Bodies that are valid, so that a refusal is about the object and nothing else. In this order all of them succeed. */
const acts: Record<string, (own: Tenant) => object> = {
  renameAccount: () => ({ name: 'New name' }),
  requireTwoFactor: () => ({ required: false }),
  confirmPassword: () => ({ password }),
  changeOwnName: () => ({ name: 'New name' }),
  changeOwnPassword: () => ({ current_password: password, new_password: password }),
  beginTwoFactor: () => ({}),
  startSignup: () => ({}),
  continueSignup: () => ({}),
  createApiKey: () => access,
  changeApiKeyAccess: () => access,
  inviteMember: () => ({ name: 'Guest', email: 'another@boreal.test', role: 'viewer' }),
  changeMemberRole: () => ({ role: 'support' }),
  actAsCustomer: (own) => ({ ...line(own), act: { kind: 'text', text: 'Hello' } }),
  addSandboxCustomer: (own) => ({ ...line(own), name: 'New name' }),
  setSandboxBehaviour: ({ ids }) => ({ number_id: ids.number_id, next: 'sent', delay_ms: 1, read_receipts: false }),
  sendText: () => hello,
  sendTemplate: () => ({ to: sharedCustomer, template: 'hello_world', language: 'en_US' }),
  sendMedia: ({ ids }) => ({ to: sharedCustomer, type: 'document', media_id: ids.media_id }),
  sendSticker: () => ({ to: sharedCustomer, link: 'https://files.test/sticker.webp' }),
  sendLocation: () => ({ to: sharedCustomer, latitude: 1, longitude: 1 }),
  sendContacts: () => ({ to: sharedCustomer, contacts: [{ name: { formatted_name: 'Ana', first_name: 'Ana' } }] }),
  sendInteractive: () => ({ to: sharedCustomer, type: 'location_request', body: 'Where?' }),
  sendReaction: ({ ids }) => ({ to: sharedCustomer, message_id: ids.message_id, emoji: '👍' }),
  sendMessageAgain: () => ({}),
  cancelWaitingMessage: ({ ids }) => ({ message_id: ids.waiting_message_id }),
  markConversationRead: () => ({ customer: sharedCustomer }),
  createCustomer: () => ({ address: sharedCustomer }),
  setCustomerPreference: () => ({ marketing: 'opted_in' }),
  signalPresence: () => ({ customer: sharedCustomer, typing: true }),
  chooseAlerts: () => ({ kinds: ['quality'], mail: false, url: null }),
  unlinkOidc: () => ({}),
  setPreference: () => ({ customer: sharedCustomer, preference: 'opted_in' }),
  blockCustomers: () => ({ customers: [sharedCustomer] }),
  unblockCustomer: () => ({}),
  controlConversation: () => ({ action: 'release' }),
  assignConversation: () => ({ assignee: null }),
  closeConversation: () => ({}),
  reopenConversation: () => ({}),
  createSavedReply: () => ({ shortcut: 'another', text: 'Hello' }),
  updateSavedReply: () => ({ shortcut: 'changed', text: 'Hello again' }),
  setSandboxWindow: (own) => ({ ...line(own), state: 'closed' }),
  createBroadcast: () => ({ name: 'Sale', template: 'hello_world', language: 'en_US' }),
  updateBroadcast: () => ({ name: 'Another sale' }),
  uploadRecipients: () => ({ recipients: [{ to: '+351912000099' }] }),
  previewBroadcast: () => ({}),
  testBroadcast: () => ({ to: [sharedCustomer] }),
  startBroadcast: () => ({}),
  copyBroadcast: () => ({
    results: ['waiting', 'under_way', 'sent', 'failed', 'unknown', 'skipped'],
    accept_duplicates: true,
  }),
  createLink: () => ({ message: 'Hello' }),
  updateLink: () => ({ message: 'Hello again' }),
  setAutomation: () => ({ prompts: ['What is new?'] }),
  setKeywords: () => ({ stop_words: ['STOP'] }),
  updateProfile: () => ({ about: 'Another shop' }),
  checkRates: () => rates,
  importRates: () => ({ ...rates, from: '2026-02-01' }),
  createBudget: () => ({ name: 'Another budget', limit: '10', period: 'month', currency: 'USD' }),
  updateBudget: () => ({ name: 'A budget with another name' }),
  createTemplate: () => ({ name: 'another_note', ...note }),
  checkTemplateDraft: () => ({ name: 'another_note', ...note }),
  updateTemplate: () => note,
  submitCatalog: () => ({}),
  createWebhook: () => ({ url: 'https://hooks.test/b', events: ['message.read'] }),
  updateWebhook: () => ({ description: 'Another one' }),
  checkSignature: () => ({ id: 'a', timestamp: '1', signature: 'v1,a', body: '{}' }),
  replayDeliveries: () => ({ since }),
  rotateWebhookSecret: () => ({}),
  testWebhook: () => ({ type: 'message.sent' }),
  connectTool: () => ({ name: 'Another tool', tool: 'generic' }),
  setConnectionOptions: () => usualOptions,
  setConnectionCallback: () => ({ url: 'https://hooks.test/tool', waive: true }),
  verifyConnectionCallback: () => ({ waive: true }),
  checkChannel: () => ({}),
  eraseCustomer: () => ({ customer: sharedCustomer }),
  connectSandbox: () => ({}),
  disconnectChannel: ({ ids }) => ({ confirm: ids.phone_number }),
  revokeOtherSessions: () => ({}),
  signOut: () => ({}),
}

/** What a field of a query or of a body names. The `id` of a query is that of an event. */
const naming: Record<string, string> = {
  number_id: 'number_id',
  message_id: 'message_id',
  media_id: 'media_id',
  reply_to: 'message_id',
  from: 'phone_number',
  phone_number: 'phone_number',
  key_id: 'key_id',
  api_key: 'key_id',
  actor: 'owner_id',
  search: 'message_id',
}

/** Without the moments and the id of the request: what is left is the same a minute later. */
const timeless = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|"(request_id|trace_id)":"[^"]*"/g, '')

const title = ({ method, path }: Route) => `${method} ${path}`
const titled = (some: readonly Route[]) => some.map((route) => [title(route), route] as const)
const randomLike = (id: string) =>
  id.startsWith('+') ? `${id.slice(0, -3)}999` : `${id.slice(0, -8)}${id.endsWith('=') ? 'wMWEyYgA=' : '0a1b2c3d'}`

test('every route that changes something has a body here, or names its object in the path alone', () => {
  const lacking = changes.filter(
    ({ id, path, fields }) => !(id in acts) && (fields.length > 0 || !withIds.some((one) => one.path === path)),
  )
  expect(lacking.map(title)).toEqual([])
})

describe.each(engines)('two accounts with the same customer on %s', (engine) => {
  let world: TwoTenants
  let before: Map<string, string>

  beforeAll(async () => {
    world = await twoTenants(engine)
    await furnish(world, world.b)
    before = await seenBy(world.b)
    await furnish(world, world.a)
    await writeAgain(world.a)
    await did(world.a.owner, 'POST', '/customer/preference', { customer: sharedCustomer, preference: 'opted_out' })
    await did(world.a.owner, 'POST', '/blocked', { customers: [sharedCustomer] })
    await world.service.post('/v1/chat/messages/send', { to: 'aurora' })
  }, 120_000)
  afterAll(() => world?.stop())

  /** The customer writes once more, and nobody has read it yet. */
  async function writeAgain(tenant: Tenant): Promise<void> {
    const act = { kind: 'text', text: 'Hello?' }
    await did(tenant.owner, 'POST', '/sandbox/inbound', { ...line(tenant), act })
    await waitFor(async () => (await did(tenant.owner, 'GET', '/conversations')).conversations[0]?.unread > 0)
  }

  async function ask({ owner }: Tenant, method: string, path: string, body?: object): Promise<Answer> {
    const type = method === 'GET' ? undefined : { 'content-type': 'application/json' }
    const response = await fetch(`${world.service.url}${path}`, {
      method,
      headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', ...type },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, text: await response.text() }
  }

  /** With the ids of this account in the path and in what the query must have. */
  function urlOf({ path, parameters }: Route, ids: Record<string, string>, query: Record<string, string> = {}): string {
    const values: Record<string, string> = { ...ids, customer: sharedCustomer, since, search: sharedCustomer }
    const value = (name: string) => {
      const found = values[name === 'id' ? 'event_id' : name]
      if (!found) throw new Error(`${path} names a ${name}: make one in furnish.`)
      return found
    }
    const required = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name)
    const asked = new URLSearchParams({ ...Object.fromEntries(required.map((name) => [name, value(name)])), ...query })
    return `${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(value(name)))}?${asked}`
  }

  /** All that the console shows to an account. */
  async function seenBy(tenant: Tenant): Promise<Map<string, string>> {
    await waitFor(() => isUsageCounted(tenant))
    const seen = new Map<string, string>()
    for (const route of reads) {
      const { status, text } = await ask(tenant, 'GET', urlOf(route, tenant.ids))
      seen.set(title(route), `${status} ${timeless(text)}`)
    }
    // An export leaves a line here.
    for (const log of ['/audit', '/exports/audit']) seen.delete(`GET /console/api${log}`)
    return seen
  }

  /** The hours of the usage follow the quota a moment later. */
  async function isUsageCounted(tenant: Tenant): Promise<boolean> {
    const { data } = JSON.parse((await ask(tenant, 'GET', '/console/api/usage')).text)
    const counted = data.hours.reduce((sum: number, { used }: { used: number }) => sum + used, 0)
    // A plan without limits has no quota to compare with.
    return data.limits.day === null || counted === data.limits.day.used
  }

  test('see nothing of each other', async () => {
    const signs = [world.a.word, ...Object.values(world.a.ids)]
    for (const route of reads) {
      const { text } = await ask(world.b, 'GET', urlOf(route, world.b.ids))
      for (const sign of signs) expect(text.includes(sign), `${title(route)} shows ${sign}: ${text}`).toBe(false)
    }
  })

  test('are shown the same whatever the other one has, counts and lists included', async () => {
    expect(Object.fromEntries(await seenBy(world.b))).toEqual(Object.fromEntries(before))
  })

  test.each(titled(withIds))('%s: what belongs to the other one does not exist', async (_, route) => {
    const body = route.method === 'GET' ? undefined : acts[route.id]?.(world.b)
    const nobodys = Object.fromEntries(Object.entries(world.a.ids).map(([name, id]) => [name, randomLike(id)]))
    for (const ids of [world.a.ids, { ...world.a.ids, message_id: world.a.ids.own_message_id ?? '' }]) {
      const theirs = await ask(world.b, route.method, urlOf(route, ids), body)
      expect(theirs.status, `The other account was let in, or the body in 'acts' is not valid: ${theirs.text}`).toBe(
        404,
      )
      expect(told(theirs)).toEqual(told(await ask(world.b, route.method, urlOf(route, nobodys), body)))
    }
  })

  const named = routes.flatMap((route) => {
    const query = route.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    const names = route.method === 'GET' ? query : route.fields
    return names
      .filter((name) => name in naming && !(route.id === 'getAnalytics' && name === 'from'))
      .map((name) => [title(route), name, route] as const)
  })

  test.each(named)('%s: naming what belongs to the other one in "%s" names nothing', async (_, name, route) => {
    const theirs = world.a.ids[naming[name] ?? ''] ?? ''
    const asked = (id: string) =>
      route.method === 'GET'
        ? ask(world.b, 'GET', urlOf(route, world.b.ids, { [name]: id }))
        : ask(world.b, route.method, urlOf(route, world.b.ids), { ...acts[route.id]?.(world.b), [name]: id })
    const answer = await asked(theirs)
    if (route.method !== 'GET') expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
    expect(told(answer)).toEqual(told(await asked(randomLike(theirs))))
  })

  /** All that an answer says, except for the ids that were asked for. */
  function told({ status, text }: Answer): string {
    const ids = Object.values(world.a.ids).flatMap((id) => [id, randomLike(id)])
    const plain = timeless(text)
    return `${status} ${ids.reduce((said, id) => said.replaceAll(id, 'ID'), plain)}`
  }

  test('change nothing of each other: neither for itself nor for the customer whom both know', async () => {
    const untouched = await seenBy(world.a)
    for (const [id, bodyOf] of Object.entries(acts)) {
      const route = routes.find((one) => one.id === id)
      if (!route) throw new Error(`There is no route ${id} any more.`)
      const { status, text } = await ask(world.b, route.method, urlOf(route, world.b.ids), bodyOf(world.b))
      expect(status, `${title(route)}: ${text}`).toBeLessThan(300)
    }
    expect(Object.fromEntries(await seenBy(world.a))).toEqual(Object.fromEntries(untouched))
  })
})
