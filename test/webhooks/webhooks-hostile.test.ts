import { createHook } from 'node:async_hooks'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NameResolver } from '../../server/src/lib/guarded-http/dns-cache.ts'
import type { OpenSocket } from '../../server/src/lib/guarded-http/guarded-http-connector.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { insertWebhook, insertWebhookState } from '../../server/src/store/webhooks/webhooks.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { countPauses } from '../support/count-pauses.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import {
  floodInformational,
  hugeBody,
  neverAnswer,
  type Reaction,
  resetConnection,
  respond,
  respondEarly,
  sendRaw,
  serialise,
} from '../support/receiver/hostile-receiver-reactions.ts'
import { caFile, type TestCertificates, testCertificates } from '../support/tls.ts'
import {
  aReceiver,
  attemptsOf,
  attemptsReach,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  expectEndedAt,
  expectRecountToAgree,
  publish,
  secret,
  shortDeadlines,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

const headersMs = Number(shortDeadlines.POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS)
const connectMs = Number(shortDeadlines.POSTERN_WEBHOOK_CONNECT_TIMEOUT_MS)

/** Whatever a receiver does, it counts once against the concurrency limit, for a bounded time; how long is in webhooks-limits.test.ts. */
describe.each(engines)('receivers that misbehave, on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  let certificates: TestCertificates
  let authority: Awaited<ReturnType<typeof caFile>>
  beforeAll(async () => {
    certificates = await testCertificates()
    authority = await caFile()
    const env = { ...shortDeadlines, POSTERN_WEBHOOK_VERIFICATION: 'off' }
    world = await aWebhookWorld(engine, { env, deliver: { caFile: authority.file } })
  })
  afterAll(async () => {
    await world.dispose()
    authority.remove()
  })
  beforeEach(async () => {
    world.accountId = world.rt.newId('acc')
    receiver = await aReceiver()
  })
  afterEach(() => receiver.close())

  async function aWebhook(url = `${receiver.url}/hook`): Promise<string> {
    return (await registerWebhook(world.rt, world.accountId, { url, events: ['*'], secret })).id
  }

  /** One event, one attempt, and what the log says of it. */
  async function attemptAt(reaction: Reaction | null, url?: string) {
    const id = await aWebhook(url)
    if (reaction) receiver.on('/hook', reaction)
    const endPauses = countPauses()
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    const pausedMs = endPauses()
    await expectRecountToAgree(world, id)
    const [status] = await statusesOf(world, id)
    return { ...attempt, webhookId: id, status, took: attempt?.duration_ms ?? 0, pausedMs }
  }

  test('a status of 199 is no answer yet: timeout at the limit for headers', async () => {
    const attempt = await attemptAt(respond({ status: 199 }))
    expect(attempt).toMatchObject({ error_code: 'timeout', status_code: null, status: 'pending' })
    expectEndedAt(headersMs, attempt.took, attempt.pausedMs)
  })

  test('a body of 200 MB: delivered, little of it read, the connection not used again', async () => {
    const sent = { bytes: 0 }
    const attempt = await attemptAt(hugeBody(200_000_000, sent))
    expect(attempt).toMatchObject({ status_code: 200, status: 'delivered' })
    expect(attempt.response_body).toBeNull()
    await eventually(() => receiver.openConnections === 0)
    // The socket buffers of both sides hold a few megabytes; what was read of them is at most 64 KiB.
    expect(sent.bytes).toBeLessThan(20_000_000)
  })

  test('a gzip bomb is stored as it came and never inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    expect(bomb.length).toBeGreaterThan(4_096)
    const inflaters: string[] = []
    const watch = createHook({ init: (_, type) => type === 'ZLIB' && inflaters.push(type) }).enable()
    const attempt = await attemptAt(respond({ status: 500, body: bomb, headers: { 'content-encoding': 'gzip' } }))
    watch.disable()
    expect(attempt.status).toBe('pending')
    // Bytes that are no text take three as replacement signs: fewer of them fit into what is kept.
    const asItCame = bomb.toString('utf8', 0, 4_096).replaceAll('\u0000', '\uFFFD')
    const kept = attempt.response_body ?? ''
    expect(asItCame.startsWith(kept)).toBe(true)
    expect(Buffer.byteLength(kept)).toBeGreaterThan(4_092)
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096)
    expect(inflaters).toEqual([])
    expect(eventsAt(receiver)[0]?.headers['accept-encoding']).toBeUndefined()
  })

  test('a header of 20 kB is a protocol error and is retried', async () => {
    const attempt = await attemptAt(respond({ headers: { 'x-large': 'x'.repeat(20_000) } }))
    expect(attempt).toMatchObject({ error_code: 'protocol_error', status: 'pending' })
  })

  test.each([
    ['garbage', sendRaw('SSH-2.0-OpenSSH_9.6\r\n', { close: true })],
    ['HTTP/0.9', sendRaw('<html>hello</html>', { close: true })],
    ['1xx without end', floodInformational(1)],
    ['two lengths that differ', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 9\r\n\r\nok')],
    ['a length below zero', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nok')],
    ['a length that is no number', sendRaw('HTTP/1.1 200 OK\r\ncontent-length: much\r\n\r\nok')],
    ['a length beside chunks', sendRaw(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${chunked}`)],
  ])('%s instead of HTTP is a protocol error, and the worker goes on', async (_, reaction) => {
    expect(await attemptAt(reaction)).toMatchObject({ error_code: 'protocol_error', status: 'pending' })
    receiver.on('/hook', respond({}))
    world.pass(6_000)
    await eventually(() => eventsAt(receiver).length >= 2)
  })

  // A status line that arrived is the verdict, and the body is for the log only: a cut one takes nothing back.
  test.each([
    [200, 'delivered', null],
    [500, 'pending', 'short'],
  ])(
    'a body shorter than its Content-Length does not change what the status %i said',
    async (status, expected, kept) => {
      const cut = `HTTP/1.1 ${status} Cut\r\ncontent-length: 500\r\n\r\nshort`
      const attempt = await attemptAt(sendRaw(cut, { close: true }))
      expect(attempt).toMatchObject({ status_code: status, status: expected, error_code: null, response_body: kept })
    },
  )

  test('what follows a body longer than its Content-Length is no answer to the next request', async () => {
    const smuggled = serialise({ status: 200, body: 'smuggled' })
    const { webhookId } = await attemptAt(sendRaw(Buffer.concat([serialise({ status: 200, body: 'ok' }), smuggled])))
    receiver.on('/hook', respond({ status: 500, body: 'the real answer' }))
    await publish(world)
    const log = await attemptsReach(world, webhookId, 2)
    expect(log.map(({ status_code }) => status_code)).toEqual([200, 500])
    expect(log[1]?.response_body).toBe('the real answer')
  })

  test('an answer before the request was read counts', async () => {
    const attempt = await attemptAt(respondEarly({ status: 413 }))
    expect(attempt).toMatchObject({ status_code: 413, status: 'pending' })
  })

  test('a reset in the middle of a request is a failed attempt', async () => {
    const attempt = await attemptAt(resetConnection({ early: true }))
    expect(attempt).toMatchObject({ error_code: 'connection_reset', status: 'pending' })
  })

  test.each(['end', 'reset'] as const)('a kept connection that is gone (%s) costs no attempt', async (how) => {
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
  ])('a certificate problem (%s) is a tls_error that says so', async (_, tls, message) => {
    const secure = await aReceiver({ tls: tls() })
    const attempt = await attemptAt(null, `https://127.0.0.1:${secure.port}/hook`)
    expect(attempt).toMatchObject({ error_code: 'tls_error', status: 'pending' })
    expect(attempt.error_message).toMatch(message)
    expect(secure.requests).toHaveLength(0)
    await secure.close()
  })

  test('a certificate of the operator’s own authority is trusted', async () => {
    const secure = await aReceiver({ tls: certificates.trusted })
    const attempt = await attemptAt(null, `https://127.0.0.1:${secure.port}/hook`)
    expect(attempt).toMatchObject({ status_code: 200, status: 'delivered', remote_ip: '127.0.0.1' })
    await secure.close()
  })

  test('two webhooks of one origin: a path that hangs does not slow the other', async () => {
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

const chunked = 'transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'

const publicAddress = '93.184.216.34'

/** Stands in for the network: names and connections are ours, nothing leaves the machine. */
describe.each(engines)('names and addresses, on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  const names = new Map<string, () => Promise<string[]>>()
  const dialled: string[] = []
  beforeAll(async () => {
    receiver = await aReceiver()
    const resolver: NameResolver = { resolve4: records(4), resolve6: records(6) }
    const connector: OpenSocket = async (target) => {
      const [first] = target.addresses
      dialled.push(`${target.hostname} ${first?.address}`)
      const socket = net.connect(receiver.port, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      return { socket, remoteIp: first?.address ?? '' }
    }
    const env = { ...shortDeadlines, POSTERN_WEBHOOK_VERIFICATION: 'off', POSTERN_WEBHOOK_DEV_ALLOW: '' }
    world = await aWebhookWorld(engine, { env })
    // The cache of names follows the clock of the test.
    const { createGuardedHttp } = await import('../../server/src/lib/guarded-http/guarded-http.ts')
    const deliver = createGuardedHttp({
      allow: [],
      allowLoopback: false,
      resolver,
      connector,
      clock: world.clock,
      connectMs,
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

  test('unknown names, failing and silent name servers are dns_error; other webhooks do not notice', async () => {
    names.set('fails.test', () => Promise.reject(Object.assign(new Error('SERVFAIL'), { code: 'ESERVFAIL' })))
    for (let index = 0; index < 8; index++) names.set(`silent${index}.test`, () => new Promise(() => {}))
    names.set('fine.test', async () => [publicAddress])
    const bad = ['unknown.test', 'fails.test', ...Array.from({ length: 8 }, (_, index) => `silent${index}.test`)]
    const ids = await Promise.all(bad.map((name) => aWebhook(`https://${name}/hook`)))
    const healthy = await aWebhook('https://fine.test/hook')
    const endPauses = countPauses()
    await publish(world)
    const attempts = await Promise.all([...ids, healthy].map(async (id) => (await attemptsReach(world, id, 1))[0]))
    const pausedMs = endPauses()
    for (const [index, name] of bad.entries()) {
      expect(attempts[index]).toMatchObject({ error_code: 'dns_error' })
      expectEndedAt(name.startsWith('silent') ? connectMs * 0.8 : 0, attempts[index]?.duration_ms, pausedMs)
    }
    const attempt = attempts.at(-1)
    expectEndedAt(0, attempt?.duration_ms, pausedMs)
    expect(attempt).toMatchObject({ status_code: 200, remote_ip: publicAddress })
  })

  test('a name that moves is followed within 60 s, also on a connection in use', async () => {
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
  ])('%s is blocked without a packet', async (_, addresses) => {
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

  test.each([
    ['an internal address', 'https://169.254.169.254/latest/meta-data'],
    ['a name of one', 'https://internal.test/admin'],
    ['the gateway itself', 'http://127.0.0.1:8080/v1/webhooks'],
  ])('a redirect to %s is not followed: no name is asked for, nobody is called', async (_, location) => {
    const asked: string[] = []
    names.set('redirects.test', async () => [publicAddress])
    names.set('internal.test', async () => {
      asked.push('internal.test')
      return ['10.0.0.7']
    })
    const { post } = world.rt.deliver
    const posted: string[] = []
    const noted: typeof post = (request) => {
      posted.push(request.url)
      return post(request)
    }
    Object.assign(world.rt.deliver, { post: noted })
    receiver.on('/redirects', respond({ status: 302, headers: { location } }))
    const before = receiver.requests.length
    const url = 'https://redirects.test/redirects'
    const id = await aWebhook(url)
    await publish(world)
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt).toMatchObject({ status_code: 302, error_code: 'redirect_not_followed', remote_ip: publicAddress })
    // What was committed later has arrived, so anything that was to follow the first would have.
    await publish(world)
    await attemptsReach(world, id, 2)
    expect(receiver.requests.slice(before).map(({ path }) => path)).toEqual(['/redirects', '/redirects'])
    expect(dialled.filter((call) => !call.startsWith('redirects.test'))).toEqual([])
    expect(asked).toEqual([])
    expect(posted).toEqual([url, url])
    Object.assign(world.rt.deliver, { post })
  })

  test('an address that slipped into the store is blocked when it is used', async () => {
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

  test('without sockets of our own nobody is charged, the process rests and raises an alarm', async () => {
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
    const subject = 'wamid.1'
    const first = await publish(world, { subject })
    await eventually(() => world.logLines.some((line) => line.includes('webhook.own_fault')))
    await eventually(async () => (await statusesOf(world, id))[0] === 'pending')
    const second = await publish(world, { type: 'message.delivered', subject })
    expect(await attemptsOf(world, id)).toHaveLength(0)
    expect((await webhookNow(world, id)).stats).toMatchObject({ total_sent: 0, total_failed: 0 })
    short = false
    world.pass(16_000)
    await eventually(async () => (await statusesOf(world, id)).every((status) => status === 'delivered'))
    expect((await attemptsOf(world, id)).map(({ number }) => number)).toEqual([1, 1])
    // The next event of the message has not overtaken the one that could not be sent.
    const arrived = receiver.requests.map(({ headers }) => headers['webhook-id'] ?? '')
    expect(arrived.filter((one) => [first, second].includes(one))).toEqual([first, second])
  })
})

function aStoredRow(id: string, world: WebhookWorld) {
  const now = world.clock.now()
  return {
    id,
    account_id: world.accountId,
    kind: 'events',
    url: '',
    events: ' * ',
    masked: 0,
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
