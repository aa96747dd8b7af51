import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type HostileReceiver,
  type ReceiverOptions,
  startHostileReceiver,
} from '../../../../test/support/receiver/hostile-receiver.ts'
import {
  answerAfter,
  dripBody,
  dripHeaders,
  floodInformational,
  hugeBody,
  neverAnswer,
  type Reaction,
  resetConnection,
  respond,
  respondEarly,
  respondThenClose,
  sendRaw,
} from '../../../../test/support/receiver/hostile-receiver-reactions.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createGuardedHttp, type GuardedHttp, type HttpOutcome, type HttpResponse } from './guarded-http.ts'

/** The production time-outs at 1/20, and the slot of the deadline wheel a deadline may be late by. */
const CONNECT_MS = 250
const TIMEOUTS = { headersMs: 500, totalMs: 750, bodyMs: 100 }
const SLACK_MS = 250

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close()
})

async function receive(options: ReceiverOptions = {}, ...reactions: Reaction[]): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver(options)
  open.unshift(receiver)
  receiver.next(...reactions)
  return receiver
}

function client(): GuardedHttp {
  const http = createGuardedHttp({ allow: ['127.0.0.0/8'], allowLoopback: false, connectMs: CONNECT_MS })
  open.push(http)
  return http
}

function post(http: GuardedHttp, url: string, body = '{"a":1}'): Promise<HttpOutcome> {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' }
  return http.post({ url, headers, body: Buffer.from(body), timeouts: TIMEOUTS })
}

function answered(outcome: HttpOutcome): HttpResponse {
  if (outcome.kind === 'failure') throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome
}

describe('post', () => {
  test('takes a response that arrived while the process stood still, although its time is over', async () => {
    const standStill: Reaction = {
      run(exchange) {
        void respond({ status: 204 }).run(exchange)
        for (const until = performance.now() + TIMEOUTS.totalMs + SLACK_MS; performance.now() < until; );
      },
    }
    const receiver = await receive({}, standStill)
    expect(answered(await post(client(), receiver.url)).statusCode).toBe(204)
  })

  test('sends the exact bytes and headers, asks for no compression, and tells who answered', async () => {
    const receiver = await receive({}, respond({ status: 202, headers: { 'x-a': '1' }, body: 'thanks' }))
    const outcome = answered(await post(client(), `${receiver.url}/hook?x=1`))
    expect(outcome).toMatchObject({ statusCode: 202, remoteIp: '127.0.0.1' })
    expect(outcome.headers['x-a']).toBe('1')
    expect(outcome.bodyExcerpt.toString()).toBe('thanks')
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1', headers: { 'webhook-id': 'evt_1' } })
    expect(request?.body.toString()).toBe('{"a":1}')
    expect(request?.headers).not.toHaveProperty('accept-encoding')
  })

  test.each([200, 201, 204, 299, 301, 302, 304, 307, 308, 400, 410, 429, 500, 503])(
    'status %i is handed on as it is and no redirect is followed',
    async (status) => {
      const target = await receive()
      const receiver = await receive({}, respond({ status, headers: { location: `${target.url}/inside` } }))
      expect(answered(await post(client(), receiver.url)).statusCode).toBe(status)
      expect(receiver.requests).toHaveLength(1)
      expect(target.connections).toBe(0)
    },
  )

  test('connections are kept and used again', async () => {
    const receiver = await receive()
    const http = client()
    for (let count = 0; count < 5; count += 1) answered(await post(http, receiver.url))
    expect(receiver.requests).toHaveLength(5)
    expect(receiver.connections).toBe(1)
  })

  test('a path that hangs does not hold up another path of the same origin', async () => {
    const receiver = await receive()
    receiver.on('/hangs', neverAnswer())
    const http = client()
    const hanging = Array.from({ length: 32 }, () => post(http, `${receiver.url}/hangs`))
    expect(answered(await post(http, `${receiver.url}/works`)).durationMs).toBeLessThan(TIMEOUTS.headersMs)
    expect(new Set((await Promise.all(hanging)).map((one) => one.kind))).toEqual(new Set(['failure']))
  })
})

describe('deadlines', () => {
  test.each([
    ['a receiver that never answers', neverAnswer(), TIMEOUTS.headersMs],
    ['headers that drip', dripHeaders(20), TIMEOUTS.headersMs],
  ])('%s is a timeout at the limit for headers, and the connection is cut', async (_, reaction, limitMs) => {
    const receiver = await receive({}, reaction)
    const outcome = await post(client(), receiver.url)
    expect(outcome).toMatchObject({ kind: 'failure', code: 'timeout' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(limitMs)
    expect(outcome.durationMs).toBeLessThan(limitMs + SLACK_MS)
    await waitFor(() => receiver.openConnections === 0)
  })

  test('a TLS handshake that never completes is a timeout at the limit for connecting', async () => {
    const receiver = await receive({ silent: true })
    const outcome = await post(client(), receiver.url.replace('http:', 'https:'))
    expect(outcome).toMatchObject({ kind: 'failure', code: 'timeout' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(CONNECT_MS)
    expect(outcome.durationMs).toBeLessThan(CONNECT_MS + SLACK_MS)
    await waitFor(() => receiver.openConnections === 0)
  })

  test.each([200, 500])('a %i whose body drips for ever counts at its status line', async (status) => {
    const receiver = await receive({}, dripBody(status, 10))
    const outcome = answered(await post(client(), receiver.url))
    expect(outcome.statusCode).toBe(status)
    expect(outcome.bodyExcerpt.toString()).toMatch(/^\.+$/)
    expect(outcome.durationMs).toBeLessThan(TIMEOUTS.bodyMs + SLACK_MS)
    await waitFor(() => receiver.openConnections === 0)
  })

  test('the total limit ends what the limit for headers would still permit', async () => {
    const receiver = await receive({}, neverAnswer())
    const timeouts = { headersMs: 5_000, totalMs: 200, bodyMs: 5_000 }
    const outcome = await client().post({ url: receiver.url, headers: {}, body: Buffer.from('x'), timeouts })
    expect(outcome).toMatchObject({ code: 'timeout' })
    expect(outcome.durationMs).toBeLessThan(200 + SLACK_MS)
  })

  test('a late answer inside the limits is an answer', async () => {
    const receiver = await receive({}, answerAfter(300, respond({ status: 201 })))
    expect(answered(await post(client(), receiver.url)).statusCode).toBe(201)
  })
})

describe('hostile answers', () => {
  test('of a 200 MB body little is read, 4 KiB are kept, and the connection is not used again', async () => {
    const sent = { bytes: 0 }
    const receiver = await receive({}, hugeBody(200e6, sent))
    const http = client()
    const outcome = answered(await post(http, receiver.url))
    expect(outcome.statusCode).toBe(200)
    expect(outcome.bodyExcerpt).toHaveLength(4096)
    await waitFor(() => receiver.openConnections === 0)
    // What lies in the socket buffers of both sides counts as sent.
    expect(sent.bytes).toBeLessThan(20e6)
    answered(await post(http, receiver.url))
    expect(receiver.connections).toBe(2)
  })

  test('a compressed body is kept as received', async () => {
    const bomb = gzipSync(Buffer.alloc(10e6))
    const receiver = await receive({}, respond({ headers: { 'content-encoding': 'gzip' }, body: bomb }))
    const outcome = answered(await post(client(), receiver.url))
    expect(outcome.bodyExcerpt).toEqual(bomb.subarray(0, 4096))
  })

  test.each([
    ['headers of 20 kB', sendRaw(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`)],
    ['garbage', sendRaw('SSH-2.0-OpenSSH_9.2\r\n')],
    ['HTTP/0.9', sendRaw('<html>hello</html>', { close: true })],
    ['two lengths', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx')],
    ['a negative length', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n')],
    ['an unasked 100', sendRaw('HTTP/1.1 100 Continue\r\n\r\n')],
    ['an unasked upgrade', sendRaw('HTTP/1.1 101 Up\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')],
    ['a flood of 1xx', floodInformational(5)],
  ])('%s is a protocol_error, and the next delivery works', async (_, reaction) => {
    const receiver = await receive({}, reaction)
    const http = client()
    expect(await post(http, receiver.url)).toMatchObject({ kind: 'failure', code: 'protocol_error' })
    expect(answered(await post(http, receiver.url)).statusCode).toBe(200)
  })

  test('a body shorter than announced does not undo the status', async () => {
    const receiver = await receive({}, sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', { close: true }))
    const outcome = answered(await post(client(), receiver.url))
    expect(outcome.statusCode).toBe(200)
    expect(outcome.bodyExcerpt.toString()).toBe('short')
  })

  test('an answer before the request body was read is honoured', async () => {
    const receiver = await receive({}, respondEarly({ status: 413 }))
    expect(answered(await post(client(), receiver.url, 'x'.repeat(256 * 1024))).statusCode).toBe(413)
  })
})

describe('lost connections', () => {
  test('a reset in mid-request is connection_reset and not sent again', async () => {
    const receiver = await receive({}, resetConnection({ early: true }))
    expect(await post(client(), receiver.url)).toMatchObject({ kind: 'failure', code: 'connection_reset' })
    expect(receiver.requests).toHaveLength(1)
  })

  test.each(['end', 'reset'] as const)('a kept connection lost to %s while idle is replaced unnoticed', async (how) => {
    const receiver = await receive()
    const http = client()
    answered(await post(http, receiver.url))
    receiver.dropConnections(how)
    expect(answered(await post(http, receiver.url)).statusCode).toBe(200)
    expect(receiver.requests).toHaveLength(2)
  })

  test('a kept connection that dies under the request is resent once on a new one', async () => {
    const receiver = await receive({}, respond(), resetConnection())
    const http = client()
    answered(await post(http, receiver.url))
    expect(answered(await post(http, receiver.url)).statusCode).toBe(200)
    expect(receiver.requests.map((request) => request.connection)).toEqual([1, 1, 2])
  })

  test('a second loss is a failure: there is one resend, not a loop', async () => {
    const receiver = await receive({}, respond(), resetConnection(), resetConnection())
    const http = client()
    answered(await post(http, receiver.url))
    expect(await post(http, receiver.url)).toMatchObject({ kind: 'failure', code: 'connection_reset' })
    expect(receiver.requests).toHaveLength(3)
  })

  test('a kept connection that breaks off inside its answer is a failure, not a resend', async () => {
    const receiver = await receive({}, respond(), sendRaw('HTTP/1.1 200 OK\r\nx-', { close: true }))
    const http = client()
    answered(await post(http, receiver.url))
    expect(await post(http, receiver.url)).toMatchObject({ kind: 'failure' })
    expect(receiver.requests).toHaveLength(2)
  })

  test('a receiver that closes after every answer without saying so costs no delivery', async () => {
    const receiver = await receive()
    receiver.on('/', respondThenClose())
    const http = client()
    for (let count = 0; count < 20; count += 1) answered(await post(http, receiver.url))
    expect(receiver.requests.length).toBeGreaterThanOrEqual(20)
  })

  test('nobody listening is connection_refused', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as net.AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await post(client(), `http://127.0.0.1:${port}/`)).toMatchObject({ code: 'connection_refused' })
  })
})
