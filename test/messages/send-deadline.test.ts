import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { claimKey, fingerprintOf } from '../../server/src/access/idempotency.ts'
import { findIdempotencyKey } from '../../server/src/store/accounts/idempotency.ts'
import { insertMessage } from '../../server/src/store/messages/messages.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

/** Two fifths of the real deadline; the call itself could take longer than that, and so could the platform's pause. */
const timeoutMs = 4_000
/** What the machine may add. Without the deadline these sends take 15 s. */
const slackMs = 4_000

describe('a send is answered within its deadline', { timeout: 30_000 }, () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld('sqlite', {
      POSTERN_SEND_TIMEOUT_MS: String(timeoutMs),
      POSTERN_CHANNEL_TIMEOUT_MS: '15000',
      POSTERN_SEND_SETTLE_WAIT_MS: '5000',
    })
  })
  afterAll(() => world.stop())

  async function send(to: string, key?: string): Promise<Answer & { tookMs: number }> {
    const startedAt = performance.now()
    const body = { to, template: 'hello_world', language: 'en_US' }
    const answer = await world.post('/v1/chat/messages/template', body, key ? { 'idempotency-key': key } : {})
    return { ...answer, tookMs: performance.now() - startedAt }
  }
  const rule = (to: string, effects: object) =>
    world.control('POST', '/_sandbox/rules', { when: { endpoint: 'messages', to }, do: effects })

  test('when the platform never answers, and a repeat meanwhile is told the same in time', async () => {
    const to = '+351912300001'
    await rule(to, { hang: true })
    const [first, repeat] = await Promise.all([send(to, 'lost'), send(to, 'lost')])
    expect(first.body.error.code).toBe('send_outcome_unknown')
    expect(repeat.body.error.code).toBe('send_outcome_unknown')
    expect(first.tookMs).toBeGreaterThan(timeoutMs * 0.9)
    expect(Math.max(first.tookMs, repeat.tookMs)).toBeLessThan(timeoutMs + slackMs)
  })

  test('when the customer may not be sent more for a while', async () => {
    const to = '+351912300003'
    const answers = await Promise.all(Array.from({ length: 46 }, () => send(to)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['6'])
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(timeoutMs + slackMs)
  })

  // The last: a number that was told to slow down sends at half its rate for a while.
  test('when the platform keeps saying that it has no room', async () => {
    const to = '+351912300002'
    await rule(to, { error: { code: 130_429 } })
    const { status, body, headers, tookMs } = await send(to)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'channel_rate_limited', '1'])
    expect(tookMs).toBeLessThan(timeoutMs + slackMs)
  })
})

describe.each(engines)('behind a database that hangs, a send is answered all the same on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine, { POSTERN_SEND_TIMEOUT_MS: '1000' })
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(() => world.stop())

  const send = (message: string) => {
    const body = { to: world.customer, message, client_reference: message }
    return world.post('/v1/chat/messages/send', body, { 'idempotency-key': message })
  }
  const atPlatform = async (text: string) => {
    const { body } = await world.control('GET', '/_sandbox/messages?direction=outbound')
    return body.data.filter((one: { text: string }) => one.text === text).length
  }
  const refusal = (answer: Answer) => [answer.status, answer.body.error.code, answer.headers.get('retry-after')]

  test('when its message is stored too late: it is not sent, and a repeat sends it once', async () => {
    const { store } = world.service.rt
    const write = store.write.bind(store)
    const late = Promise.withResolvers<void>()
    const hanging = vi.spyOn(store, 'write').mockImplementation(async (unit) => {
      if (unit.calls.some(({ operation }) => operation === insertMessage)) await late.promise
      return write(unit)
    })
    expect(refusal(await send('late'))).toEqual([500, 'service_unavailable', '1'])
    late.resolve()
    hanging.mockRestore()
    await waitFor(async () => (await send('late')).status === 200)
    expect(await atPlatform('late')).toBe(1)
    // Nobody was told the id of the first: it is not listed, publishes nothing and counts nowhere.
    const { messages } = (await world.get('/v1/chat/messages?client_reference=late')).body.data
    expect(messages).toMatchObject([{ error: null }])
    const { events } = (await world.get('/v1/events?type=message.failed')).body.data
    expect(events).toEqual([])
  })

  test('when the first request with its key still runs: 429 with Retry-After, and nothing is sent', async () => {
    const { rt } = world.service
    const body = { to: world.customer, message: 'twin', client_reference: 'twin' }
    const endpoint = 'POST /v1/chat/messages/send'
    const first = { accountId: world.accountId, endpoint, key: 'twin', fingerprint: fingerprintOf(body) }
    expect(await claimKey(rt, first)).toBe(true)
    expect(refusal(await send('twin'))).toEqual([429, 'idempotency_in_progress', '2'])
    expect(await atPlatform('twin')).toBe(0)
  })

  test('when the answer of the first cannot be read for its repeat', async () => {
    expect((await send('unseen')).status).toBe(200)
    const { store } = world.service.rt
    const read = store.read.bind(store)
    vi.spyOn(store, 'read').mockImplementation((query, params) =>
      (query as unknown) === findIdempotencyKey ? new Promise(() => {}) : read(query, params),
    )
    expect(refusal(await send('unseen'))).toEqual([500, 'service_unavailable', '1'])
    expect(await atPlatform('unseen')).toBe(1)
  })
})
