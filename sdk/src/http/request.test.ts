import { describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { ConnectionError, InvalidRequestError, PosternError, RateLimitError, ServerError } from '../errors.ts'
import { FakeGateway, type Reply, rejection, WoundClock } from '../testing/fake-gateway.ts'

const text = { to: '+12025550100', message: 'Hello' }
const sent: Reply = { data: { message_id: 'wamid.1', status: 'sent' } }
const unavailable: Reply = { error: { code: 'service_unavailable', status: 500, retryable: true } }

const hostOf = (gateway: FakeGateway) => new URL(gateway.baseUrl).host

/** Answers the replies in order, and the last one from then on. */
function inOrder(...replies: Reply[]): () => Reply {
  let position = 0
  return () => replies[Math.min(position++, replies.length - 1)] as Reply
}

describe('retries', () => {
  test('a POST whose answer is lost is repeated with the same Idempotency-Key and the same body', async () => {
    await using gateway = await FakeGateway.start(inOrder('reset', 'reset', sent))
    const result = await gateway.client().messages.send(text)
    expect(result).toEqual({ messageId: 'wamid.1', status: 'sent' })
    expect(gateway.seen).toHaveLength(3)
    const keys = new Set(gateway.seen.map((request) => request.headers['idempotency-key']))
    expect(keys.size).toBe(1)
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(gateway.seen.map((request) => request.body.toString())).size).toBe(1)
  })

  test('two calls have different Idempotency-Keys, and a given key is sent as it is', async () => {
    await using gateway = await FakeGateway.start(() => sent)
    const { messages } = gateway.client()
    await messages.send(text)
    await messages.send(text)
    await messages.send(text, { idempotencyKey: 'order-A-1001' })
    const keys = gateway.seen.map((request) => request.headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('order-A-1001')
  })

  test('a GET carries no Idempotency-Key', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    await gateway.client().auth.me()
    expect(gateway.seen[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('an error marked retryable is repeated twice, then thrown', async () => {
    await using gateway = await FakeGateway.start(() => unavailable)
    const error = await rejection(gateway.client().messages.send(text, { idempotencyKey: 'k1' }))
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: 'service_unavailable', retryable: true, idempotencyKey: 'k1' })
    expect(gateway.seen).toHaveLength(3)
  })

  test('an error that is not retryable is thrown at once, whatever its status', async () => {
    await using gateway = await FakeGateway.start(() => ({
      error: { code: 'send_outcome_unknown', status: 500, retryable: false, message_id: 'out_1' },
    }))
    const error = await rejection(gateway.client().messages.send(text))
    expect(error).toMatchObject({ code: 'send_outcome_unknown', messageId: 'out_1' })
    expect(gateway.seen).toHaveLength(1)
  })

  test('the waits grow from half a second with full jitter', async () => {
    await using gateway = await FakeGateway.start(() => unavailable)
    const clock = new WoundClock()
    await rejection(gateway.client({ maxRetries: 6 }, clock).messages.send(text))
    expect(clock.sleptMs).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000])
  })

  test('Retry-After is waited for when the time limit of the call allows it', async () => {
    const limited: Reply = {
      error: { code: 'channel_rate_limited', type: 'rate_limit', status: 429, retryable: true },
      headers: { 'retry-after': '29' },
    }
    await using gateway = await FakeGateway.start(inOrder(limited, sent))
    const clock = new WoundClock()
    await gateway.client({}, clock).messages.send(text)
    expect(clock.sleptMs).toEqual([29_000])
  })

  test('a repeat that came while the first request ran is made again, with the same key', async () => {
    const running: Reply = {
      error: { code: 'idempotency_in_progress', type: 'rate_limit', status: 429, retryable: true, retry_after: 2 },
    }
    await using gateway = await FakeGateway.start(inOrder(running, sent))
    const clock = new WoundClock()
    await gateway.client({}, clock).messages.send(text)
    expect(clock.sleptMs).toEqual([2_000])
    const keys = gateway.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test('a call waits no longer than its time limit in all', async () => {
    const limited: Reply = {
      error: { code: 'channel_rate_limited', type: 'rate_limit', status: 429, retryable: true, retry_after: 4 },
    }
    await using gateway = await FakeGateway.start(() => limited)
    const clock = new WoundClock()
    const error = await rejection(gateway.client({ timeoutMs: 10_000, maxRetries: 9 }, clock).messages.send(text))
    expect(error).toMatchObject({ code: 'channel_rate_limited', retryAfter: 4 })
    expect(clock.sleptMs).toEqual([4_000, 4_000])
    expect(gateway.seen).toHaveLength(3)
  })

  test('a call does not wait for a token longer than its time limit', async () => {
    await using gateway = await FakeGateway.start(() => sent)
    gateway.onToken = () => 'hang'
    const error = await rejection(gateway.client().messages.send(text, { timeoutMs: 50 }))
    expect(error).toMatchObject({ code: 'timeout', retryable: true })
    expect(gateway.seen).toEqual([])
  })

  test('a longer Retry-After is not waited for: the error says how long', async () => {
    await using gateway = await FakeGateway.start(() => ({
      error: { code: 'rate_limit_exceeded', type: 'rate_limit', status: 429, retryable: true, retry_after: 61 },
    }))
    const clock = new WoundClock()
    const error = await rejection(gateway.client({}, clock).messages.send(text))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfter: 61 })
    expect(clock.sleptMs).toEqual([])
    expect(gateway.seen).toHaveLength(1)
  })

  test('maxRetries can be set for a client and for a call', async () => {
    await using gateway = await FakeGateway.start(() => unavailable)
    const client = gateway.client({ maxRetries: 1 })
    await rejection(client.auth.me())
    expect(gateway.seen).toHaveLength(2)
    await rejection(client.auth.me({ maxRetries: 0 }))
    expect(gateway.seen).toHaveLength(3)
  })

  test('a secret rotation whose answer is lost is not repeated', async () => {
    await using gateway = await FakeGateway.start(() => 'reset')
    expect(await rejection(gateway.client().webhooks.rotateSecret('whk_1'))).toBeInstanceOf(ConnectionError)
    expect(gateway.seen).toHaveLength(1)
  })
})

describe('answers that are not the gateway’s', () => {
  test('an HTML 502 of a proxy is a retryable ServerError and is retried', async () => {
    const html: Reply = { text: '<html>Bad Gateway</html>', status: 502, headers: { 'content-type': 'text/html' } }
    await using gateway = await FakeGateway.start(inOrder(html, sent))
    expect(await gateway.client().messages.send(text)).toMatchObject({ status: 'sent' })
    const error = await rejection(gateway.client({ maxRetries: 0, fetch: () => answer(502, '<html>') }).auth.me())
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ code: 'unexpected_response', status: 502, retryable: true })
  })

  test('an HTML 413 is an InvalidRequestError and is not retried', async () => {
    await using gateway = await FakeGateway.start(() => ({ text: '<html>too large</html>', status: 413 }))
    const error = await rejection(gateway.client().messages.send(text))
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(gateway.seen).toHaveLength(1)
  })

  test.each([
    ['a web page', '<!doctype html><title>Console</title>'],
    ['JSON without an envelope', '[1,2]'],
    ['JSON null', 'null'],
    ['nothing', ''],
  ])('a 200 with %s is an error that asks about baseUrl', async (_, body) => {
    await using gateway = await FakeGateway.start(() => ({ text: body, status: 200 }))
    const error = await rejection(gateway.client().auth.me())
    expect(error).toMatchObject({ code: 'unexpected_response', retryable: false })
    expect(String(error)).toContain('baseUrl')
  })

  test('a success in words with a failing status is a failure', async () => {
    await using gateway = await FakeGateway.start(() => ({ status: 500, data: {} }))
    expect(await rejection(gateway.client().auth.me())).toMatchObject({ code: 'unexpected_response', status: 500 })
  })

  test('a redirect is not followed, so credentials never reach another host', async () => {
    await using elsewhere = await FakeGateway.start(() => sent)
    await using gateway = await FakeGateway.start(() => sent)
    gateway.onToken = () => ({ text: '', status: 307, headers: { location: `${elsewhere.baseUrl}/v1/auth/token` } })
    const error = await rejection(gateway.client().auth.me())
    expect(error).toMatchObject({ code: 'unexpected_response', status: 307 })
    expect(elsewhere.tokenRequests).toHaveLength(0)
  })
})

describe('time', () => {
  test('a call without an answer ends after timeoutMs as a retryable ConnectionError, retries included', async () => {
    await using gateway = await FakeGateway.start(() => 'hang')
    // Long enough for the request to arrive on a busy machine.
    const error = await rejection(gateway.client({ timeoutMs: 500, maxRetries: 1 }).auth.me())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: 'timeout', status: undefined, retryable: true })
    expect(error).toHaveProperty('message', `GET /v1/auth/me had no answer from ${hostOf(gateway)} after 500 ms`)
    expect(gateway.seen).toHaveLength(1)
  })

  test('aborting ends a call under way with the reason of the signal and without a retry', async () => {
    const abort = new AbortController()
    await using gateway = await FakeGateway.start(() => {
      abort.abort(new Error('enough'))
      return 'hang'
    })
    expect(await rejection(gateway.client({ maxRetries: 0 }).auth.me({ signal: abort.signal }))).toEqual(
      new Error('enough'),
    )
    expect(gateway.seen).toHaveLength(1)
  })

  test('aborting ends the wait for a retry', async () => {
    await using gateway = await FakeGateway.start(() => ({ ...unavailable, headers: { 'retry-after': '20' } }))
    const abort = new AbortController()
    const client = gateway.client(
      {},
      {
        ...systemClock,
        sleep: (ms, signal) => {
          const waiting = systemClock.sleep(ms, signal)
          abort.abort(new Error('enough'))
          return waiting
        },
      },
    )
    expect(await rejection(client.auth.me({ signal: abort.signal }))).toEqual(new Error('enough'))
    expect(gateway.seen).toHaveLength(1)
  })

  test('a refused connection is a ConnectionError that keeps its cause and names the host and port', async () => {
    const gateway = await FakeGateway.start(() => sent)
    const client = gateway.client()
    const host = hostOf(gateway)
    await gateway[Symbol.asyncDispose]()
    const error = (await rejection(client.auth.me())) as ConnectionError
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.code).toBe('connection_failed')
    expect(error.message).toBe(
      `POST /v1/auth/token got no response from ${host}: connection refused. Check that the gateway is running and that the base URL is right.`,
    )
    expect(error.cause).toBeInstanceOf(TypeError)
  })
})

describe('the request', () => {
  test('names the client, and sends JSON in snake_case', async () => {
    await using gateway = await FakeGateway.start(() => sent)
    await gateway
      .client()
      .messages.send({ ...text, clientReference: 'A-1', previewUrl: true }, { clientRequestId: 'c1' })
    const [request] = gateway.seen
    expect(request?.headers['user-agent']).toMatch(/^postern-node\/\d+\.\d+\.\d+ node\/\d+$/)
    expect(request?.headers['x-client-request-id']).toBe('c1')
    expect(request?.headers.authorization).toBe('Bearer token-1')
    expect(request?.json).toEqual({ ...text, client_reference: 'A-1', preview_url: true })
  })

  test('a base address may have a path and a trailing slash', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    gateway.onToken = () => ({ data: {} })
    const client = gateway.client({ baseUrl: `${gateway.baseUrl}/chat/`, fetch: recordUrl })
    await rejection(client.auth.me())
    expect(urls).toEqual([`${gateway.baseUrl}/chat/v1/auth/token`])
  })

  test.each(['', 'a b', 'ключ', 'x'.repeat(256)])(
    'an unusable idempotency key %j is refused before sending',
    async (idempotencyKey) => {
      await using gateway = await FakeGateway.start(() => sent)
      expect(() => gateway.client().messages.send(text, { idempotencyKey })).toThrow(TypeError)
      expect(gateway.seen).toHaveLength(0)
    },
  )

  test('withResponse tells status, request id, headers, quotas and replays', async () => {
    await using gateway = await FakeGateway.start(() => ({
      ...sent,
      headers: {
        'ratelimit-policy': '"hour";q=100;w=3600, "day";q=1000;w=86400',
        ratelimit: '"hour";r=42;t=1260, "day";r=812;t=48060',
        'idempotent-replayed': 'true',
      },
    }))
    const { data, response } = await gateway.client().messages.send(text).withResponse()
    expect(data.messageId).toBe('wamid.1')
    expect(response).toMatchObject({ status: 200, requestId: 'req_1', idempotentReplayed: true })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.rateLimit).toEqual({
      hour: { quota: 100, remaining: 42, windowSeconds: 3_600, resetsInSeconds: 1_260 },
      day: { quota: 1_000, remaining: 812, windowSeconds: 86_400, resetsInSeconds: 48_060 },
    })
  })

  test('a plan without quotas has no rate-limit state', async () => {
    await using gateway = await FakeGateway.start(() => sent)
    expect((await gateway.client().messages.send(text).withResponse()).response.rateLimit).toBeUndefined()
  })
})

describe('hooks', () => {
  test('see every attempt, and nothing secret', async () => {
    await using gateway = await FakeGateway.start(inOrder(unavailable, { data: { messages: [], pagination: {} } }))
    const notices: unknown[] = []
    const note = (notice: unknown) => notices.push(notice)
    const client = gateway.client({ onRequest: note, onResponse: note })
    await client.messages.list({ phoneNumber: '+12025550100' }).page()
    await client.messages.send({ to: '+12025550100', message: 'private words' })
    expect(notices).toHaveLength(8)
    expect(notices[3]).toMatchObject({
      method: 'GET',
      path: '/v1/chat/messages',
      attempt: 1,
      status: 500,
      errorCode: 'service_unavailable',
      requestId: 'req_1',
    })
    expect(notices[5]).toMatchObject({ attempt: 2, status: 200, errorCode: undefined })
    expect(JSON.stringify(notices)).not.toMatch(/pts_|ptk_|token-1|Bearer|private words|2025550100/)
  })

  test('that throw do not change the outcome', async () => {
    await using gateway = await FakeGateway.start(() => sent)
    const broken = () => {
      throw new Error('broken hook')
    }
    const client = gateway.client({ onRequest: broken, onResponse: broken })
    expect(await client.messages.send(text)).toMatchObject({ status: 'sent' })
    expect(gateway.seen).toHaveLength(1)
  })
})

test('a rejected call is a PosternError with the facts of the error body', async () => {
  await using gateway = await FakeGateway.start(() => ({
    error: {
      code: 'validation_failed',
      type: 'invalid_request',
      status: 400,
      message: '1 field is invalid.',
      doc_url: 'https://console.example.test/docs/errors#validation_failed',
      details: [{ field: 'client_reference', location: 'body', code: 'too_long', message: 'Use 128.' }],
    },
  }))
  const error = await rejection(gateway.client().messages.send(text))
  expect(error).toBeInstanceOf(PosternError)
  expect(error).toMatchObject({
    name: 'InvalidRequestError',
    code: 'validation_failed',
    status: 400,
    type: 'invalid_request',
    retryable: false,
    requestId: 'req_1',
    details: [{ field: 'client_reference', location: 'body', code: 'too_long', message: 'Use 128.' }],
  })
})

const urls: string[] = []

const recordUrl: typeof fetch = (input, init) => {
  urls.push(String(input))
  return fetch(input, init)
}

async function answer(status: number, body: string): Promise<Response> {
  return new Response(body, { status })
}
