import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NameResolver } from '../server/src/lib/dns-cache.ts'
import type { OpenSocket } from '../server/src/lib/guarded-http-connector.ts'
import { Unit } from '../server/src/store/unit.ts'
import { insertWebhook, insertWebhookState } from '../server/src/store/webhooks.ts'
import { registerWebhook } from '../server/src/webhooks/register-webhook.ts'
import { type HostileReceiver, startHostileReceiver } from './support/hostile-receiver.ts'
import {
  dripBody,
  dripHeaders,
  floodInformational,
  hugeBody,
  neverAnswer,
  type Reaction,
  resetConnection,
  respond,
  respondEarly,
  sendRaw,
} from './support/hostile-receiver-reactions.ts'
import { caFile, type TestCertificates, testCertificates } from './support/tls.ts'
import {
  attemptsOf,
  attemptsReach,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectGenuine,
  expectRecountToAgree,
  publish,
  secret,
  shortDeadlines,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from './support/webhook-world.ts'

const headersMs = Number(shortDeadlines.POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS)
const totalMs = Number(shortDeadlines.POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS)
/** What a busy machine may add to a deadline. */
const slackMs = 1_000
/** Far beyond every deadline here, far below for ever. */
const boundedMs = 8_000

/** Whatever a receiver does, it costs one slot for a bounded time. The store plays no part, so one engine will do. */
describe('receivers that misbehave', () => {
  let world: WebhookWorld
  let receiver: HostileReceiver
  let certificates: TestCertificates
  let authority: Awaited<ReturnType<typeof caFile>>
  beforeAll(async () => {
    certificates = await testCertificates()
    authority = await caFile()
    const env = { ...shortDeadlines, POSTERN_WEBHOOK_VERIFICATION: 'off' }
    world = await aWebhookWorld('sqlite', { env, deliver: { caFile: authority.file } })
  })
  afterAll(async () => {
    await world.dispose()
    authority.remove()
  })
  beforeEach(async () => {
    world.accountId = world.rt.newId('acc')
    receiver = await startHostileReceiver()
  })
  afterEach(() => receiver.close())

  async function aWebhook(url = `${receiver.url}/hook`): Promise<string> {
    return (await registerWebhook(world.rt, world.accountId, { url, events: ['*'], secret })).id
  }

  /** One event, one attempt, and what the log says of it. */
  async function attemptAt(reaction: Reaction | null, url?: string) {
    const id = await aWebhook(url)
    if (reaction) receiver.on('/hook', reaction)
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    await expectRecountToAgree(world, id)
    return { ...attempt, webhookId: id, status: (await statusesOf(world, id))[0], took: attempt?.duration_ms ?? 0 }
  }

  test('10: TCP accepted and never an answer: timeout at the limit for headers, and a retry is scheduled', async () => {
    const attempt = await attemptAt(neverAnswer())
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending', status_code: null })
    expect(attempt.took).toBeGreaterThanOrEqual(990)
    expect(attempt.took).toBeLessThan(boundedMs)
    const [delivery] = await deliveriesOf(world, attempt.webhookId)
    expect(delivery?.due_at).toBeGreaterThan(world.clock.now())
    expectGenuine(receiver.requests)
  })

  test('11: a TLS handshake that never completes: timeout at the limit for connecting', async () => {
    const silent = await startHostileReceiver({ silent: true })
    const attempt = await attemptAt(null, `https://127.0.0.1:${silent.port}/hook`)
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending' })
    expect(attempt.took).toBeLessThan(boundedMs)
    await silent.close()
  })

  test('12: headers that drip: timeout between the limit for headers and the total', async () => {
    const attempt = await attemptAt(dripHeaders(10))
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending' })
    expect(attempt.took).toBeGreaterThanOrEqual(headersMs - 10)
    expect(attempt.took).toBeLessThan(totalMs + slackMs)
  })

  test('27: a status of 199 is no answer yet: timeout at the limit for headers', async () => {
    const attempt = await attemptAt(respond({ status: 199 }))
    expect(attempt).toMatchObject({ error_code: 'timeout', status_code: null, status: 'pending' })
    expect(attempt.took).toBeGreaterThanOrEqual(headersMs - 10)
  })

  test('13: 200 and a body that drips for ever: delivered, and the connection is cut', async () => {
    const attempt = await attemptAt(dripBody(200, 10))
    expect(attempt).toMatchObject({ status_code: 200, error_code: null, status: 'delivered' })
    await eventually(() => receiver.openConnections === 0)
  })

  test('14: 500 and a body that drips for ever: failed within the total, which is the limit for the body here', async () => {
    const attempt = await attemptAt(dripBody(500, 10))
    expect(attempt).toMatchObject({ status_code: 500, status: 'pending' })
    expect(attempt.took).toBeLessThan(totalMs + slackMs)
  })

  test('15: a body of 200 MB: delivered, little of it read, the connection not used again', async () => {
    const sent = { bytes: 0 }
    const attempt = await attemptAt(hugeBody(200_000_000, sent))
    expect(attempt).toMatchObject({ status_code: 200, status: 'delivered' })
    expect(attempt.response_body).toHaveLength(4_096)
    await eventually(() => receiver.openConnections === 0)
    // The socket buffers of both sides hold a few megabytes; what was read of them is at most 64 KiB.
    expect(sent.bytes).toBeLessThan(20_000_000)
  })

  test('16: a gzip bomb is stored as it came and never inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const attempt = await attemptAt(respond({ body: bomb, headers: { 'content-encoding': 'gzip' } }))
    expect(attempt.status).toBe('delivered')
    expect(attempt.response_body?.length).toBeLessThanOrEqual(4_096)
    expect(eventsAt(receiver)[0]?.headers['accept-encoding']).toBeUndefined()
  })

  test('17: a header of 20 kB is a protocol error and is retried', async () => {
    const attempt = await attemptAt(respond({ headers: { 'x-large': 'x'.repeat(20_000) } }))
    expect(attempt).toMatchObject({ error_code: 'protocol_error', status: 'pending' })
  })

  test.each([
    ['garbage', sendRaw('SSH-2.0-OpenSSH_9.6\r\n', { close: true })],
    ['HTTP/0.9', sendRaw('<html>hello</html>', { close: true })],
    ['1xx without end', floodInformational(1)],
  ])('18: %s instead of HTTP is a protocol error, and the worker goes on', async (_, reaction) => {
    expect(await attemptAt(reaction)).toMatchObject({ error_code: 'protocol_error', status: 'pending' })
    receiver.on('/hook', respond({}))
    world.pass(6_000)
    await eventually(() => eventsAt(receiver).length >= 2)
  })

  test('18: a Content-Length that lies does not change what the status line said', async () => {
    const attempt = await attemptAt(sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nshort', { close: true }))
    expect(attempt).toMatchObject({ status_code: 200, status: 'delivered', response_body: 'short' })
  })

  test('19: an answer before the request was read counts', async () => {
    const attempt = await attemptAt(respondEarly({ status: 413 }))
    expect(attempt).toMatchObject({ status_code: 413, status: 'pending' })
  })

  test('20: a reset in the middle of a request is a failed attempt', async () => {
    const attempt = await attemptAt(resetConnection({ early: true }))
    expect(attempt).toMatchObject({ error_code: 'connection_reset', status: 'pending' })
  })

  test.each(['end', 'reset'] as const)('20: a kept connection that is gone (%s) costs no attempt', async (how) => {
    const { webhookId } = await attemptAt(respond({}))
    receiver.dropConnections(how)
    await publish(world)
    const log = await attemptsReach(world, webhookId, 2)
    expect(log.map(({ status_code }) => status_code)).toEqual([200, 200])
    expect(eventsAt(receiver)).toHaveLength(2)
  })

  test.each([
    ['expired', () => certificates.expired, /expired/],
    ['self-signed', () => certificates.selfSigned, /self-signed/],
    ['for another host', () => certificates.wrongName, /another host/],
    [
      'old TLS only',
      () =>
        ({
          ...certificates.trusted,
          minVersion: 'TLSv1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        }) as const,
      /TLS 1\.2/,
    ],
  ])('21: a certificate problem (%s) is a tls_error that says so', async (_, tls, message) => {
    const secure = await startHostileReceiver({ tls: tls() })
    const attempt = await attemptAt(null, `https://127.0.0.1:${secure.port}/hook`)
    expect(attempt).toMatchObject({ error_code: 'tls_error', status: 'pending' })
    expect(attempt.error_message).toMatch(message)
    expect(secure.requests).toHaveLength(0)
    await secure.close()
  })

  test('21: a certificate of the operator’s own authority is trusted', async () => {
    const secure = await startHostileReceiver({ tls: certificates.trusted })
    const attempt = await attemptAt(null, `https://127.0.0.1:${secure.port}/hook`)
    expect(attempt).toMatchObject({ status_code: 200, status: 'delivered', remote_ip: '127.0.0.1' })
    expectGenuine(secure.requests)
    await secure.close()
  })

  test('35: two webhooks of one origin: a path that hangs does not slow the other', async () => {
    const [hanging, healthy] = [await aWebhook(`${receiver.url}/hang`), await aWebhook(`${receiver.url}/fine`)]
    receiver.on('/hang', neverAnswer())
    for (let index = 0; index < 20; index++) await publish(world)
    const done = async () => (await statusesOf(world, healthy)).filter((status) => status === 'delivered').length
    await eventually(async () => (await done()) === 20)
    expect(await statusesOf(world, hanging)).not.toContain('delivered')
  })

  test('the circuit opens after five failures in a row, and what waits loses nothing of its schedule', async () => {
    const id = await aWebhook()
    receiver.on('/hook', resetConnection())
    for (let index = 0; index < 8; index++) await publish(world)
    await attemptsReach(world, id, 5)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'pending'))
    const made = (await attemptsOf(world, id)).length
    expect(made).toBeLessThanOrEqual(6)
    receiver.on('/hook', respond({}))
    world.pass(29_000)
    expect((await deliveriesOf(world, id)).filter(({ attempts }) => attempts === 0)).toHaveLength(8 - made)
    world.pass(2_000)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
    await expectRecountToAgree(world, id)
  })
})

const publicAddress = '93.184.216.34'

/** Stands in for the network: names and connections are ours, nothing leaves the machine. */
describe('names and addresses', () => {
  let world: WebhookWorld
  let receiver: HostileReceiver
  const names = new Map<string, () => Promise<string[]>>()
  const dialled: string[] = []
  beforeAll(async () => {
    receiver = await startHostileReceiver()
    const resolver: NameResolver = { resolve4: records(4), resolve6: records(6) }
    const connector: OpenSocket = async (target) => {
      const [first] = target.addresses
      dialled.push(`${target.hostname} ${first?.address}`)
      const socket = net.connect(receiver.port, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      return { socket, remoteIp: first?.address ?? '' }
    }
    const env = { ...shortDeadlines, POSTERN_WEBHOOK_VERIFICATION: 'off', POSTERN_WEBHOOK_DEV_ALLOW: '' }
    world = await aWebhookWorld('sqlite', { env })
    // The cache of names follows the clock of the test.
    const { createGuardedHttp } = await import('../server/src/lib/guarded-http.ts')
    const deliver = createGuardedHttp({
      allow: [],
      allowLoopback: false,
      resolver,
      connector,
      clock: world.clock,
      connectMs: 1_000,
    })
    await world.engine.drain(1_000)
    Object.assign(world.rt, { deliver })
    world.restart()
  })
  afterAll(async () => {
    await world.dispose()
    await world.rt.deliver.close()
    await receiver.close()
  })
  beforeEach(() => {
    world.accountId = world.rt.newId('acc')
    dialled.length = 0
  })

  function records(family: 4 | 6) {
    return async (name: string) => {
      const found = names.get(name)
      if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return (await found()).filter((address) => net.isIP(address) === family).map((address) => ({ address, ttl: 300 }))
    }
  }

  const aWebhook = async (url: string) =>
    (await registerWebhook(world.rt, world.accountId, { url, events: ['*'], secret })).id

  test('22: unknown names, failing and silent name servers are dns_error; other webhooks do not notice', async () => {
    names.set('fails.test', () => Promise.reject(Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' })))
    for (let index = 0; index < 8; index++) names.set(`silent${index}.test`, () => new Promise(() => {}))
    names.set('fine.test', async () => [publicAddress])
    const bad = ['unknown.test', 'fails.test', ...Array.from({ length: 8 }, (_, index) => `silent${index}.test`)]
    const ids = await Promise.all(bad.map((name) => aWebhook(`https://${name}/hook`)))
    const healthy = await aWebhook('https://fine.test/hook')
    await publish(world)
    for (const id of ids) {
      const [attempt] = await attemptsReach(world, id, 1)
      expect(attempt).toMatchObject({ error_code: 'dns_error' })
      expect(attempt?.duration_ms).toBeLessThan(boundedMs)
    }
    const [attempt] = await attemptsReach(world, healthy, 1)
    expect(attempt).toMatchObject({ status_code: 200, remote_ip: publicAddress })
    expectGenuine(receiver.requests)
  })

  test('23: a name that moves is followed within 60 s, also on a connection in use', async () => {
    let address = publicAddress
    names.set('moves.test', async () => [address])
    const id = await aWebhook('https://moves.test/hook')
    await publish(world)
    await attemptsReach(world, id, 1)
    address = '93.184.216.99'
    world.pass(60_001)
    // The connection is kept and works; its age, by the clock of the client, is what ends it.
    expect(receiver.openConnections).toBeGreaterThan(0)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 })
    try {
      await publish(world)
      const log = await attemptsReach(world, id, 2)
      expect(log.map(({ remote_ip }) => remote_ip)).toEqual([publicAddress, '93.184.216.99'])
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([
    ['a name that became 127.0.0.1', ['127.0.0.1']],
    ['one public and one private record', [publicAddress, '10.0.0.7']],
    ['a private AAAA record', [publicAddress, 'fd00::1']],
  ])('24: %s is blocked without a packet', async (_, addresses) => {
    let answer = [publicAddress]
    names.set('rebinding.test', async () => answer)
    world.pass(61_000)
    const id = await aWebhook('https://rebinding.test/hook')
    await publish(world)
    await attemptsReach(world, id, 1)
    answer = addresses
    receiver.dropConnections('end')
    await eventually(() => receiver.openConnections === 0)
    world.pass(61_000)
    dialled.length = 0
    await publish(world)
    const log = await attemptsReach(world, id, 2)
    expect(log[1]).toMatchObject({ error_code: 'blocked_address', response_body: null, remote_ip: null })
    expect(log[1]?.error_message).toBe('The target is not a permitted public address.')
    expect(dialled).toEqual([])
  })

  test('25: an address that slipped into the store is blocked when it is used', async () => {
    const id = world.rt.newId('whk')
    const unit = new Unit()
    unit.add(insertWebhook, { ...aStoredRow(id, world), url: 'https://169.254.169.254/latest' })
    unit.add(insertWebhookState, { webhook_id: id })
    await world.rt.store.write(unit)
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt).toMatchObject({ error_code: 'blocked_address' })
    expect(dialled).toEqual([])
  })

  test('50: without sockets of our own nobody is charged, the process rests and raises an alarm', async () => {
    names.set('fine.test', async () => [publicAddress])
    const id = await aWebhook('https://fine.test/hook')
    let short = true
    const { post } = world.rt.deliver
    const scarce: typeof post = (request) =>
      short
        ? Promise.resolve({
            kind: 'failure',
            code: 'our_fault',
            message: 'The gateway ran out of sockets.',
            exhausted: true,
            durationMs: 1,
          })
        : post(request)
    Object.assign(world.rt.deliver, { post: scarce })
    await publish(world)
    await eventually(() => world.logLines.some((line) => line.includes('webhook.own_fault')))
    await eventually(async () => (await statusesOf(world, id))[0] === 'pending')
    expect(await attemptsOf(world, id)).toHaveLength(0)
    expect((await webhookNow(world, id)).stats).toMatchObject({ total_sent: 0, total_failed: 0 })
    short = false
    world.pass(16_000)
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    expect((await attemptsOf(world, id)).map(({ number }) => number)).toEqual([1])
  })
})

function aStoredRow(id: string, world: WebhookWorld) {
  const now = world.clock.now()
  return {
    id,
    account_id: world.accountId,
    url: '',
    events: ' * ',
    active: 1,
    description: null,
    max_in_flight: 16,
    max_per_second: null,
    secret: null,
    previous_secret: null,
    previous_secret_until: null,
    verification: 'verified',
    verified_at: now,
    verification_error: null,
    verification_attempts: 1,
    verification_due_at: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}
