import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { AuthenticationError, ConnectionError, ServerError } from '../errors.ts'
import { credentials, FakeGateway, type Reply, rejection, WoundClock } from '../testing/fake-gateway.ts'

const me: Reply = { data: { scopes: [] } }
const refused = (code: string): Reply => ({ error: { code, type: 'authentication', status: 401 } })

describe('the access token', () => {
  test('is fetched once for 50 calls that start together', async () => {
    await using gateway = await FakeGateway.start(() => me)
    const { auth } = gateway.client()
    await Promise.all(Array.from({ length: 50 }, () => auth.me()))
    expect(gateway.tokenRequests).toHaveLength(1)
    expect(gateway.tokenRequests[0]?.json).toEqual({ api_key: credentials.apiKey, api_secret: credentials.apiSecret })
    expect(gateway.tokenRequests[0]?.headers).not.toHaveProperty('authorization')
    expect(gateway.seen).toHaveLength(50)
  })

  test('is kept until 80 % of its life and renewed after', async () => {
    await using gateway = await FakeGateway.start(() => me)
    const clock = new WoundClock()
    const { auth } = gateway.client({}, clock)
    await auth.me()
    clock.nowMs += 2_879_000
    await auth.me()
    expect(gateway.tokenRequests).toHaveLength(1)
    clock.nowMs += 1_000
    await auth.me()
    expect(gateway.tokenRequests).toHaveLength(2)
    expect(gateway.seen.at(-1)?.headers.authorization).toBe('Bearer token-2')
  })

  test('is used to its end when the early renewal fails', async () => {
    await using gateway = await FakeGateway.start(() => me)
    const clock = new WoundClock()
    const { auth } = gateway.client({ maxRetries: 0 }, clock)
    await auth.me()
    gateway.onToken = () => ({ error: { code: 'service_unavailable', status: 500, retryable: true } })
    clock.nowMs += 3_000_000
    await auth.me()
    expect(gateway.seen.at(-1)?.headers.authorization).toBe('Bearer token-1')
    clock.nowMs += 600_000
    expect(await rejection(auth.me())).toBeInstanceOf(ServerError)
  })

  test.each(['token_expired', 'token_revoked', 'invalid_token'])(
    'is replaced once after 401 %s, and the call repeated with the same key',
    async (code) => {
      await using gateway = await FakeGateway.start((request) =>
        request.headers.authorization === 'Bearer token-1' ? refused(code) : { data: { status: 'sent' } },
      )
      const clock = new WoundClock()
      await gateway.client({ maxRetries: 0 }, clock).messages.send({ to: '+12025550100', message: 'Hello' })
      expect(gateway.tokenRequests).toHaveLength(2)
      expect(gateway.seen.map((request) => request.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
      expect(new Set(gateway.seen.map((request) => request.headers['idempotency-key'])).size).toBe(1)
      expect(clock.sleptMs).toEqual([])
    },
  )

  test('that is refused again ends the call', async () => {
    await using gateway = await FakeGateway.start(() => refused('token_expired'))
    const error = await rejection(gateway.client().auth.me())
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(gateway.seen).toHaveLength(2)
  })

  test('is replaced once for many calls that are refused together', async () => {
    await using gateway = await FakeGateway.start((request) =>
      request.headers.authorization === 'Bearer token-1' ? refused('token_revoked') : me,
    )
    const { auth } = gateway.client()
    await Promise.all(Array.from({ length: 20 }, () => auth.me()))
    expect(gateway.tokenRequests).toHaveLength(2)
  })

  test('is not asked for again with credentials that were refused', async () => {
    await using gateway = await FakeGateway.start(() => me)
    gateway.onToken = () => refused('invalid_credentials')
    const error = await rejection(gateway.client().auth.me())
    expect(error).toMatchObject({ name: 'AuthenticationError', code: 'invalid_credentials' })
    expect(gateway.tokenRequests).toHaveLength(1)
  })

  test('fetch is retried by its own rules only: three attempts, not nine', async () => {
    await using gateway = await FakeGateway.start(() => me)
    gateway.onToken = () => 'reset'
    expect(await rejection(gateway.client().auth.me())).toBeInstanceOf(ConnectionError)
    expect(gateway.tokenRequests).toHaveLength(3)
  })

  test('fetch survives callers giving up, for the others', async () => {
    const abort = new AbortController()
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<Reply>()
    await using gateway = await FakeGateway.start(() => me)
    gateway.onToken = () => {
      asked.resolve()
      return released.promise
    }
    const { auth } = gateway.client()
    const impatient = rejection(auth.me({ signal: abort.signal }))
    const patient = auth.me()
    await asked.promise
    abort.abort(new Error('enough'))
    expect(await impatient).toEqual(new Error('enough'))
    expect(await rejection(auth.me({ signal: abort.signal }))).toEqual(new Error('enough'))
    released.resolve({ data: { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 } })
    expect(await patient).toEqual({ scopes: [] })
    expect(gateway.tokenRequests).toHaveLength(1)
  })

  test('is forgotten after it was revoked', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { revoked: true } }))
    const { auth } = gateway.client()
    await auth.revoke({ chain: true })
    expect(gateway.seen[0]).toMatchObject({ url: '/v1/auth/revoke', json: { chain: true } })
    await auth.me()
    expect(gateway.tokenRequests).toHaveLength(2)
  })
})

describe('secrets', () => {
  test('are not in what a client prints', async () => {
    await using gateway = await FakeGateway.start(() => me)
    const client = gateway.client()
    await client.auth.me()
    const printed = inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client)
    expect(printed).toContain('Messages')
    expect(printed).not.toMatch(/pts_|token-1/)
  })

  test.each<[string, Reply]>([
    ['an answer that is no JSON', { text: '{"access_token":"leaky-token"', status: 200 }],
    ['a token no header can hold', { data: { access_token: 'leaky-token\u00e9\n', expires_in: 3600 } }],
    ['an HTML error', { text: `<p>${credentials.apiSecret} leaky-token</p>`, status: 500 }],
    ['a cut connection', 'reset'],
  ])('are not in the error after %s', async (_, reply) => {
    await using gateway = await FakeGateway.start(() => me)
    gateway.onToken = () => reply
    const error = await rejection(gateway.client().auth.me())
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/pts_|leaky/)
  })
})
