import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Effects } from '../../sandbox/src/messages/scenario.ts'
import type { ChatPlatform } from '../../server/src/platform/chat-platform.ts'
import { engines } from '../support/postgres/databases.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

/** How a send may end, in full: what the caller is told, what the record says, which event goes out. */
type End = {
  status: number
  code: string | null
  retryable?: boolean
  retryAfter?: string
  record: { status: string; outcome: string | null; error: object | null }
  events: string[]
  /** A repeat with the same key gives the same answer again, or really sends. */
  repeat: 'replayed' | 'sent'
}

const sent: End = {
  status: 200,
  code: null,
  record: { status: 'sent', outcome: null, error: null },
  events: ['message.sent'],
  repeat: 'replayed',
}
const unknown: End = {
  status: 500,
  code: 'send_outcome_unknown',
  retryable: false,
  record: { status: 'queued', outcome: 'unknown', error: null },
  events: [],
  repeat: 'replayed',
}
const refused = (status: number, code: string, platformCode: number | null, over: Partial<End> = {}): End => ({
  status,
  code,
  retryable: over.repeat === 'sent',
  record: {
    status: 'failed',
    outcome: null,
    error: { code, retryable: over.repeat === 'sent', upstream: { code: platformCode } },
  },
  events: ['message.failed'],
  repeat: 'replayed',
  ...over,
})
const unreachable = (platformCode: number | null) =>
  refused(500, 'upstream_unavailable', platformCode, { repeat: 'sent', retryAfter: '5' })
const throttled = (platformCode: number | null, retryAfter: string) =>
  refused(429, 'channel_rate_limited', platformCode, { repeat: 'sent', retryAfter })

type Fault = {
  name: string
  /** What the sandbox does to this customer's messages; without one, nobody listens where the platform should be. */
  effects: Effects | null
  /** No answer ever comes. */
  hangs?: true
  /** Messages of the customer that the platform has taken. */
  taken: 0 | 1
  end: End
}

const silent = { no_callbacks: true }
const error = (code: number, http_status?: number): Effects => ({
  error: { code, ...(http_status ? { http_status } : {}) },
})
const faults: Fault[] = [
  { name: 'a refused connection', effects: null, taken: 0, end: unreachable(null) },
  { name: 'a reset before the message was taken', effects: { reset_before_accept: true }, taken: 0, end: unknown },
  { name: 'a reset after it was taken', effects: { reset_after_accept: true, ...silent }, taken: 1, end: unknown },
  { name: 'such a reset, and a status in time', effects: { reset_after_accept: true }, taken: 1, end: sent },
  { name: 'a platform that hangs', effects: { hang: true }, hangs: true, taken: 0, end: unknown },
  {
    name: 'one that hangs after it took it',
    effects: { hang_after_accept: true, ...silent },
    hangs: true,
    taken: 1,
    end: unknown,
  },
  { name: 'a slow body', effects: { slow_body_ms: 200, ...silent }, taken: 1, end: sent },
  {
    name: 'a body that takes too long',
    effects: { slow_body_ms: 60_000, ...silent },
    hangs: true,
    taken: 1,
    end: unknown,
  },
  { name: 'a page of HTML with 502', effects: { html_5xx: 502 }, taken: 0, end: unknown },
  { name: 'a page of HTML with 503', effects: { html_5xx: 503 }, taken: 0, end: unknown },
  { name: 'the limit of the number', effects: error(130_429), taken: 0, end: throttled(130_429, '1') },
  { name: 'the same as HTTP 429', effects: error(130_429, 429), taken: 0, end: throttled(130_429, '1') },
  { name: 'a number at its limit for a moment', effects: error(130_429), taken: 1, end: sent },
  { name: 'the limit of the customer', effects: error(131_056), taken: 0, end: throttled(131_056, '6') },
  { name: 'the limit of calls', effects: error(80_007), taken: 0, end: throttled(80_007, '60') },
  {
    name: 'a template that Meta still prepares',
    effects: error(134_101),
    taken: 0,
    end: refused(429, 'template_syncing', 134_101, { repeat: 'sent', retryAfter: '600' }),
  },
  {
    name: 'a thread that another responder owns',
    effects: error(131_070),
    taken: 0,
    end: refused(400, 'thread_owned_elsewhere', 131_070),
  },
  {
    name: 'a number that is gone',
    effects: error(33),
    taken: 0,
    end: refused(500, 'channel_number_gone', 33),
  },
  {
    name: 'the limit after complaints',
    effects: error(131_048),
    taken: 0,
    end: refused(403, 'channel_spam_limited', 131_048),
  },
  {
    name: 'an expired token',
    effects: { expired_token: true },
    taken: 0,
    end: refused(500, 'channel_auth_failed', 190),
  },
  {
    name: 'a locked account',
    effects: error(131_031),
    taken: 0,
    end: refused(403, 'channel_account_restricted', 131_031),
  },
  { name: 'a platform in maintenance', effects: error(131_057, 500), taken: 0, end: throttled(131_057, '20') },
  { name: 'a fault of the platform', effects: error(131_000), taken: 0, end: unknown },
  { name: 'an overloaded platform', effects: error(131_016), taken: 0, end: unknown },
  { name: 'a platform that is down', effects: error(2, 503), taken: 0, end: unknown },
  { name: 'a server that is not available', effects: error(133_004, 503), taken: 0, end: unknown },
  {
    name: 'a file that could not be uploaded',
    effects: error(131_053),
    taken: 0,
    end: refused(400, 'media_content_mismatch', 131_053),
  },
  {
    name: 'a refusal without a better word',
    effects: error(135_000),
    taken: 0,
    end: refused(400, 'channel_rejected', 135_000),
  },
  {
    name: 'a refusal that nobody knows',
    effects: error(999_999, 400),
    taken: 0,
    end: refused(400, 'channel_rejected', 999_999),
  },
  { name: 'a server fault that nobody knows', effects: error(999_999, 500), taken: 0, end: unknown },
]

/** All faults happen at once, each to a customer of its own; then each is looked at from every side. */
describe.each(engines)('a send that meets a fault, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  let closedPort: number
  const firsts = new Map<string, Answer>()
  const customerOf = ({ name }: Fault) => `+3519123${10_000 + faults.findIndex((fault) => fault.name === name)}`
  const send = (fault: Fault) =>
    world.post(
      '/v1/chat/messages/template',
      { to: customerOf(fault), template: 'hello_world', language: 'en_US' },
      { 'idempotency-key': `fault-${customerOf(fault)}` },
    )

  beforeAll(async () => {
    world = await aWorld(engine, { POSTERN_SEND_SETTLE_WAIT_MS: '5000' })
    closedPort = await aClosedPort()
    const rules = faults.flatMap((fault) => {
      const { effects, end } = fault
      const when = { endpoint: 'messages', to: customerOf(fault) }
      // Where nothing may be sent again, a second call would be taken, and seen.
      return effects ? [{ when, do: effects, ...(end.repeat === 'sent' ? {} : { count: 1 }) }] : []
    })
    const never = 600_000
    const delays = { sent_ms: 50, delivered_ms: never, read_ms: never }
    expect((await world.control('PUT', '/_sandbox/scenario', { rules, delays })).status).toBe(200)
    const restore = changeTheWay()
    await Promise.all(faults.map(async (fault) => firsts.set(fault.name, await send(fault))))
    restore()
    await world.control('PUT', '/_sandbox/scenario', { delays })
  }, 60_000)
  afterAll(() => world.stop())

  /**
   * A send that nobody listens for goes to a port that is closed, and one that hangs ends after 3 s. All others have the
   * product's limits: a busy machine takes seconds for two dozen of them at once, and a healthy one must not seem to hang.
   */
  function changeTheWay(): () => void {
    const { platform } = world.service.rt
    const { send: original } = platform
    const elsewhere: ChatPlatform['send'] = (number, message, options) => {
      const fault = faults.find((one) => 'phone' in message.to && message.to.phone === customerOf(one))
      const baseUrl = fault?.effects === null ? `http://127.0.0.1:${closedPort}` : number.baseUrl
      return original({ ...number, baseUrl }, message, fault?.hangs ? { ...options, timeoutMs: 3_000 } : options)
    }
    Object.assign(platform, { send: elsewhere })
    return () => void Object.assign(platform, { send: original })
  }

  const takenOf = async (fault: Fault): Promise<{ id: string }[]> =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(customerOf(fault))}`)).body.data
  type Failure = { error: { message: string } | null }
  const recordsOf = async (fault: Fault): Promise<(Failure & { message_id: string })[]> =>
    (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(customerOf(fault))}`)).body.data.messages
  const eventsOf = async (id: string): Promise<{ type: string; data: Failure }[]> =>
    (await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)).body.data.events

  test('a refused token is counted where its alert looks', async () => {
    expect(await world.service.rt.metrics.render()).toMatch(/^postern_channel_auth_failed_total [1-9]/m)
  })

  test.each(faults)('$name', async (fault) => {
    const { end, taken } = fault
    const first = firsts.get(fault.name)
    if (!first) throw new Error('It was not sent.')
    const { error: told, data } = first.body
    expect([first.status, told?.code ?? null]).toEqual([end.status, end.code])
    if (told)
      expect([told.retryable, first.headers.get('retry-after')]).toEqual([end.retryable, end.retryAfter ?? null])

    const id: string = told?.message_id ?? data.message_id
    expect(id).toMatch(told ? /^out_/ : /^wamid\./)
    const records = await recordsOf(fault)
    expect(records.map(({ message_id }) => message_id)).toEqual([id])
    expect(records[0]).toMatchObject(end.record)
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(end.events)
    if (end.record.error) expect(records[0]?.error?.message).toBe(told.message)
    if (end.record.error) expect(events[0]?.data.error?.message).toBe(told.message)
    expect(await takenOf(fault)).toHaveLength(taken)

    const again = await send(fault)
    expect(again.headers.get('idempotent-replayed')).toBe(end.repeat === 'replayed' ? 'true' : null)
    expect(again.status).toBe(end.repeat === 'replayed' ? end.status : 200)
    if (end.repeat === 'replayed' && data) expect(again.body).toEqual(first.body)
    if (end.repeat === 'replayed' && told) expect(again.body.error).toMatchObject({ code: told.code, message_id: id })
    const extra = end.repeat === 'sent' ? 1 : 0
    expect(await takenOf(fault)).toHaveLength(taken + extra)
    expect(await recordsOf(fault)).toHaveLength(1 + extra)
  })

  test('what is unknown is listed as unresolved, and nothing else', async () => {
    const { messages } = (await world.get('/v1/chat/messages?outcome=unknown&limit=100')).body.data
    const open = faults.filter(({ end }) => end === unknown)
    expect(messages.map(({ to }: { to: string }) => to).sort()).toEqual(open.map(customerOf).sort())
  })
})

/** A port that was free a moment ago, where connections are refused. */
async function aClosedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  return address.port
}
