import Type from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { readRequests } from '../../../../test/support/store-queries.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { changeKey } from '../../access/keys/console-keys.ts'
import { createKey } from '../../access/keys/create-key.ts'
import { newApiSecret, newPublicKey } from '../../access/keys/credentials.ts'
import { createRequestRecorder, expireOldRequests } from '../../access/request-log.ts'
import { operator } from '../../audit/audit.ts'
import { plans } from '../../contract/plans.ts'
import { scopes } from '../../contract/scopes.ts'
import { createAccount } from '../../installation/account.ts'
import { dayMs } from '../../lib/durations.ts'
import { findApiKeyByPublicKey } from '../../store/accounts/api-keys.ts'
import { insertRequests, type RequestLogRow } from '../../store/accounts/request-log.ts'
import { insertChannel } from '../../store/channels/channels.ts'
import { saveNumber } from '../../store/channels/numbers.ts'
import { Unit } from '../../store/engine/unit.ts'
import { createApp } from '../app.ts'
import { addAuthRoutes } from '../v1/auth.ts'
import type { App } from './context.ts'

function aSlowAnswer() {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  return { arrived, arrive, answered, answer }
}

describe.each(engines)('the request log, on %s', (engine) => {
  let world: TestRuntime
  let app: App
  let accountId = ''
  let token = ''
  let slow = aSlowAnswer()
  let publicKey = ''
  let issued = { api_key: '', api_secret: '' }

  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  /** A gateway with this setting, and an account that nobody has used. */
  async function start(setting: 'all' | 'refused' | 'off'): Promise<void> {
    slow = aSlowAnswer()
    const rt = { ...world.rt, config: { ...world.rt.config, requestLog: setting } }
    app = await createApp(rt, {
      readiness: { check: async () => [] },
      resources: [addAuthRoutes, addSendRoute],
    })
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(world.rt, input)
    const payload = { api_key: row.public_key, api_secret: secret }
    issued = payload
    const answer = await app.inject({ method: 'POST', url: '/v1/auth/token', payload })
    token = answer.json().data.access_token
    accountId = account.id
    publicKey = row.public_key
  }
  afterEach(() => app.close())

  function addSendRoute(one: App): void {
    const body = Type.Object({ to: Type.String() }, { additionalProperties: true })
    const config = { access: { scope: 'messages:send' } } as const
    one.post('/v1/chat/messages/send', { config, schema: { body } }, async (request) => {
      return { success: true, data: { echo: request.body } } as never
    })
    one.post('/v1/chat/messages/slow', { config, schema: { body } }, async () => {
      slow.arrive()
      await slow.answered
      return { success: true, data: {} } as never
    })
  }

  const headers = () => ({ authorization: `Bearer ${token}` })
  const me = () => app.inject({ url: '/v1/auth/me', headers: headers() })
  const send = (payload: object) =>
    app.inject({ method: 'POST', url: '/v1/chat/messages/send', headers: headers(), payload })

  async function connect(kind: 'sandbox' | 'cloud'): Promise<void> {
    const unit = new Unit()
    const sealed = { app_id: null, access_token: null, app_secret: null, verify_token: null }
    const unknown = { name: null, token_expires_at: null, last_event_at: null, checked_at: null, check_steps: null }
    unit.add(insertChannel, {
      ...sealed,
      ...unknown,
      id: `chn_${kind}_${accountId}`,
      callback_id: `cb_${kind}_${accountId}`,
      account_id: accountId,
      kind,
      waba_id: `${kind}_${accountId}`,
      base_url: 'http://platform.test',
      graph_version: 'v1',
      // Even one that was left keeps everything out.
      status: kind === 'cloud' ? 'disconnected' : 'connected',
      business_verified: 0,
      currency: null,
      time_zone: null,
      marketing_messages: 0,
      connected_at: 1,
      disconnected_at: kind === 'cloud' ? 2 : null,
      updated_at: 2,
      revision: 1,
    })
    await world.rt.store.write(unit)
  }

  async function addNumber(kind: 'sandbox' | 'cloud', phoneNumber: string): Promise<string> {
    const id = `pn_${kind}_${accountId}`
    const unit = new Unit()
    const unknown = { quality: null, messaging_limit: null, last_inbound_at: null, disconnected_at: null }
    unit.add(saveNumber, {
      ...unknown,
      id,
      channel_id: `chn_${kind}_${accountId}`,
      account_id: accountId,
      phone_number_id: `${kind}_${accountId}`,
      phone_number: phoneNumber,
      display_name: null,
      status: 'CONNECTED',
      sends_per_second: 80,
      preferred_at: 0,
      connected_at: 1,
      updated_at: 1,
    })
    await world.rt.store.write(unit)
    return id
  }

  const aRow = (index: number, at: number): RequestLogRow => ({
    id: `req_${accountId}_${String(index).padStart(6, '0')}`,
    account_id: accountId,
    key_id: null,
    at,
    method: 'GET',
    route: '/v1/auth/me',
    status: 404,
    code: null,
    duration_ms: 1,
    body: null,
    path: null,
    answer: null,
  })

  /** Closing writes what is gathered; nothing is waited for before. */
  async function logged(): Promise<RequestLogRow[]> {
    await app.close()
    const newest = { before_at: Number.MAX_SAFE_INTEGER, before_id: '', count: 100 }
    return world.rt.store.read(readRequests, { account_id: accountId, ...newest })
  }

  test('keeps refusals and sends by default, without texts, secrets and whole numbers', async () => {
    await start('refused')
    await me()
    await send({ to: '+12025550100', message: 'The parcel is here' })
    const wrong = {
      message: 'private words',
      mesage: 'private '.repeat(20),
      phone: '+12025550100',
      from: 'US.13491208655302741918',
      id: 12025550100,
      api_secret: 'pts_x',
    }
    const refused = await send(wrong)
    expect(refused.statusCode).toBe(400)
    const rows = await logged()
    expect(rows.map(({ method, route, status, code }) => [method, route, status, code])).toEqual(
      expect.arrayContaining([
        ['POST', '/v1/chat/messages/send', 200, null],
        ['POST', '/v1/chat/messages/send', 400, 'validation_failed'],
      ]),
    )
    expect(rows).toHaveLength(2)
    const refusal = rows.find(({ status }) => status === 400)
    expect(refusal?.id).toBe(refused.headers['x-request-id'])
    expect(JSON.parse(refusal?.body ?? '')).toEqual({
      mesage: '[160 characters]',
      phone: '+1202••••100',
      from: 'US.13•••••••••••••••918',
      id: '[number]',
    })
    expect(rows.find(({ status }) => status === 200)?.body).toBeNull()
  })

  test('keeps calls with their answers while all numbers are of the sandbox, never a secret', async () => {
    await start('all')
    await connect('sandbox')
    const message = `private words, ${newApiSecret()}`
    await send({ to: '+12025550100', message, access_token: 'mine' })
    await app.inject({ method: 'POST', url: '/v1/auth/token', payload: { api_key: publicKey, api_secret: 'wrong' } })
    await app.inject({ url: '/v1/auth/me?wanted=1', headers: headers() })
    await send({ other: 'ü'.repeat(2_000) })
    const rows = await logged()
    const rowOf = (route: string, status: number) => rows.find((row) => row.route === route && row.status === status)
    const sent = rowOf('/v1/chat/messages/send', 200)
    expect(sent?.path).toBe('/v1/chat/messages/send')
    const whole = { to: '+12025550100', message: 'private words, [secret]', access_token: '[secret]' }
    expect(JSON.parse(sent?.body ?? '')).toEqual(whole)
    expect(JSON.parse(sent?.answer ?? '')).toEqual({ success: true, data: { echo: whole } })
    expect(rowOf('/v1/auth/me', 400)).toMatchObject({ path: '/v1/auth/me?wanted=1', body: '' })
    const wrong = rowOf('/v1/auth/token', 401)
    expect(JSON.parse(wrong?.body ?? '')).toEqual({ api_key: publicKey, api_secret: '[secret]' })
    expect(JSON.parse(wrong?.answer ?? '').error.code).toBe('invalid_credentials')
    for (const { body, answer } of rows) {
      for (const text of [body, answer]) expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(2_048)
      expect(`${body}${answer}`).not.toMatch(/pts_|eyJ/)
    }
    expect(rows.some(({ body }) => body?.endsWith('…'))).toBe(true)
  })

  test('keeps no secret of an address: neither of its own query nor of one in the body, whatever its field is called', async () => {
    await start('all')
    await connect('sandbox')
    const url = '/v1/chat/messages/send?access_token=EAAGx&wanted=1&hub.verify%5Ftoken=y'
    const address = 'https://shop.test/hooks?token=hidden&x=1'
    const payload = { uri: address, image: { link: address }, callbacks: [address], message: `See ${address}` }
    await app.inject({ method: 'POST', url, headers: headers(), payload })
    const [row] = await logged()
    expect(row?.path).toBe('/v1/chat/messages/send?access_token=[secret]&wanted=1&hub.verify%5Ftoken=[secret]')
    const masked = 'https://shop.test/hooks?token=[secret]&x=[secret]'
    expect(JSON.parse(row?.body ?? '')).toEqual({
      uri: masked,
      image: { link: masked },
      callbacks: [masked],
      // What was said to a customer stays as it was said.
      message: `See ${address}`,
    })
  })

  test('keeps no answer once a real number was connected, nor those of a load', async () => {
    await start('refused')
    await connect('sandbox')
    const recorder = createRequestRecorder(world.rt)
    const exchange = { path: '/v1/auth/me', body: '', answer: '{}' }
    for (let nth = 0; nth < 30; nth++) recorder.record(aRow(nth, 1), () => exchange)
    await recorder.close()
    await connect('cloud')
    await send({ to: '+12025550100', message: 'private words' })
    const [sent, ...load] = await logged()
    expect(load.filter(({ answer }) => answer === '{}')).toHaveLength(20)
    expect(load).toHaveLength(30)
    expect(sent).toMatchObject({ status: 200, body: null, path: null, answer: null })
  })

  test('takes many calls of a load with one write', async () => {
    await start('refused')
    const writes: number[] = []
    const tally = async (unit: Unit) => {
      writes.push(unit.calls[0]?.rows.length ?? 0)
      return world.rt.store.tally(unit)
    }
    const recorder = createRequestRecorder({ ...world.rt, store: { ...world.rt.store, tally } })
    const record = (nth: number) => recorder.record(aRow(nth, 1), () => ({ path: '', body: '', answer: '' }))
    for (let nth = 0; nth < 5; nth++) record(nth)
    await waitFor(() => writes.length === 1)
    const startedMs = performance.now()
    record(5)
    await waitFor(() => writes.length === 2)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(240)
    expect(writes).toEqual([5, 1])
    await recorder.close()
  })

  test('keeps the answer to a send that names a number of the sandbox beside real numbers, and to no other', async () => {
    await start('refused')
    await connect('sandbox')
    await connect('cloud')
    const sandbox = await addNumber('sandbox', '+12025550000')
    const real = await addNumber('cloud', '+351210000000')
    const froms = [sandbox, '+1 (202) 555-0000', real, '+351210000000', undefined, 'pn_unknown']
    for (const from of froms) await send({ to: '+12025550100', message: 'A trial', from })
    const rows = (await logged()).toReversed()
    expect(rows.map(({ answer, body, path }) => [answer, body, path].every((part) => part !== null))).toEqual(
      froms.map((from) => from === sandbox || from === '+1 (202) 555-0000'),
    )
  })

  test('keeps that a token was issued, without the token', async () => {
    await start('all')
    await connect('sandbox')
    await app.inject({ method: 'POST', url: '/v1/auth/token', payload: issued })
    const rows = await logged()
    expect(rows.map(({ route, status }) => [route, status])).toEqual([
      ['/v1/auth/token', 200],
      ['/v1/auth/token', 200],
    ])
    expect(JSON.parse(rows[0]?.answer ?? '').data.access_token).toBe('[secret]')
    expect(JSON.stringify(rows)).not.toMatch(/pts_|eyJ/)
  })

  test('keeps a call without its scope and a call beyond the quota', async () => {
    await start('refused')
    const { rt } = world
    const [key] = await rt.store.read(findApiKeyByPublicKey, { public_key: publicKey })
    if (!key) throw new Error('no key')
    const change = { action: 'api_key.access_changed', actor: operator } as const
    await changeKey(rt, key, { scopes: '["messages:read"]' }, change)
    expect((await send({ to: '+12025550100' })).json().error.code).toBe('insufficient_scope')
    for (let used = 1; used < plans.free.hour; used++) await app.access.gate.take(accountId, 'free')
    expect((await me()).json().error.code).toBe('rate_limit_exceeded')
    const rows = await logged()
    expect(rows.map(({ status, code, key_id }) => [status, code, key_id])).toEqual(
      expect.arrayContaining([
        [403, 'insufficient_scope', key.id],
        [429, 'rate_limit_exceeded', key.id],
      ]),
    )
    expect(rows).toHaveLength(2)
  })

  test('keeps a send whose client left before the answer', async () => {
    await start('refused')
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const leave = new AbortController()
    const calling = fetch(`${address}/v1/chat/messages/slow`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+12025550100' }),
      signal: leave.signal,
    })
    await slow.arrived
    leave.abort()
    await expect(calling).rejects.toThrow('aborted')
    await waitFor(() => world.logLines.some((line) => line.includes('"status":499')))
    slow.answer()
    const [row, ...others] = await logged()
    expect(others).toEqual([])
    expect(row).toMatchObject({ route: '/v1/chat/messages/slow', status: 499, code: null })
  })

  test('keeps everything when told to, in at most 2 KiB each', async () => {
    await start('all')
    await me()
    await send(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field_${index}`, 'ü'.repeat(20)])))
    const rows = await logged()
    expect(rows.map(({ route }) => route).sort()).toEqual(['/v1/auth/me', '/v1/auth/token', '/v1/chat/messages/send'])
    const body = rows.find(({ status }) => status === 400)?.body ?? ''
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(2_048)
    expect(body.endsWith('…')).toBe(true)
  })

  test('shows the owner of a key who tried it with a wrong secret, without the secret, until guessing is slowed', async () => {
    await start('refused')
    const ask = (api_key: string) =>
      app.inject({ method: 'POST', url: '/v1/auth/token', payload: { api_key, api_secret: newApiSecret() } })
    await ask(newPublicKey())
    const answers: number[] = []
    for (let nth = 0; nth < 12; nth++) answers.push((await ask(publicKey)).statusCode)
    expect(answers.slice(-1)).toEqual([429])
    const rows = await logged()
    expect(rows).toHaveLength(answers.filter((status) => status === 401).length)
    expect(new Set(rows.map(({ route, status, code }) => `${route} ${status} ${code}`))).toEqual(
      new Set(['/v1/auth/token 401 invalid_credentials']),
    )
    expect(rows[0]?.body).toBe('{}')
  })

  test('keeps nothing when it is off, and nothing of strangers', async () => {
    await start('off')
    await send({})
    expect(await logged()).toEqual([])
  })

  test('forgets after seven days, and beyond 50,000 rows of one account', { timeout: 60_000 }, async () => {
    await start('refused')
    const now = world.clock.now()
    for (let start = 0; start < 50_010; start += 1_000) {
      const unit = new Unit()
      const count = Math.min(1_000, 50_010 - start)
      unit.add(insertRequests, ...Array.from({ length: count }, (_, index) => aRow(start + index, now + start + index)))
      await world.rt.store.write(unit)
    }
    const old = new Unit()
    old.add(insertRequests, aRow(90_000, now - 7 * dayMs - 1))
    await world.rt.store.write(old)
    await expireOldRequests(world.rt)
    const newest = { before_at: Number.MAX_SAFE_INTEGER, before_id: '', count: 100_000 }
    const left = await world.rt.store.read(readRequests, { account_id: accountId, ...newest })
    expect(left).toHaveLength(50_000)
    expect(left.at(-1)?.at).toBe(now + 10)
  })
})
