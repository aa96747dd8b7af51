import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { changeKey, revokeKey, rotateKey } from '../../access/keys/console-keys.ts'
import { createKey } from '../../access/keys/create-key.ts'
import { newApiSecret } from '../../access/keys/credentials.ts'
import { rotateSigningKey } from '../../access/tokens/token-codec.ts'
import { operator } from '../../audit/audit.ts'
import type { Plan } from '../../contract/plans.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import { changeAccount, createAccount } from '../../installation/account.ts'
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts'
import { findApiKeyAnywhere } from '../../store/accounts/api-keys.ts'
import { createApp } from '../app.ts'
import type { App } from '../edge/context.ts'
import { addAuthRoutes } from './auth.ts'

/** A route that needs a scope. */
function addGuarded(app: App): void {
  app.get('/v1/guarded', { config: { access: { scope: 'messages:read' } }, schema: { hide: true } }, async () => ({}))
}

describe.each(engines)('the way in, on %s', (engine) => {
  let world: TestRuntime
  let app: App
  let key: { id: string; api_key: string; api_secret: string; accountId: string }

  const open = async () => {
    world = await aRuntime(engine)
    app = await createApp(world.rt, { readiness: { check: async () => [] }, resources: [addAuthRoutes, addGuarded] })
  }
  const close = async () => {
    await app.close()
    await world.dispose()
  }
  beforeAll(open)
  afterAll(close)
  /** An account of its own for each test, on a day of its own: wrong guesses of the one before are forgotten. */
  beforeEach(async () => {
    world.clock.advance(dayMs)
    key = await aKey()
  })

  async function aKey({
    plan = 'starter' as Plan,
    allowed = scopes as readonly Scope[],
    ips = null as string[] | null,
  } = {}) {
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan, actor: operator })
    const { row, secret } = await createKey(world.rt, {
      accountId: account.id,
      name: 'Checkout',
      scopes: allowed,
      allowedIps: ips,
      createdBy: owner.id,
      actor: operator,
    })
    return { id: row.id, api_key: row.public_key, api_secret: secret, accountId: account.id }
  }
  const post = (url: string, payload?: object, token?: string, ip = '127.0.0.1') =>
    app.inject({
      method: 'POST',
      url,
      ...(payload ? { payload } : {}),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      remoteAddress: ip,
    })
  const me = (token: string, ip = '127.0.0.1') =>
    app.inject({ url: '/v1/auth/me', headers: { authorization: `Bearer ${token}` }, remoteAddress: ip })
  const tokenOf = async (credentials: { api_key: string; api_secret: string }) => {
    const response = await post('/v1/auth/token', { api_key: credentials.api_key, api_secret: credentials.api_secret })
    expect(response.statusCode).toBe(200)
    return response.json().data.access_token as string
  }
  const codeOf = (response: { statusCode: number; json(): { error?: { code: string } } }) =>
    `${response.statusCode} ${response.json().error?.code ?? 'ok'}`

  test('gives exactly the three fields of the specification for a key and its secret', async () => {
    const response = await post('/v1/auth/token', { api_key: key.api_key, api_secret: key.api_secret })
    expect(response.json()).toEqual({
      success: true,
      data: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 },
    })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  test('me says who, what, how much is left', async () => {
    const { data } = (await me(await tokenOf(key))).json()
    expect(data).toMatchObject({
      account: { id: key.accountId, name: 'Acme', plan: 'starter', status: 'active' },
      api_key: { id: key.id, name: 'Checkout', key: expect.stringMatching(/^ptk_.{4}….{4}$/) },
      user: { name: 'Owner', email: null },
      scopes: [...scopes],
      limits: { hour: { quota: 1000, used: 1, remaining: 999 }, day: { quota: 10000, used: 1 } },
    })
    expect(JSON.stringify(data)).not.toContain(key.api_secret)
  })

  test('a key was used once it got a token or its call was rejected, not when its secret was wrong', async () => {
    const lastUsed = async (id: string) =>
      (await world.rt.store.read(findApiKeyAnywhere, { id }))[0]?.last_used_at ?? null
    await post('/v1/auth/token', { api_key: key.api_key, api_secret: 'pts_wrong' })
    const token = await tokenOf(key)
    await expect.poll(() => lastUsed(key.id)).toBe(world.clock.now())
    world.clock.advance(2 * minuteMs)
    const other = await aKey({ allowed: ['webhooks:read'] })
    const basic = `Basic ${Buffer.from(`${other.api_key}:${other.api_secret}`).toString('base64')}`
    const refused = await app.inject({ url: '/v1/guarded', headers: { authorization: basic } })
    expect(codeOf(refused)).toBe('403 insufficient_scope')
    await expect.poll(() => lastUsed(other.id)).toBe(world.clock.now())
    expect(codeOf(await app.inject({ url: '/v1/guarded', headers: { authorization: `Bearer ${token}` } }))).toBe(
      '200 ok',
    )
  })

  test('refuses wrong credentials with one answer, whichever half is wrong', async () => {
    const wrongSecret = await post('/v1/auth/token', { api_key: key.api_key, api_secret: 'pts_wrong' })
    const unknownKey = await post('/v1/auth/token', { api_key: 'ptk_unknown', api_secret: key.api_secret })
    expect(codeOf(wrongSecret)).toBe('401 invalid_credentials')
    const strip = (body: { error: { request_id: string } }) => ({ ...body.error, request_id: '' })
    expect(strip(wrongSecret.json())).toEqual(strip(unknownKey.json()))
    expect(wrongSecret.headers['www-authenticate']).toMatch(/^Bearer realm="postern"/)
  })

  test('tells missing from mistyped credentials', async () => {
    expect(codeOf(await post('/v1/auth/token'))).toBe('401 missing_credentials')
    expect(codeOf(await post('/v1/auth/token', { api_key: '', api_secret: null }))).toBe('401 missing_credentials')
    expect(codeOf(await post('/v1/auth/token', { api_key: 5, api_secret: 'x' }))).toBe('400 validation_failed')
    expect(codeOf(await post('/v1/auth/token', { api_key: 'x', api_secret: 'y', extra: 1 }))).toBe(
      '400 validation_failed',
    )
  })

  test('a narrower token can be asked for, a wider one cannot', async () => {
    const sender = await aKey({ allowed: ['messages:send', 'messages:read'] })
    const narrow = await post('/v1/auth/token', {
      api_key: sender.api_key,
      api_secret: sender.api_secret,
      scopes: ['messages:read'],
    })
    expect((await me(narrow.json().data.access_token)).json().data.scopes).toEqual(['messages:read'])
    const wide = await post('/v1/auth/token', {
      api_key: sender.api_key,
      api_secret: sender.api_secret,
      scopes: ['templates:read'],
    })
    expect(wide.json().error).toMatchObject({ code: 'insufficient_scope', required_scope: 'templates:read' })
  })

  describe('refresh', () => {
    test('works also when the token has expired, and gives another token of the same chain', async () => {
      const old = await tokenOf(key)
      world.clock.advance(hourMs + 5 * minuteMs)
      expect(codeOf(await me(old))).toBe('401 token_expired')
      const refreshed = await post('/v1/auth/refresh', undefined, old)
      expect(refreshed.json()).toEqual({
        success: true,
        data: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 },
      })
      expect(refreshed.json().data.access_token).not.toBe(old)
      expect((await me(refreshed.json().data.access_token)).statusCode).toBe(200)
    })

    test('can be repeated: each gives a new token and revokes none, also when workers are a minute apart', async () => {
      const old = await tokenOf(key)
      const together = await Promise.all([
        post('/v1/auth/refresh', {}, old),
        post('/v1/auth/refresh', { access_token: old }, old),
      ])
      world.clock.advance(62_000)
      const later = await post('/v1/auth/refresh', undefined, old)
      const answers = await Promise.all([...together, later].map((response) => me(response.json().data.access_token)))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
      expect(new Set(answers.map((response) => response.json().data.token.id)).size).toBe(3)
      expect((await me(old)).statusCode).toBe(200)
    })

    test('is over 24 h after the end of the token, and 30 days after the start of the chain', async () => {
      const old = await tokenOf(key)
      world.clock.advance(hourMs + dayMs + 1_000)
      expect(codeOf(await post('/v1/auth/refresh', undefined, old))).toBe('401 token_refresh_window_closed')
      let token = await tokenOf(key)
      for (let day = 0; day < 30; day++) {
        world.clock.advance(dayMs - minuteMs)
        token = (await post('/v1/auth/refresh', undefined, token)).json().data.access_token
      }
      world.clock.advance(hourMs)
      expect(codeOf(await post('/v1/auth/refresh', undefined, token))).toBe('401 token_refresh_window_closed')
    })

    test('refuses another token in the body', async () => {
      const token = await tokenOf(key)
      expect(codeOf(await post('/v1/auth/refresh', { access_token: 'other' }, token))).toBe('400 validation_failed')
    })
  })

  describe('revoke', () => {
    test('counts from the next request on, and can be repeated', async () => {
      const token = await tokenOf(key)
      expect((await me(token)).statusCode).toBe(200)
      const first = await post('/v1/auth/revoke', undefined, token)
      expect(first.json().data).toEqual({
        revoked: true,
        token_id: expect.stringMatching(/^tok_/),
        revoked_at: expect.any(String),
      })
      expect(codeOf(await me(token))).toBe('401 token_revoked')
      expect((await post('/v1/auth/revoke', undefined, token)).json().data).toEqual(first.json().data)
    })

    test('of another token of the same key works, of a stranger or of garbage changes nothing and says nothing', async () => {
      const [mine, other, stranger] = [await tokenOf(key), await tokenOf(key), await tokenOf(await aKey())]
      expect((await post('/v1/auth/revoke', { token: other }, mine)).json().data.revoked).toBe(true)
      expect(codeOf(await me(other))).toBe('401 token_revoked')
      for (const token of [stranger, 'garbage']) {
        const response = await post('/v1/auth/revoke', { token }, mine)
        expect(response.json()).toEqual({ success: true, data: { revoked: false, token_id: null, revoked_at: null } })
      }
      expect((await me(stranger)).statusCode).toBe(200)
    })

    test('takes descendants along, and with chain the tokens before it too', async () => {
      const token = await tokenOf(key)
      const refreshed = async () => (await post('/v1/auth/refresh', undefined, token)).json().data.access_token
      const [one, two] = [await refreshed(), await refreshed()]
      const ofOne = (await post('/v1/auth/refresh', undefined, one)).json().data.access_token
      await post('/v1/auth/revoke', { token: one }, token)
      for (const ended of [one, ofOne]) expect(codeOf(await me(ended))).toBe('401 token_revoked')
      for (const living of [token, two]) expect(codeOf(await me(living))).toBe('200 ok')
      await post('/v1/auth/revoke', { chain: true }, two)
      for (const ended of [token, two]) expect(codeOf(await me(ended))).toBe('401 token_revoked')
    })
  })

  test('a scope taken from a key is taken from its living tokens at once, and given back with it', async () => {
    const token = await tokenOf(key)
    const scopesOf = async () => (await me(token)).json().data.scopes
    const give = async (granted: readonly Scope[]) => {
      const [row] = await world.rt.store.read(findApiKeyAnywhere, { id: key.id })
      if (!row) throw new Error('no key')
      const change = { action: 'api_key.access_changed', actor: operator } as const
      await changeKey(world.rt, row, { scopes: JSON.stringify(granted) }, change)
    }
    await give(['messages:read'])
    expect(await scopesOf()).toEqual(['messages:read'])
    await give(scopes)
    expect(await scopesOf()).toEqual([...scopes])
  })

  describe('key and secret as Basic', () => {
    const basic = (apiKey: string, apiSecret: string) =>
      `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`
    const call = (authorization: string, options: { url?: string; method?: 'GET' | 'POST'; headers?: object } = {}) =>
      app.inject({
        method: options.method ?? 'GET',
        url: options.url ?? '/v1/auth/me',
        headers: { authorization, ...options.headers },
      })
    const right = () => basic(key.api_key, key.api_secret)

    test('are let in without a token, count against the plan alone, and end with the key', async () => {
      for (let calls = 0; calls < 30; calls++) {
        const { data } = (await call(right())).json()
        expect([data.token, data.api_key.id, data.limits.hour.used]).toEqual([null, key.id, calls + 1])
      }
      const [row] = await world.rt.store.read(findApiKeyAnywhere, { id: key.id })
      if (!row) throw new Error('no key')
      await revokeKey(world.rt, row, operator)
      expect(codeOf(await call(right()))).toBe('401 api_key_inactive')
    })

    test('have no more scopes than the key', async () => {
      const sender = await aKey({ allowed: ['messages:send'] })
      const { data } = (await call(basic(sender.api_key, sender.api_secret))).json()
      expect(data.scopes).toEqual(['messages:send'])
    })

    test('are no token: refresh and revoke answer 401', async () => {
      for (const url of ['/v1/auth/refresh', '/v1/auth/revoke']) {
        expect(codeOf(await call(right(), { url, method: 'POST' }))).toBe('401 missing_credentials')
      }
    })

    test('become 429 after ten wrong ones, as at the token endpoint, and are never asked for', async () => {
      const codes = []
      for (let tries = 0; tries < 11; tries++) {
        const answer = await call(basic(key.api_key, newApiSecret()))
        codes.push(codeOf(answer))
        if (answer.statusCode === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="postern"/)
        expect(String(answer.headers['www-authenticate'])).not.toMatch(/basic/i)
      }
      expect(codes).toEqual([...Array(10).fill('401 invalid_credentials'), '429 too_many_attempts'])
      expect((await call(right())).statusCode).toBe(200)
    })

    test('are refused from the page of another site, and when they are no pair', async () => {
      for (const site of ['cross-site', 'same-site']) {
        const answer = await call(right(), { headers: { 'sec-fetch-site': site } })
        expect(codeOf(answer)).toBe('403 cross_site_request')
      }
      for (const site of ['none', 'same-origin']) {
        expect((await call(right(), { headers: { 'sec-fetch-site': site } })).statusCode).toBe(200)
      }
      for (const text of ['', 'no pair', `${key.api_key}:`, `:${key.api_secret}`, `${key.api_key}\0:x`]) {
        expect(codeOf(await call(`Basic ${Buffer.from(text).toString('base64')}`))).toBe('401 invalid_credentials')
      }
    })

    test('that are empty are told which half is, and that the variable may not be set', async () => {
      const message = async (text: string) =>
        (await call(`Basic ${Buffer.from(text).toString('base64')}`)).json().error.message
      const advice = 'Check that the variables they come from are set.'
      expect(await message(':')).toBe(`api_key and api_secret are empty in the Basic credentials. ${advice}`)
      expect(await message(`${key.api_key}:`)).toBe(`api_secret is empty in the Basic credentials. ${advice}`)
      expect(await message(`:${key.api_secret}`)).toBe(`api_key is empty in the Basic credentials. ${advice}`)
      expect((await call('Bearer ')).json().error.message).toBe(
        'The access token after Bearer is missing. Check that its variable is set.',
      )
    })

    test('are not read at the token endpoint, which says so', async () => {
      const { error } = (await call(right(), { url: '/v1/auth/token', method: 'POST' })).json()
      expect([error.code, error.message]).toEqual([
        'missing_credentials',
        'The body needs api_key and api_secret. The Authorization header is not read here; with Basic credentials no token is needed.',
      ])
    })

    test('are named to a client that sends none at all', async () => {
      const { error } = (await app.inject({ url: '/v1/auth/me' })).json()
      expect(error.code).toBe('missing_credentials')
      expect(error.message).toContain('POST /v1/auth/token')
      expect(error.message).toContain('Basic base64(api_key:api_secret)')
    })

    test('are named as the other way to a client that sends the key as bearer', async () => {
      const { error } = (await me(key.api_key)).json()
      expect(error.code).toBe('api_key_not_accepted')
      expect(error.message).toContain('POST /v1/auth/token')
      expect(error.message).toContain('Authorization: Basic base64(api_key:api_secret)')
    })
  })

  describe('the key', () => {
    test('revoked takes all its tokens along at once', async () => {
      const token = await tokenOf(key)
      await me(token)
      const [row] = await world.rt.store.read(findApiKeyAnywhere, { id: key.id })
      if (!row) throw new Error('no key')
      await revokeKey(world.rt, row, operator)
      expect(codeOf(await me(token))).toBe('401 token_revoked')
      expect(codeOf(await post('/v1/auth/token', key))).toBe('400 validation_failed')
      expect(codeOf(await post('/v1/auth/token', { api_key: key.api_key, api_secret: key.api_secret }))).toBe(
        '401 api_key_inactive',
      )
    })

    test('has two live secrets during a rotation, and one after it', async () => {
      const [row] = await world.rt.store.read(findApiKeyAnywhere, { id: key.id })
      if (!row) throw new Error('no key')
      const { secret } = await rotateKey(world.rt, row, operator)
      await tokenOf(key)
      await tokenOf({ api_key: key.api_key, api_secret: secret })
      world.clock.advance(dayMs + 1)
      await tokenOf({ api_key: key.api_key, api_secret: secret })
      expect(codeOf(await post('/v1/auth/token', { api_key: key.api_key, api_secret: key.api_secret }))).toBe(
        '401 invalid_credentials',
      )
    })

    test('with an address list works from there alone', async () => {
      const listed = await aKey({ ips: ['203.0.113.0/24'] })
      const credentials = { api_key: listed.api_key, api_secret: listed.api_secret }
      expect(codeOf(await post('/v1/auth/token', credentials, undefined, '198.51.100.1'))).toBe('403 ip_not_allowed')
      const token = (await post('/v1/auth/token', credentials, undefined, '203.0.113.9')).json().data.access_token
      expect((await me(token, '203.0.113.9')).statusCode).toBe(200)
      expect(codeOf(await me(token, '198.51.100.1'))).toBe('403 ip_not_allowed')
    })

    test('sent as bearer is explained, not just refused', async () => {
      for (const credential of [key.api_key, key.api_secret])
        expect(codeOf(await me(credential))).toBe('401 api_key_not_accepted')
    })
  })

  test('a suspended account is refused at once, and back at once', async () => {
    const token = await tokenOf(key)
    await changeAccount(world.rt, key.accountId, { status: 'suspended' }, operator)
    expect(codeOf(await me(token))).toBe('403 account_suspended')
    await changeAccount(world.rt, key.accountId, { status: 'active' }, operator)
    expect((await me(token)).statusCode).toBe(200)
  })

  test('tokens survive a rotation of the signing key', async () => {
    const token = await tokenOf(key)
    await rotateSigningKey(world.rt)
    world.clock.advance(2 * minuteMs)
    const newer = await tokenOf(key)
    const kidOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).kid
    expect(kidOf(newer)).not.toBe(kidOf(token))
    expect((await me(token)).statusCode).toBe(200)
    expect((await me(newer)).statusCode).toBe(200)
  })

  describe('guessing', () => {
    const guess = (ip: string) =>
      post('/v1/auth/token', { api_key: key.api_key, api_secret: 'pts_guess' }, undefined, ip)

    test('becomes 429 after ten tries from one address, while the right secret passes from anywhere', async () => {
      for (let tries = 0; tries < 10; tries++)
        expect(codeOf(await guess('198.51.100.7'))).toBe('401 invalid_credentials')
      const blocked = await guess('198.51.100.7')
      expect(codeOf(blocked)).toBe('429 too_many_attempts')
      expect(Number(blocked.headers['retry-after'])).toBe(blocked.json().error.retry_after)
      expect(
        (await post('/v1/auth/token', { api_key: key.api_key, api_secret: key.api_secret }, undefined, '198.51.100.7'))
          .statusCode,
      ).toBe(200)
      expect(codeOf(await guess('198.51.100.8'))).toBe('401 invalid_credentials')
    })
  })

  describe('the quota', () => {
    /** At a time that is known, on a gateway that has no earlier requests to judge its load by. */
    beforeEach(async () => {
      await close()
      await open()
    })

    test('lets request 100 pass and refuses request 101 with all that is needed to wait', async () => {
      const free = await aKey({ plan: 'free' })
      const token = await tokenOf(free)
      for (let request = 1; request <= 100; request++) expect((await me(token)).statusCode).toBe(200)
      const refused = await me(token)
      expect(refused.statusCode).toBe(429)
      expect(refused.json().error).toMatchObject({
        code: 'rate_limit_exceeded',
        retryable: true,
        limit: { policy: 'hour', quota: 100, used: 100, window_seconds: 3600, resets_at: '2026-11-15T11:00:00.000Z' },
      })
      expect(refused.headers).toMatchObject({
        'ratelimit-policy': '"hour";q=100;w=3600, "day";q=1000;w=86400',
        ratelimit: '"hour";r=0;t=3600, "day";r=900;t=50400',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '0',
        'retry-after': '3600',
      })
      world.clock.advance(hourMs)
      expect((await me(await tokenOf(free))).headers['x-ratelimit-remaining']).toBe('899')
    })

    test('a parallel burst of 200 on Free passes exactly 100', async () => {
      const token = await tokenOf(await aKey({ plan: 'free' }))
      const responses = await Promise.all(Array.from({ length: 200 }, () => me(token)))
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100)
      expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(100)
    })

    test('is kept when the plan changes, and Enterprise is not counted', async () => {
      const free = await aKey({ plan: 'free' })
      const token = await tokenOf(free)
      await me(token)
      await changeAccount(world.rt, free.accountId, { plan: 'professional' }, operator)
      expect((await me(token)).headers['x-ratelimit-remaining']).toBe('9998')
      await changeAccount(world.rt, free.accountId, { plan: 'enterprise' }, operator)
      const uncounted = await me(token)
      expect(uncounted.headers.ratelimit).toBeUndefined()
      expect(uncounted.json().data.limits).toEqual({ hour: null, day: null, media_bytes: { quota: null, used: 0 } })
    })

    test('does not count tokens, refreshes, revocations and refusals without account', async () => {
      const free = await aKey({ plan: 'free' })
      const token = await tokenOf(free)
      await post('/v1/auth/refresh', undefined, token)
      await me('garbage')
      expect((await me(token)).headers['x-ratelimit-remaining']).toBe('99')
    })
  })

  test('no secret, token or password is in the log', async () => {
    const token = await tokenOf(key)
    await me(token)
    await post('/v1/auth/token', { api_key: key.api_key, api_secret: 'pts_guess' })
    const log = world.logLines.join('\n')
    expect(log).toContain('request.finished')
    for (const secret of [key.api_secret, token, 'pts_guess']) expect(log).not.toContain(secret)
  })
})
