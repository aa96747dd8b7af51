import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { NumberCredentials } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import { createCloudApi } from './cloud-api.ts'
import type { CloudLimits } from './cloud-request.ts'

/** Deadlines at a twentieth of those in production. */
const limits = { connectMs: 150, totalMs: 750, transferMs: 750, repeatPauseMs: 10 }

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

describe('A send whose answer is missing or worthless', () => {
  test('is not_sent when the connection is refused, after one repeat', async () => {
    const closed = await rawServer(() => {})
    await closed.close()
    const error = await sendTo(closed.url)
    expect(error).toMatchObject({ code: 'upstream_unavailable', outcome: 'not_sent', kind: 'unreachable' })
    expect(error.retryable).toBe(true)
  })

  test('is not_sent when the connection breaks before the request could be written', async () => {
    const server = await rawServer((socket) => socket.resetAndDestroy())
    const error = await sendTo(server.url.replace('http:', 'https:'))
    expect(error).toMatchObject({ code: 'upstream_unavailable', outcome: 'not_sent' })
    expect(server.connections).toBe(2)
  })

  test('is not_sent when the handshake hangs: the connect deadline counts, long before the whole one', async () => {
    const server = await rawServer(() => {})
    const startedMs = performance.now()
    const platform = cloud({ ...limits, totalMs: 15_000 })
    const secure = number(server.url.replace('http:', 'https:'))
    const error = await failureOf(platform.send(secure, text, { correlation: 'c' }))
    expect(error).toMatchObject({ code: 'upstream_unavailable', outcome: 'not_sent' })
    expect(performance.now() - startedMs).toBeLessThan(6_000)
    expect(server.connections).toBe(2)
  })

  test('is unknown when the connection is reset after the request was written, and is not repeated', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect(await sendTo(server.url)).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
    expect(server.connections).toBe(1)
  })

  test('is unknown when the connection is closed without an answer', async () => {
    const server = await rawServer((socket) => socket.once('data', () => socket.end()))
    expect(await sendTo(server.url)).toMatchObject({ outcome: 'unknown' })
    expect(server.connections).toBe(1)
  })

  test('is unknown when nothing comes back before the deadline', async () => {
    const server = await rawServer((socket) => socket.resume())
    const startedMs = performance.now()
    expect(await sendTo(server.url)).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(limits.totalMs - 5)
    expect(server.connections).toBe(1)
  })

  test('is unknown when the body drips past the deadline', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{')
      const drip = setInterval(() => socket.write(' '), 20)
      socket.on('close', () => clearInterval(drip))
      socket.resume()
    })
    expect(await sendTo(server.url)).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
  })

  test('is unknown when the body ends before its announced length', async () => {
    const server = await answering('HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"messages":[', { end: true })
    expect(await sendTo(server.url)).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['a page of HTML with status 502', page(502, '<html>Bad Gateway</html>', 'text/html')],
    ['a page of HTML with status 200', page(200, '<html>Hello</html>', 'text/html')],
    ['an empty 200', page(200, '')],
    ['a 200 without a message id', page(200, '{"messaging_product":"whatsapp","messages":[]}')],
    ['code 131000', page(500, '{"error":{"code":131000}}')],
    ['code 1', page(400, '{"error":{"code":1}}')],
    ['code 2', page(503, '{"error":{"code":2}}')],
    ['code 131016', page(500, '{"error":{"code":131016}}')],
    ['code 133004', page(503, '{"error":{"code":133004}}')],
    ['more than a mebibyte', page(200, `{"messages":[{"id":"x"}],"pad":"${'x'.repeat(1_100_000)}"}`)],
  ])('is unknown after %s and is posted once', async (_name, response) => {
    const server = await answering(response)
    expect(await sendTo(server.url)).toMatchObject({ code: 'send_outcome_unknown', outcome: 'unknown' })
    expect(server.requests).toBe(1)
  })

  test('is unknown when the answer is not HTTP at all', async () => {
    const server = await answering('SSH-2.0-OpenSSH\r\n\r\n')
    expect(await sendTo(server.url)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('A send the platform did not process', () => {
  test('is repeated once after a bare 429 and then succeeds', async () => {
    const server = await answering([page(429, 'Too many requests', 'text/plain'), page(200, accepted)])
    await expect(send(server.url)).resolves.toMatchObject({ messageId: 'wamid.A', waId: '15550001111' })
    expect(server.requests).toBe(2)
  })

  test('is repeated at most once', async () => {
    const server = await answering(page(429, 'Too many requests', 'text/plain'))
    expect(await sendTo(server.url)).toMatchObject({ code: 'upstream_unavailable', outcome: 'not_sent' })
    expect(server.requests).toBe(2)
  })

  test.each([
    ['a throttle', '{"error":{"code":130429}}', 'channel_rate_limited'],
    ['maintenance', '{"error":{"code":131057}}', 'channel_rate_limited'],
    ['a refusal', '{"error":{"code":131026}}', 'recipient_unreachable'],
  ])('is not repeated after %s', async (_name, body, code) => {
    const server = await answering(page(400, body))
    expect(await sendTo(server.url)).toMatchObject({ code, outcome: 'refused' })
    expect(server.requests).toBe(1)
  })

  test('names the wait of the usage header', async () => {
    const usage = 'X-Business-Use-Case-Usage: {"9":[{"estimated_time_to_regain_access":2}]}\r\n'
    const server = await answering(page(400, '{"error":{"code":4}}', 'application/json', usage))
    expect(await sendTo(server.url)).toMatchObject({ kind: 'throttled', retryAfterMs: 120_000 })
  })
})

describe('Redirects and connections', () => {
  test('a redirect is a refusal and is never followed', async () => {
    const elsewhere = await answering(page(200, accepted))
    const server = await answering(page(302, '', 'text/html', `Location: ${elsewhere.url}/v26.0/1/messages\r\n`))
    expect(await sendTo(server.url)).toMatchObject({ code: 'channel_rejected', outcome: 'refused' })
    expect(elsewhere.connections).toBe(0)
  })

  test('connections are kept: twenty sends in a row need no more than two', async () => {
    const server = await answering(page(200, accepted))
    const platform = cloud()
    for (let count = 0; count < 20; count++) await platform.send(number(server.url), text, { correlation: 'c' })
    expect(server.requests).toBe(20)
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  test('a send never waits for the connection of another one', async () => {
    const waiting: Socket[] = []
    // Answers none before all are there: a call that waited for another's connection would wait for ever.
    const server = await rawServer((socket) =>
      socket.once('data', () => {
        waiting.push(socket)
        if (waiting.length === 300) for (const one of waiting) one.end(page(200, accepted))
      }),
    )
    const platform = cloud({ ...limits, connectMs: 30_000, totalMs: 30_000 })
    const sends = Array.from({ length: 300 }, () => platform.send(number(server.url), text, { correlation: 'c' }))
    const receipts = await Promise.all(sends)
    expect(receipts.map(({ messageId }) => messageId)).toEqual(Array(300).fill('wamid.A'))
    expect(server.connections).toBe(300)
  })
})

const accepted = JSON.stringify({
  messaging_product: 'whatsapp',
  contacts: [{ input: '+15550001111', wa_id: 15550001111 }],
  messages: [{ id: 'wamid.A' }],
})
const text = { to: { phone: '+15550001111' }, content: { type: 'text', text: 'hi' } } as const

function cloud(given: Partial<CloudLimits> = limits) {
  const platform = createCloudApi(given)
  closers.push(() => platform.close())
  return platform
}

function send(url: string) {
  return cloud().send(number(url), text, { correlation: 'c' })
}

function sendTo(url: string): Promise<PlatformError> {
  return failureOf(send(url))
}

async function failureOf(promise: Promise<unknown>): Promise<PlatformError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PlatformError)) throw new Error('A PlatformError was expected.', { cause: error })
  return error
}

function number(baseUrl: string): NumberCredentials {
  return { phoneNumberId: '1', wabaId: '2', accessToken: 'tok-12345678', baseUrl, graphVersion: 'v26.0' }
}

function page(status: number, body: string, type = 'application/json', extra = ''): string {
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${extra}\r\n${body}`
}

type RawServer = { url: string; connections: number; requests: number; close(): Promise<void> }

async function rawServer(onSocket: (socket: Socket, state: RawServer) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    state.connections++
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    onSocket(socket, state)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let closed = false
  const state: RawServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 0,
    requests: 0,
    async close() {
      if (closed) return
      closed = true
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  closers.push(() => state.close())
  return state
}

/** Answers each request with the next of `responses`, then with the last one for ever. */
function answering(responses: string | string[], { end = false } = {}): Promise<RawServer> {
  const queue = [responses].flat()
  return rawServer((socket, state) => {
    let seen = ''
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1')
      if (!seen.includes('"biz_opaque_callback_data"') || !seen.endsWith('}')) return
      seen = ''
      state.requests++
      socket.write((queue.length > 1 ? queue.shift() : queue[0]) ?? '')
      if (end) socket.end()
    })
  })
}
