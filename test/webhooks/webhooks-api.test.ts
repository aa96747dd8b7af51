import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import type { AppError } from '../../server/src/contract/app-error.ts'
import { type Scope, scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { resources } from '../../server/src/http/v1/resources.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { readAudit } from '../../server/src/store/accounts/audit-log.ts'
import { checkWebhookUrl } from '../../server/src/webhooks/register-webhook.ts'
import { feedSettled } from '../support/feed.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectSignedWith,
  publish,
  secret,
  type WebhookWorld,
} from '../support/webhook-world.ts'

/** The library takes what follows `whsec_` for base64, and the characters of everything else for the key. */
const acceptedSecrets: [form: string, secret: string][] = [
  ['plain text', 'my-plain-secret_123'],
  ['plain text that happens to be base64', 'abcd1234'],
  ['plain text with spaces', ' two words '],
  ['a pasted header', `v1,${secret}`],
  ['whsec_ with 24 bytes', `whsec_${Buffer.alloc(24, 0xfb).toString('base64')}`],
  ['whsec_ with 25 bytes', `whsec_${Buffer.alloc(25, 0xfb).toString('base64')}`],
  ['whsec_ with 64 bytes', `whsec_${Buffer.alloc(64, 0xfb).toString('base64')}`],
  ['one character', 'x'],
  ['256 characters', 'x'.repeat(256)],
]

/** An API with one account; `call` answers with status and body. */
async function anApi(world: WebhookWorld) {
  const app: App = await createApp(world.rt, { readiness: { check: async () => [] }, resources })
  const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'enterprise', actor: operator })
  world.accountId = account.id
  async function tokenWith(granted: readonly Scope[]): Promise<string> {
    const about = { accountId: account.id, name: 'Key', scopes: granted, allowedIps: null, createdBy: owner.id }
    const { row, secret } = await createKey(world.rt, { ...about, actor: operator })
    const payload = { api_key: row.public_key, api_secret: secret }
    return (await app.inject({ method: 'POST', url: '/v1/auth/token', payload })).json().data.access_token
  }
  const all = await tokenWith(scopes)
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, token = all) {
    const headers = { authorization: `Bearer ${token}` }
    const response = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, ...response.json() }
  }
  return { app, call, tokenWith }
}

describe.each(engines)('the webhook API on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  let api: Awaited<ReturnType<typeof anApi>>
  beforeAll(async () => {
    receiver = await aReceiver()
    world = await aWebhookWorld(engine)
    api = await anApi(world)
  })
  afterAll(async () => {
    await api.app.close()
    await world.dispose()
    await receiver.close()
  })

  async function aWebhook(over = {}): Promise<string> {
    const { data } = await api.call('POST', '/v1/webhooks', {
      url: `${receiver.url}/hook`,
      events: ['*'],
      secret,
      ...over,
    })
    await eventually(
      async () => (await api.call('GET', `/v1/webhooks/${data.id}`)).data.verification.status === 'verified',
    )
    return data.id
  }

  test('registers with 201 and exactly five fields; the secret is never shown', async () => {
    const draft = { url: `${receiver.url}/hook`, events: ['message.sent', 'message.read'], secret }
    const created = await api.call('POST', '/v1/webhooks', draft)
    expect(created).toEqual({
      status: 201,
      success: true,
      data: {
        id: expect.stringMatching(/^whk_[0-9a-hjkmnp-tv-z]{26}$/),
        url: draft.url,
        events: draft.events,
        active: true,
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
    })
    const read = await api.call('GET', `/v1/webhooks/${created.data.id}`)
    expect(read.data).toMatchObject({
      signed: true,
      description: null,
      max_in_flight: 16,
      max_per_second: null,
      last_triggered: null,
      disabled_at: null,
      disabled_reason: null,
      stats: { total_sent: 0, total_failed: 0, success_rate: 100 },
    })
    expect(JSON.stringify(read)).not.toContain('secret')
    expect(world.logLines.join('')).not.toContain(secret)
  })

  test('shows whether deliveries are signed', async () => {
    const id = await aWebhook()
    expect((await api.call('PUT', `/v1/webhooks/${id}`, { secret: null })).data.signed).toBe(false)
    expect((await api.call('GET', `/v1/webhooks/${id}`)).data.signed).toBe(false)
    expect((await api.call('PUT', `/v1/webhooks/${id}`, { secret })).data.signed).toBe(true)
  })

  test('guesses which event type was meant', async () => {
    const draft = { url: `${receiver.url}/hook`, events: ['message.sent', 'message.recieved'] }
    const { status, error } = await api.call('POST', '/v1/webhooks', draft)
    expect([status, error.details.length, error.details[0].field]).toEqual([400, 1, 'events[1]'])
    expect(error.message).toMatch(/Did you mean 'message\.received'\?$/)
  })

  test('lists all webhooks with statistics, without pagination', async () => {
    const listed = await api.call('GET', '/v1/webhooks')
    expect(Object.keys(listed.data)).toEqual(['webhooks'])
    expect(listed.data.webhooks[0]).toMatchObject({ stats: expect.any(Object), verification: expect.any(Object) })
  })

  test('changes only the given fields, refuses an empty change and unknown ones', async () => {
    const id = await aWebhook({ description: 'Orders' })
    const changed = await api.call('PUT', `/v1/webhooks/${id}`, { events: ['message.read'], max_in_flight: 4 })
    expect(changed).toMatchObject({
      status: 200,
      data: { id, events: ['message.read'], max_in_flight: 4, description: 'Orders', active: true },
    })
    expect((await api.call('PUT', `/v1/webhooks/${id}`, { description: null })).data.description).toBeNull()
    expect(await api.call('PUT', `/v1/webhooks/${id}`, {})).toMatchObject({ status: 400 })
    expect(await api.call('PUT', `/v1/webhooks/${id}`, { evnts: ['*'] })).toMatchObject({
      status: 400,
      error: { details: [{ code: 'unknown_field', message: expect.stringContaining("'events'") }] },
    })
    expect(await api.call('PUT', '/v1/webhooks/whk_none', { active: false })).toMatchObject({
      status: 404,
      error: { code: 'webhook_not_found' },
    })
  })

  test('deletes with 200, and the second time there is nothing', async () => {
    const id = await aWebhook()
    expect(await api.call('DELETE', `/v1/webhooks/${id}`)).toEqual({
      status: 200,
      success: true,
      data: { id, deleted: true },
    })
    expect(await api.call('DELETE', `/v1/webhooks/${id}`)).toMatchObject({ status: 404 })
  })

  test('takes a family of events as listen does, at registration and later', async () => {
    const id = await aWebhook({ events: ['message.*', 'webhook.failing'] })
    expect((await api.call('GET', `/v1/webhooks/${id}`)).data.events).toEqual(['message.*', 'webhook.failing'])
    const changed = await api.call('PUT', `/v1/webhooks/${id}`, { events: ['template.*'] })
    expect(changed).toMatchObject({ status: 200, data: { events: ['template.*'] } })
  })

  test('at http://localhost is refused with the way to get events on this machine', async () => {
    const rt = { ...world.rt, config: { ...world.rt.config, webhookDevAllow: [] } }
    const refused: AppError = await checkWebhookUrl(rt, world.accountId, 'http://localhost:3000/hooks').catch((e) => e)
    expect(refused.code).toBe('webhook_url_not_allowed')
    expect(refused.message).toContain('postern listen --forward-to http://localhost:3000/hooks')
    expect(refused.message).toContain('POSTERN_WEBHOOK_DEV_ALLOW')
  })

  test.each([
    ['a family nobody knows', ['parcel.*']],
    ['an unknown type', ['message.lost']],
    ['a repeated type', ['message.sent', 'message.sent']],
    ['no type', []],
    ['the star beside others', ['*', 'message.sent']],
    ['text', 'message.sent'],
  ])('refuses events with %s', async (_, events) => {
    const refused = await api.call('POST', '/v1/webhooks', { url: `${receiver.url}/hook`, events })
    expect(refused).toMatchObject({ status: 400, error: { code: 'validation_failed' } })
  })

  test('sends a sample now and shows the answer; a receiver that fails is a result', async () => {
    const id = await aWebhook()
    const test200 = await api.call('POST', `/v1/webhooks/${id}/test`, { type: 'message.delivered' })
    expect(test200).toMatchObject({
      status: 200,
      data: { type: 'message.delivered', delivered: true, attempt: { number: 1, trigger: 'test', status_code: 200 } },
    })
    receiver.next(respond({ status: 500, body: 'db down' }))
    const test500 = await api.call('POST', `/v1/webhooks/${id}/test`, { type: 'message.received' })
    expect(test500.data).toMatchObject({ delivered: false, attempt: { status_code: 500, response_body: 'db down' } })
    expect((await api.call('GET', `/v1/webhooks/${id}`)).data).toMatchObject({
      last_triggered: null,
      stats: { total_sent: 0 },
    })
  })

  test('sends no sample to a receiver that has not returned a challenge', async () => {
    receiver.echo('wrong')
    const { data } = await api.call('POST', '/v1/webhooks', { url: `${receiver.url}/hook`, events: ['*'], secret })
    const refused = await api.call('POST', `/v1/webhooks/${data.id}/test`, { type: 'message.sent' })
    expect(refused).toMatchObject({ status: 400, error: { code: 'webhook_verification_failed' } })
    const unverified = await api.call('POST', `/v1/webhooks/${data.id}/verify`)
    expect(unverified).toMatchObject({ status: 400, error: { code: 'webhook_verification_failed', retryable: true } })
    receiver.echo('json')
    expect((await api.call('POST', `/v1/webhooks/${data.id}/verify`)).data.verification.status).toBe('verified')
  })

  test('rotates a secret: shown once, the old one lives on for the overlap', async () => {
    const id = await aWebhook({ url: `${receiver.url}/rotated` })
    const rotated = await api.call('POST', `/v1/webhooks/${id}/rotate-secret`)
    expect(rotated.data).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_expires_at: new Date(world.clock.now() + 86_400_000).toISOString(),
      earlier_secret_ended: false,
    })
    receiver.expectSecrets('/rotated', secret, rotated.data.secret)
    await sendSample(id)
    for (const key of [secret, rotated.data.secret]) expectSignedWith(key, eventsAt(receiver, '/rotated'))
    const own = await api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { secret: 'my own', overlap_seconds: 0 })
    expect(own.data).toEqual({
      id,
      secret: 'my own',
      // Without an overlap the old secret is over at once: it may have leaked.
      previous_secret_expires_at: new Date(world.clock.now()).toISOString(),
      earlier_secret_ended: true,
    })
    receiver.expectSecrets('/rotated', 'my own')
    await sendSample(id)
    const signatures = eventsAt(receiver, '/rotated').map(({ headers }) => headers['webhook-signature']?.split(' '))
    expect(signatures.map((some) => some?.length)).toEqual([2, 1])
  })

  const sendSample = async (id: string) =>
    expect(await api.call('POST', `/v1/webhooks/${id}/test`, { type: 'message.sent' })).toMatchObject({
      data: { delivered: true },
    })

  test.each(acceptedSecrets)('a secret of %s signs challenges and events so that they verify', async (form, given) => {
    const path = `/${form.replaceAll(' ', '-')}`
    receiver.expectSecrets(path, given)
    const id = await aWebhook({ url: receiver.url + path, secret: given, events: ['message.sent'] })
    await publish(world)
    await eventually(async () => (await deliveriesOf(world, id))[0]?.status === 'delivered')
    expect(receiver.requests.filter((request) => request.path === path)).toHaveLength(2)
    expectSignedWith(given, eventsAt(receiver, path))
    await api.call('DELETE', `/v1/webhooks/${id}`)
  })

  test('writes every change of a key into the audit log, with the key and without a secret', async () => {
    const id = await aWebhook({ url: `${receiver.url}/audited` })
    receiver.expectSecrets('/audited', secret, 'whispered')
    await api.call('PUT', `/v1/webhooks/${id}`, { description: 'Orders' })
    await api.call('POST', `/v1/webhooks/${id}/rotate-secret`, { secret: 'whispered' })
    await api.call('POST', `/v1/webhooks/${id}/replay`, { since: new Date(world.clock.now() - 1_000).toISOString() })
    await api.call('DELETE', `/v1/webhooks/${id}`)
    const rows = await world.rt.store.read(readAudit, { account_id: world.accountId, after: 0, count: 1_000 })
    const lines = rows.map(({ entry }) => JSON.parse(entry)).filter(({ targets }) => targets[0]?.id === id)
    expect(lines.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.secret_rotated',
      'webhook.replayed',
      'webhook.deleted',
    ])
    for (const { actor, context } of lines) {
      expect(actor).toEqual({ type: 'api_key', id: expect.stringMatching(/^key_/), name: 'Key' })
      expect(context).toMatchObject({ ip: '127.0.0.1', request_id: expect.stringMatching(/^req_/) })
    }
    expect(JSON.stringify(rows)).not.toContain('whispered')
  })

  test('shows deliveries and their attempts, retries and replays them', async () => {
    const id = await aWebhook({ events: ['message.failed'], url: `${receiver.url}/own` })
    receiver.on('/own', respond({ status: 500, body: 'nope', headers: { 'x-trace': 'abc' } }))
    const event = await publish(world, { type: 'message.failed', data: { message_id: 'wamid.A=' } })
    await eventually(async () => (await deliveriesOf(world, id))[0]?.attempts === 1)
    const list = await api.call('GET', `/v1/webhooks/${id}/deliveries?message_id=wamid.A%3D&status=pending,failed`)
    expect(list.data).toMatchObject({
      deliveries: [
        { event_id: event, type: 'message.failed', message_id: 'wamid.A=', status: 'pending', attempt_count: 1 },
      ],
      pagination: { limit: 25, has_more: false, next_cursor: null },
    })
    const path = `/v1/webhooks/${id}/deliveries/${list.data.deliveries[0].id}`
    const one = await api.call('GET', path)
    expect(one.data.attempts[0]).toMatchObject({
      number: 1,
      trigger: 'schedule',
      status_code: 500,
      response_body: 'nope',
      response_headers: { 'x-trace': 'abc' },
      late: false,
    })
    expect(one.data.request_body).toBe(String(eventsAt(receiver, '/own')[0]?.body))
    const { request_headers: headers } = one.data.attempts[0]
    expect(headers['webhook-signature']).toMatch(/^v1,/)
    expect(eventsAt(receiver, '/own')[0]?.headers).toMatchObject(headers)
    receiver.on('/own', respond({}))
    expect(await api.call('POST', `${path}/retry`)).toMatchObject({ status: 200, data: { event_id: event } })
    await eventually(async () => (await api.call('GET', path)).data.status === 'delivered')
    const since = new Date(world.clock.now() - 60_000).toISOString()
    const replayed = await api.call('POST', `/v1/webhooks/${id}/replay`, {
      since,
      status: 'all',
      events: ['message.failed'],
    })
    expect(replayed.data).toEqual({ replay_id: expect.stringMatching(/^rpl_/), matched: 1, queued: 1 })
    await eventually(async () => (await api.call('GET', path)).data.attempts.length === 3)
    world.clock.advance(1)
    await api.call('PUT', `/v1/webhooks/${id}`, { active: false })
    // It may have another secret now: a signature that was never sent would only mislead.
    const changed = (await api.call('GET', path)).data.attempts[0].request_headers
    expect(changed).toEqual({ ...headers, 'webhook-signature': undefined })
    for (const [url, body] of [[`${path}/retry`], [`/v1/webhooks/${id}/replay`, { since }]] as const) {
      expect(await api.call('POST', url, body)).toMatchObject({ status: 400, error: { code: 'webhook_inactive' } })
    }
    expect(await api.call('GET', `/v1/webhooks/${id}/deliveries?status=lost`)).toMatchObject({ status: 400 })
    expect(await api.call('GET', `/v1/webhooks/${id}/deliveries/dlv_none`)).toMatchObject({
      status: 404,
      error: { code: 'delivery_not_found' },
    })
  })

  test('a key without the scope is told which one it lacks; writing implies reading', async () => {
    const reader = await api.tokenWith(['webhooks:read'])
    expect(await api.call('GET', '/v1/webhooks', undefined, reader)).toMatchObject({ status: 200 })
    expect(await api.call('DELETE', '/v1/webhooks/whk_1', undefined, reader)).toMatchObject({
      status: 403,
      error: { code: 'insufficient_scope', required_scope: 'webhooks:write' },
    })
    const writer = await api.tokenWith(['webhooks:write'])
    expect(await api.call('GET', '/v1/webhooks', undefined, writer)).toMatchObject({ status: 200 })
    expect(await api.call('GET', '/v1/events', undefined, writer)).toMatchObject({
      error: { required_scope: 'messages:read' },
    })
  })

  test.each(['message.received', 'message.*', '*'])(
    'a key without messages:read gets %s masked, and masks a webhook whose address it changes or that it adds it to',
    async (type) => {
      const writer = await api.tokenWith(scopes.filter((scope) => scope !== 'messages:read'))
      const draft = { url: `${receiver.url}/hook`, events: [type], secret }
      const own = await api.call('POST', '/v1/webhooks', draft, writer)
      expect([own.status, Object.keys(own.data)]).toEqual([201, ['id', 'url', 'events', 'active', 'created_at']])
      const maskedOf = async (id: string) => (await api.call('GET', `/v1/webhooks/${id}`)).data.masked
      const change = (id: string, changes: object, token?: string) =>
        api.call('PUT', `/v1/webhooks/${id}`, changes, token)
      expect(await maskedOf(own.data.id)).toBe(true)
      await change(own.data.id, { description: 'Shop', events: ['*'] })
      expect(await maskedOf(own.data.id), 'only naming the address ends it').toBe(true)
      await change(own.data.id, { url: draft.url })
      expect(await maskedOf(own.data.id)).toBe(false)
      const { id } = (await api.call('POST', '/v1/webhooks', { ...draft, events: ['message.sent'] })).data
      await change(id, { description: 'Till', active: true }, writer)
      expect(await maskedOf(id)).toBe(false)
      await change(id, { events: draft.events }, writer)
      expect(await maskedOf(id)).toBe(true)
      await change(id, { url: draft.url })
      await change(id, { url: `${receiver.url}/elsewhere` }, writer)
      expect(await maskedOf(id)).toBe(true)
      for (const made of [id, own.data.id]) await api.call('DELETE', `/v1/webhooks/${made}`)
    },
  )

  test('the feed gives the same events in commit order, and its cursor never ends', async () => {
    const own = world.accountId
    await feedSettled(world.rt.store)
    const before = await api.call('GET', '/v1/events?limit=100')
    const cursor = before.data.pagination.next_cursor
    const quiet = await api.call('GET', `/v1/events?limit=100&cursor=${encodeURIComponent(cursor)}`)
    expect(quiet.data).toEqual({ events: [], pagination: { limit: 100, has_more: false, next_cursor: cursor } })
    world.clock.advance(120_000)
    const since = new Date(world.clock.now()).toISOString()
    const events: string[] = []
    for (let index = 0; index < 5; index++) {
      events.push(
        await publish(world, {
          type: index === 2 ? 'message.read' : 'message.sent',
          data: { message_id: `m${index}` },
        }),
      )
    }
    await publish({ ...world, accountId: 'acc_other' })
    await feedSettled(world.rt.store)
    const first = await api.call('GET', `/v1/events?limit=3&since=${since}`)
    expect(first.data.events.map(({ id }: { id: string }) => id)).toEqual(events.slice(0, 3))
    expect(first.data.pagination.has_more).toBe(true)
    const next = encodeURIComponent(first.data.pagination.next_cursor)
    world.clock.advance(13 * 86_400_000)
    const second = await api.call('GET', `/v1/events?limit=3&since=${since}&cursor=${next}`).then(afterRefresh)
    expect(second.data.events.map(({ id }: { id: string }) => id)).toEqual(events.slice(3))
    expect((await api.call('GET', `/v1/events?type=message.read&since=${since}`)).data.events).toHaveLength(1)
    expect((await api.call('GET', '/v1/events?message_id=m4')).data.events).toMatchObject([
      { data: { message_id: 'm4' } },
    ])
    const resumed = await api.call('GET', `/v1/events?limit=3&cursor=${next}`)
    expect(resumed.data.events).toEqual(second.data.events)
    expect(await api.call('GET', `/v1/events?type=message.read&cursor=${next}`)).toMatchObject({
      status: 400,
      error: { code: 'invalid_cursor', message: expect.stringMatching(/^`type` differs from the page/) },
    })
    expect(world.accountId).toBe(own)

    /** Tokens live an hour: after thirteen days another is needed. */
    async function afterRefresh(expired: { status: number }) {
      expect(expired.status).toBe(401)
      const token = await api.tokenWith(scopes)
      const { call } = api
      api.call = (method, url, payload, other) => call(method, url, payload, other ?? token)
      return api.call('GET', `/v1/events?limit=3&since=${since}&cursor=${next}`)
    }
  })
})

describe('what may be registered in production', () => {
  let world: WebhookWorld
  let api: Awaited<ReturnType<typeof anApi>>
  beforeAll(async () => {
    const env = { POSTERN_WEBHOOK_DEV_ALLOW: '', POSTERN_ENV: 'production', POSTERN_MASTER_KEY: 'ab'.repeat(32) }
    world = await aWebhookWorld('sqlite', { env: { ...env, POSTERN_BASE_URL: 'https://gateway.test' }, idle: true })
    api = await anApi(world)
  })
  afterAll(async () => {
    await api.app.close()
    await world.dispose()
  })
  const register = (over: object) =>
    api.call('POST', '/v1/webhooks', { url: 'https://hooks.example.test/', events: ['*'], ...over })

  test.each([
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::7f00:1]/',
  ])('the literal %s is refused', async (url) => {
    expect(await register({ url })).toMatchObject({
      status: 400,
      error: { code: 'webhook_url_not_allowed', details: [{ field: 'url', code: 'invalid_url' }] },
    })
  })

  test.each([
    ['http://hooks.example.test/', 'https_required'],
    ['https://user:pw@hooks.example.test/', 'invalid_url'],
    ['https://localhost/', 'invalid_url'],
    ['https://hooks.example.test:25/', 'invalid_url'],
    ['https://hooks.example.test/#part', 'invalid_url'],
    ['not a url', 'invalid_url'],
  ])('%s is refused as %s', async (url, code) => {
    expect(await register({ url })).toMatchObject({
      status: 400,
      error: { code: 'webhook_url_not_allowed', details: [{ field: 'url', code }] },
    })
  })

  test('the refusal of http names the setting for development', async () => {
    const { error } = await register({ url: 'http://hooks.example.test/' })
    expect(error.message).toContain('POSTERN_WEBHOOK_DEV_ALLOW')
  })

  test.each(acceptedSecrets)('a secret of %s is accepted', async (_, given) => {
    const { status, data } = await register({ secret: given })
    expect(status).toBe(201)
    await api.call('DELETE', `/v1/webhooks/${data.id}`)
  })

  test.each([
    ['nothing', ''],
    ['whsec_ and no base64', 'whsec_xyz!'],
    ['whsec_ with 23 bytes', `whsec_${Buffer.alloc(23, 1).toString('base64')}`],
    ['whsec_ with 65 bytes', `whsec_${Buffer.alloc(65, 1).toString('base64')}`],
    ['whsec_ with base64 that is not canonical', `whsec_${'A'.repeat(41)}B=`],
    ['an asymmetric key', 'whsk_abcdef'],
    ['257 characters', 'x'.repeat(257)],
    ['an emoji', 'secret 🔑'],
    ['an accent', 'sécret'],
  ])('a secret of %s is refused and not repeated', async (_, given) => {
    const refused = await register({ secret: given })
    expect(refused).toMatchObject({
      status: 400,
      error: { code: 'validation_failed', details: [{ field: 'secret', code: 'invalid_secret' }] },
    })
    expect(refused.error.details[0].received).toBeUndefined()
  })
})
