import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type HostileReceiver, startHostileReceiver } from '../../../../test/support/receiver/hostile-receiver.ts'
import { dripBody, hugeBody, respond, sendRaw } from '../../../../test/support/receiver/hostile-receiver-reactions.ts'
import { createGuardedHttp } from './guarded-http.ts'
import type { StreamRequest } from './guarded-http-stream.ts'

const http = createGuardedHttp({ allow: ['127.0.0.0/8'], allowLoopback: false, connectMs: 250 })
const receivers: HostileReceiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function receive(): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver()
  receivers.push(receiver)
  return receiver
}

async function fetchBody(url: string, more: Partial<StreamRequest> = {}) {
  const chunks: Buffer[] = []
  const write = (chunk: Buffer) => void chunks.push(chunk)
  const timeouts = { headersMs: 500, totalMs: 750 }
  const outcome = await http.fetchStream({ url, bytesMax: 1_000_000, timeouts, write, ...more })
  return { outcome, body: Buffer.concat(chunks) }
}

describe('fetchStream', () => {
  test('gives the whole body in order, waiting for each write', async () => {
    const receiver = await receive()
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    receiver.next(respond({ headers: { 'content-type': 'image/png' }, body: sent }))
    const chunks: Buffer[] = []
    let busy = 0
    const write = async (chunk: Buffer) => {
      busy += 1
      expect(busy).toBe(1)
      await delay(1)
      chunks.push(chunk)
      busy -= 1
    }
    const timeouts = { headersMs: 20_000, totalMs: 20_000 }
    const { outcome } = await fetchBody(receiver.url, { write, timeouts })
    expect(outcome).toMatchObject({ kind: 'response', statusCode: 200, bytes: 300_000, remoteIp: '127.0.0.1' })
    expect(Buffer.concat(chunks).equals(sent)).toBe(true)
  })

  test('nothing is written of an answer that is not 2xx', async () => {
    const receiver = await receive()
    receiver.next(respond({ status: 404, body: 'no such file' }))
    const { outcome, body } = await fetchBody(receiver.url)
    expect(outcome).toMatchObject({ kind: 'response', statusCode: 404, bytes: 0 })
    expect(body).toHaveLength(0)
  })

  test.each([
    ['announced', hugeBody(2_000_000)],
    ['unannounced', sendRaw(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1_500_000)}`, { close: true })],
  ])('a body over the limit, %s, is too_large and never written beyond it', async (_, reaction) => {
    const receiver = await receive()
    receiver.next(reaction)
    const { outcome, body } = await fetchBody(receiver.url)
    expect(outcome).toMatchObject({ kind: 'failure', code: 'too_large' })
    expect(body.length).toBeLessThanOrEqual(1_000_000)
  })

  test('a body that never ends is a timeout, one that breaks off a failure', async () => {
    const receiver = await receive()
    receiver.next(dripBody(200, 10))
    receiver.on('/short', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nshort', { close: true }))
    expect((await fetchBody(receiver.url, { bytesMax: 2e9 })).outcome).toMatchObject({ code: 'timeout' })
    expect((await fetchBody(`${receiver.url}/short`)).outcome).toMatchObject({ kind: 'failure' })
  })

  test('a body that cannot be stored is our fault', async () => {
    const receiver = await receive()
    receiver.next(respond({ body: 'x'.repeat(1000) }))
    const { outcome } = await fetchBody(receiver.url, { write: () => Promise.reject(new Error('disk full')) })
    expect(outcome).toMatchObject({ kind: 'failure', code: 'our_fault' })
  })

  test('three redirects are followed, relative ones too, a fourth is not', async () => {
    const receiver = await receive()
    for (const [from, to] of ['1', '2', '3', '4'].map((step) => [`/${step}`, `/${Number(step) + 1}`] as const)) {
      receiver.on(from, respond({ status: 302, headers: { location: to } }))
    }
    receiver.on('/5', respond({ body: 'found' }))
    expect((await fetchBody(`${receiver.url}/2`)).body.toString()).toBe('found')
    expect((await fetchBody(`${receiver.url}/1`)).outcome).toMatchObject({ code: 'too_many_redirects' })
  })

  test('headers for the first origin are not carried to another', async () => {
    const [first, second] = [await receive(), await receive()]
    first.next(respond({ status: 307, headers: { location: `${second.url}/file` } }))
    await fetchBody(first.url, { headers: { authorization: 'Bearer secret' } })
    expect(first.requests[0]?.headers.authorization).toBe('Bearer secret')
    expect(second.requests[0]?.path).toBe('/file')
    expect(second.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test.each(['http://10.0.0.1/', 'https://169.254.169.254/latest', 'http://public.test/', 'file:///etc/passwd', '//['])(
    'a redirect to %s is blocked and not visited',
    async (location) => {
      const receiver = await receive()
      receiver.next(respond({ status: 302, headers: { location } }))
      expect((await fetchBody(receiver.url)).outcome).toMatchObject({ kind: 'failure', code: 'blocked_address' })
    },
  )
})
