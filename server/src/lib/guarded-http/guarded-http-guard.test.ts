import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type HostileReceiver, startHostileReceiver } from '../../../../test/support/receiver/hostile-receiver.ts'
import { manualClock } from '../clock.ts'
import type { NameResolver } from './dns-cache.ts'
import { createGuardedHttp, type GuardedHttp, type GuardedHttpOptions } from './guarded-http.ts'
import type { OpenSocket, SocketTarget } from './guarded-http-connector.ts'
import { directOptions } from './guarded-http-socket.ts'

const PUBLIC = '93.184.216.34'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const resource of open.splice(0)) await resource.close()
})

/** Stands in for the network: every connection asked for is noted and led to a receiver on loopback. */
function rig(answers: () => string[], options: Partial<GuardedHttpOptions> & { peer?: string } = {}) {
  const dialled: SocketTarget[] = []
  const records = (family: number) => async () =>
    answers()
      .filter((address) => net.isIP(address) === family)
      .map((address) => ({ address, ttl: 0 }))
  const resolver: NameResolver = { resolve4: records(4), resolve6: records(6) }
  const connector: OpenSocket = async (target) => {
    dialled.push(target)
    const receiver = await receive()
    const socket = net.connect(receiver.port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    return { socket, remoteIp: options.peer ?? target.addresses[0]?.address ?? '' }
  }
  const { peer: _, ...rest } = options
  const http = createGuardedHttp({ allow: [], allowLoopback: false, resolver, connector, ...rest })
  open.push(http)
  return { http, dialled }
}

async function receive(): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver()
  open.unshift(receiver)
  return receiver
}

function post(http: GuardedHttp, url: string) {
  return http.post({
    url,
    headers: {},
    body: Buffer.from('{}'),
    timeouts: { headersMs: 500, totalMs: 750, bodyMs: 100 },
  })
}

const BLOCKED = { kind: 'failure', code: 'blocked_address', message: 'The target is not a permitted public address.' }

describe('the guard of outgoing requests', () => {
  test('a stream goes over http only for who allows it, under the same guard of addresses', async () => {
    const stream = (http: GuardedHttp, url: string, allowHttp?: boolean) =>
      http.fetchStream({ url, bytesMax: 1_000, write: () => {}, ...(allowHttp === undefined ? {} : { allowHttp }) })
    const plain = rig(() => [PUBLIC])
    expect(await stream(plain.http, 'http://files.test/a.png', true)).toMatchObject({ kind: 'response' })
    expect(plain.dialled).toMatchObject([{ secure: false, port: 80, addresses: [{ address: PUBLIC }] }])
    expect(await stream(plain.http, 'http://files.test/a.png')).toMatchObject(BLOCKED)
    for (const url of ['http://10.0.0.1/', 'http://localhost/', 'http://files.test:22/', 'http://files.test:443/']) {
      expect(await stream(plain.http, url, true), url).toMatchObject(BLOCKED)
    }
    const inside = rig(() => ['169.254.169.254'], { allowLoopback: true })
    for (const url of ['http://files.test/', 'http://127.0.0.1:8080/', 'http://localhost:8080/']) {
      expect(await stream(inside.http, url, true), url).toMatchObject(BLOCKED)
    }
    expect([plain.dialled.length, inside.dialled.length]).toEqual([1, 0])
  })

  test('a name with public addresses only is dialled, at exactly those addresses', async () => {
    const { http, dialled } = rig(() => [PUBLIC, '2606:4700::1111'])
    expect(await post(http, 'https://hooks.test/')).toMatchObject({
      kind: 'response',
      statusCode: 200,
      remoteIp: PUBLIC,
    })
    expect(dialled[0]?.addresses.map(({ address }) => address)).toEqual([PUBLIC, '2606:4700::1111'])
    expect(dialled[0]).toMatchObject({ hostname: 'hooks.test', port: 443, secure: true })
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a metadata service', ['169.254.169.254']],
    ['one public and one private address', [PUBLIC, '192.168.1.1']],
    ['a public A and a private AAAA record', [PUBLIC, 'fd00::1']],
    ['a mapped private address', ['::ffff:10.0.0.1']],
  ])('a name with %s is blocked without a packet', async (_, addresses) => {
    const { http, dialled } = rig(() => addresses)
    expect(await post(http, 'https://hooks.test/')).toMatchObject(BLOCKED)
    expect(dialled).toEqual([])
  })

  test('a name that was public at first and is private later is blocked when it is asked again', async () => {
    const clock = manualClock()
    let addresses = [PUBLIC]
    const { http, dialled } = rig(() => addresses, { clock })
    expect(await post(http, 'https://a.test/')).toMatchObject({ kind: 'response' })
    addresses = ['127.0.0.1']
    clock.advance(60_000)
    // Another port is another connection: the kept one leads to the checked address and stays harmless.
    expect(await post(http, 'https://a.test:8443/')).toMatchObject(BLOCKED)
    expect(dialled).toHaveLength(1)
  })

  test('a connection that ends at another address than the checked one is dropped', async () => {
    const { http, dialled } = rig(() => [PUBLIC], { peer: '10.0.0.1' })
    expect(await post(http, 'https://hooks.test/')).toMatchObject(BLOCKED)
    expect(dialled).toHaveLength(1)
  })

  test.each([
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::7f00:1]/',
    'https://localhost/',
    'https://metadata.google.internal/',
    'http://hooks.test/',
    'https://hooks.test:25/',
    'nonsense',
  ])('%s, should it be stored already, is blocked without a packet', async (url) => {
    const { http, dialled } = rig(() => [PUBLIC])
    expect(await post(http, url)).toMatchObject(BLOCKED)
    expect(dialled).toEqual([])
  })

  test('a literal outside the allow list is blocked by the connector too', async () => {
    const { http, dialled } = rig(() => [], { allow: ['127.0.0.0/8'] })
    expect(await post(http, 'http://127.0.0.1:8080/')).toMatchObject({ kind: 'response' })
    expect(await post(http, 'https://10.0.0.1/')).toMatchObject(BLOCKED)
    expect(dialled).toHaveLength(1)
  })

  test('localhost is 127.0.0.1 and ::1 when loopback is permitted, whatever name servers say', async () => {
    const { http, dialled } = rig(() => [PUBLIC], { allowLoopback: true })
    const request = { url: 'https://localhost:3000/', headers: {}, body: Buffer.from('{}') }
    expect(await http.post(request)).toMatchObject(BLOCKED)
    expect(await http.post({ ...request, allowLoopback: true })).toMatchObject({ kind: 'response' })
    expect(dialled.map(({ addresses }) => addresses.map(({ address }) => address))).toEqual([['127.0.0.1', '::1']])
  })

  test('another name that leads to this machine is blocked, also where loopback is permitted', async () => {
    const { http, dialled } = rig(() => ['127.0.0.1'], { allowLoopback: true })
    const request = { url: 'https://rebinding.test/', headers: {}, body: Buffer.from('{}'), allowLoopback: true }
    expect(await http.post(request)).toMatchObject(BLOCKED)
    expect(dialled).toEqual([])
  })

  test('hosts of our own are blocked by name and by address', async () => {
    const { http, dialled } = rig(() => [PUBLIC], { deny: ['Gateway.test', '93.184.216.0/28'] })
    expect(await post(http, 'https://gateway.test/')).toMatchObject(BLOCKED)
    expect(await post(http, 'https://hooks.test/')).toMatchObject({ kind: 'response' })
    const other = rig(() => [PUBLIC], { deny: [PUBLIC] })
    expect(await post(other.http, 'https://hooks.test/')).toMatchObject(BLOCKED)
    expect([dialled.length, other.dialled.length]).toEqual([1, 0])
  })

  test('a name without any address is a dns_error', async () => {
    const { http, dialled } = rig(() => [])
    expect(await post(http, 'https://gone.test/')).toMatchObject({ kind: 'failure', code: 'dns_error' })
    expect(dialled).toEqual([])
  })

  test('a name server that never answers is a dns_error in time, and other names go on', async () => {
    const never = () => new Promise<never>(() => {})
    const answer = async () => [{ address: PUBLIC, ttl: 30 }]
    const resolver: NameResolver = {
      resolve4: (name) => (name.startsWith('dead') ? never() : answer()),
      resolve6: (name) => (name.startsWith('dead') ? never() : answer()),
    }
    const connectMs = 250
    const { http } = rig(() => [], { resolver, connectMs })
    // On a busy machine every timer is late: the same time, taken beside it, is what "in time" means.
    const startedAt = performance.now()
    const inTime = delay(connectMs).then(() => performance.now() - startedAt)
    const dead = Array.from({ length: 10 }, (_, index) => post(http, `https://dead${index}.test/`))
    expect(await post(http, 'https://alive.test/')).toMatchObject({ kind: 'response' })
    for (const outcome of await Promise.all(dead)) {
      expect(outcome).toMatchObject({ kind: 'failure', code: 'dns_error' })
      expect(outcome.durationMs).toBeLessThan((await inTime) + connectMs)
    }
  })

  const failing = (thrown: Error): OpenSocket => {
    return () => Promise.reject(thrown)
  }
  const socketError = (code: string, address: string) => Object.assign(new Error(code), { code, address })
  const six = '2606:4700::1111'

  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])(
    '%s means that the gateway is exhausted, and is not the receiver’s fault',
    async (code) => {
      const { http } = rig(() => [PUBLIC], { connector: failing(socketError(code, PUBLIC)) })
      const outcome = await post(http, 'https://hooks.test/')
      expect(outcome).toMatchObject({ kind: 'failure', code: 'our_fault', exhausted: true })
    },
  )

  test('no address to call an IPv6 receiver from is the receiver’s: it has nothing else to offer', async () => {
    const { http } = rig(() => [six], { connector: failing(socketError('EADDRNOTAVAIL', six)) })
    expect(await post(http, 'https://hooks.test/')).toMatchObject({ kind: 'failure', code: 'connection_refused' })
  })

  test.each([
    ['the IPv4 failure, whatever IPv6 says', ['ETIMEDOUT', 'EADDRNOTAVAIL'], 'timeout'],
    ['a lack of sockets, whatever address it was for', ['ECONNREFUSED', 'EMFILE'], 'our_fault'],
  ])('of several addresses %s is told', async (_, [four = '', other = ''], code) => {
    const tried = new AggregateError([socketError(four, PUBLIC), socketError(other, six)])
    const { http } = rig(() => [PUBLIC, six], { connector: failing(tried) })
    expect(await post(http, 'https://hooks.test/')).toMatchObject({ kind: 'failure', code })
  })

  test('each address of a receiver gets its part of the time to connect', () => {
    const target = { secure: true, hostname: 'hooks.test', port: 443, lookup: () => {} }
    const addresses = [PUBLIC, six].map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }) as const)
    expect(directOptions({ ...target, addresses }, 5_000).autoSelectFamilyAttemptTimeout).toBe(2_500)
    expect(directOptions({ ...target, addresses: [...addresses, ...addresses] }).autoSelectFamilyAttemptTimeout).toBe(
      1_250,
    )
  })

  test('a request after close is our fault', async () => {
    const { http } = rig(() => [PUBLIC])
    await http.close()
    expect(await post(http, 'https://hooks.test/')).toMatchObject({ kind: 'failure', code: 'our_fault' })
    open.pop()
  })
})
