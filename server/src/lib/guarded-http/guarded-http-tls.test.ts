import net from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type HostileReceiver, startHostileReceiver } from '../../../../test/support/receiver/hostile-receiver.ts'
import { caFile, type TestCertificates, testCertificates } from '../../../../test/support/tls.ts'
import { createGuardedHttp, type GuardedHttp, type GuardedHttpOptions } from './guarded-http.ts'

let certificates: TestCertificates
let authority: { file: string; remove(): void }
beforeAll(async () => {
  certificates = await testCertificates()
  authority = await caFile()
})
afterAll(() => authority.remove())

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close()
})

async function receive(tls: object): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver({ tls })
  open.unshift(receiver)
  return receiver
}

function client(options: Partial<GuardedHttpOptions> = {}): GuardedHttp {
  const http = createGuardedHttp({
    allow: [],
    allowLoopback: true,
    caFile: authority.file,
    connectMs: 1_000,
    ...options,
  })
  open.push(http)
  return http
}

const post = (http: GuardedHttp, url: string) =>
  http.post({ url, headers: {}, body: Buffer.from('{}'), allowLoopback: true })

describe('TLS to receivers', () => {
  test.each(['127.0.0.1', 'localhost'])('a certificate of the added authority is trusted for %s', async (host) => {
    const receiver = await receive(certificates.trusted)
    const http = client()
    expect(await post(http, `https://${host}:${receiver.port}/`)).toMatchObject({ kind: 'response', statusCode: 200 })
    expect(await post(http, `https://${host}:${receiver.port}/`)).toMatchObject({ kind: 'response', statusCode: 200 })
    expect(receiver.connections).toBe(1)
  })

  test('a connection made anew resumes the session and is still served', async () => {
    const receiver = await receive(certificates.trusted)
    const http = client()
    await post(http, receiver.url)
    receiver.dropConnections('end')
    expect(await post(http, receiver.url)).toMatchObject({ kind: 'response', statusCode: 200 })
  })

  test.each([
    ['expired', () => certificates.expired, /expired/],
    ['self-signed', () => certificates.selfSigned, /self-signed/],
    ['for another host', () => certificates.wrongName, /another host name/],
    [
      'offered with TLS 1.1 at most',
      () => ({ ...certificates.trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /TLS 1\.2/,
    ],
  ])('a certificate %s is a tls_error that says so, and nothing is sent', async (_, options, message) => {
    const receiver = await receive(options())
    const outcome = await post(client(), `https://127.0.0.1:${receiver.port}/`)
    expect(outcome).toMatchObject({ kind: 'failure', code: 'tls_error', message: expect.stringMatching(message) })
    expect(receiver.requests).toEqual([])
  })

  test('a port that speaks something else is a tls_error', async () => {
    const server = net.createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.unshift({ close: async () => void server.close() })
    const outcome = await post(client(), `https://127.0.0.1:${(server.address() as net.AddressInfo).port}/`)
    expect(outcome).toMatchObject({ code: 'tls_error', message: expect.stringMatching(/does not speak TLS/) })
  })

  test('without the added authority its certificates are not trusted', async () => {
    const receiver = await receive(certificates.trusted)
    const outcome = await post(client({ caFile: null }), receiver.url)
    expect(outcome).toMatchObject({ code: 'tls_error', message: expect.stringMatching(/not trusted/) })
  })
})

describe('the egress proxy', () => {
  /** A CONNECT proxy on loopback that answers with `status` and tunnels only on 200. */
  async function startProxy(status: number) {
    const heads: string[] = []
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', (data) => {
        const head = data.toString()
        heads.push(head)
        socket.write(`HTTP/1.1 ${status} Proxy\r\n\r\n`)
        const port = Number(/^CONNECT [^ ]+:(\d+) /.exec(head)?.[1])
        if (status !== 200) return
        const onward = net.connect(port, '127.0.0.1')
        sockets.add(onward.on('error', () => {}))
        socket.pipe(onward).pipe(socket)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const close = async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
    open.unshift({ close })
    return { url: `http://me:p%40ss@127.0.0.1:${(server.address() as net.AddressInfo).port}`, heads }
  }

  test('carries the request, is asked for the checked address and given its credentials', async () => {
    const receiver = await receive(certificates.trusted)
    const proxy = await startProxy(200)
    const outcome = await post(client({ egressProxy: proxy.url }), `https://localhost:${receiver.port}/`)
    expect(outcome).toMatchObject({ kind: 'response', statusCode: 200, remoteIp: '127.0.0.1' })
    expect(proxy.heads[0]).toContain(`CONNECT 127.0.0.1:${receiver.port} HTTP/1.1`)
    expect(proxy.heads[0]).toContain(`Basic ${Buffer.from('me:p@ss').toString('base64')}`)
  })

  test.each([
    [407, 'our_fault'],
    [500, 'our_fault'],
    [403, 'blocked_address'],
    [502, 'connection_refused'],
    [504, 'timeout'],
  ])('its status %i is %s', async (status, code) => {
    const proxy = await startProxy(status)
    const outcome = await post(client({ egressProxy: proxy.url }), 'https://localhost:8443/')
    expect(outcome).toMatchObject({ kind: 'failure', code })
  })

  test('a proxy that accepts and never answers is our fault, not a time-out of the receiver', async () => {
    const silent = await startHostileReceiver({ silent: true })
    open.unshift(silent)
    const outcome = await post(client({ egressProxy: silent.url, connectMs: 200 }), 'https://localhost:8443/')
    expect(outcome).toMatchObject({ kind: 'failure', code: 'our_fault' })
  })

  test('a receiver that stays silent behind a proxy that does its work is a time-out', async () => {
    const silent = await startHostileReceiver({ silent: true })
    open.unshift(silent)
    const proxy = await startProxy(200)
    const http = client({ egressProxy: proxy.url, connectMs: 200 })
    expect(await post(http, `https://localhost:${silent.port}/`)).toMatchObject({ kind: 'failure', code: 'timeout' })
    expect(proxy.heads).toHaveLength(1)
  })

  test('a proxy that is not there is our fault', async () => {
    const outcome = await post(client({ egressProxy: 'http://127.0.0.1:1' }), 'https://localhost:8443/')
    expect(outcome).toMatchObject({ kind: 'failure', code: 'our_fault' })
  })
})
