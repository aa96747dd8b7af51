import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { verifyWebhook } from '../../server/src/webhooks/verify-webhook.ts'
import { countPauses } from '../support/count-pauses.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure } from '../support/proof.ts'
import { dripBody, dripHeaders, neverAnswer, type Reaction } from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  attemptsReach,
  aWebhookWorld,
  deliveriesOf,
  eventually,
  expectEndedAt,
  expectRecountToAgree,
  publish,
  secret,
  shortDeadlines,
  type WebhookWorld,
} from '../support/webhook-world.ts'

/** Limits are short in every run; `npm run proof` takes those of the product. That for a body is 2 s in both. */
const fullLength = Number(process.env.PROOF_SCALE ?? 1) > 1
const connectMs = fullLength ? 5_000 : 1_000
const headersMs = fullLength ? 10_000 : 1_000
const verificationMs = fullLength ? 10_000 : 1_000
const totalMs = fullLength ? 15_000 : 1_500
const bodyMs = 2_000

/** Each limit ends an attempt by itself, at its own time. They mostly wait, so they wait together. */
describe.concurrent.each(engines)('receivers that take their time, on %s', (engine) => {
  let world: WebhookWorld
  let worldOfTotal: WebhookWorld
  beforeAll(async () => {
    const env = { ...(fullLength ? {} : shortDeadlines), POSTERN_WEBHOOK_VERIFICATION: 'off' }
    const never = () => new Promise<never>(() => {})
    world = await aWebhookWorld(engine, { env, deliver: { resolver: { resolve4: never, resolve6: never } } })
    worldOfTotal = await aWebhookWorld(engine, { env })
    // As they are, the others would end an attempt before.
    const { config } = worldOfTotal.rt
    Object.assign(worldOfTotal.rt, {
      config: { ...config, webhookHeadersTimeoutMs: 60_000, ...(fullLength ? {} : { webhookTotalTimeoutMs: totalMs }) },
    })
  })
  afterAll(() => Promise.all([world.dispose(), worldOfTotal.dispose()]))

  type Place = { silent?: boolean; url?: (port: number) => string; in?: WebhookWorld }

  /** One event, one attempt, and what the log says of it once the receiver has been let go of. */
  async function attemptAt(reaction: Reaction, { silent = false, url, in: where = world }: Place = {}) {
    const receiver = await aReceiver({ silent })
    receiver.on('/hook', reaction)
    const tenant = { ...where, accountId: where.rt.newId('acc') }
    const draft = { url: url?.(receiver.port) ?? `${receiver.url}/hook`, events: ['*'], secret }
    const { id } = await registerWebhook(tenant.rt, tenant.accountId, draft)
    const endPauses = countPauses()
    await publish(tenant)
    const [attempt] = await attemptsReach(tenant, id, 1)
    const pausedMs = endPauses()
    await expectRecountToAgree(tenant, id)
    const [delivery] = await deliveriesOf(tenant, id)
    await eventually(() => receiver.openConnections === 0)
    await receiver.close()
    return { ...attempt, pausedMs, status: delivery?.status, waitsMs: (delivery?.due_at ?? 0) - tenant.clock.now() }
  }

  type Ended = { duration_ms?: number; pausedMs: number }

  function expectLimit(name: string, limitMs: number, { duration_ms: tookMs, pausedMs }: Ended): void {
    expectEndedAt(limitMs, tookMs, pausedMs)
    recordFigure('webhook limits at full length', `${engine}, ${name}: ended after (ms)`, Math.round(tookMs ?? 0))
  }

  test('TCP accepted and never an answer: timeout at the limit for headers, and a retry is scheduled', async () => {
    const attempt = await attemptAt(neverAnswer())
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending', status_code: null })
    expect(attempt.waitsMs).toBeGreaterThan(0)
    expectLimit('headers, silence', headersMs, attempt)
  })

  test('a TLS handshake that never completes: timeout at the limit for connecting', async () => {
    const url = (port: number) => `https://127.0.0.1:${port}/hook`
    const attempt = await attemptAt(neverAnswer(), { silent: true, url })
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending' })
    expectLimit('connection, TLS handshake', connectMs, attempt)
  })

  test('headers that drip: timeout at the limit for headers, which no header starts anew', async () => {
    const attempt = await attemptAt(dripHeaders(50))
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending' })
    expectLimit('headers, one every 50 ms', headersMs, attempt)
  })

  test.each([
    [13, 200, 'delivered'],
    [14, 500, 'pending'],
  ])('%i: %i and a body that drips for ever: %s, and the connection is cut after 2 s', async (_, status, expected) => {
    const attempt = await attemptAt(dripBody(status, 10))
    expect(attempt).toMatchObject({ status_code: status, error_code: null, status: expected })
    expect(attempt.response_body ?? '').toMatch(status === 200 ? /^$/ : /^\.+$/)
    expectLimit(`body after ${status}, a byte every 10 ms`, bodyMs, attempt)
  })

  test('a name server that never answers: dns_error, before the limit for connecting', async () => {
    const attempt = await attemptAt(neverAnswer(), { url: () => 'https://silent.test/hook' })
    expect(attempt).toMatchObject({ error_code: 'dns_error', status: 'pending' })
    expectLimit('connection, name server', connectMs * 0.8, attempt)
  })

  test('the total ends what no other limit does', async () => {
    const attempt = await attemptAt(neverAnswer(), { in: worldOfTotal })
    expect(attempt).toMatchObject({ error_code: 'timeout', status: 'pending' })
    expectLimit('total', totalMs, attempt)
  })

  test('a challenge that nobody answers ends at a limit of its own', async () => {
    const receiver = await aReceiver()
    receiver.on('/hook', { run: () => {} })
    const accountId = world.rt.newId('acc')
    const draft = { url: `${receiver.url}/hook`, events: ['*'], secret }
    const { id } = await registerWebhook(world.rt, accountId, draft)
    const endPauses = countPauses()
    const startedMs = performance.now()
    await expect(verifyWebhook(world.rt, accountId, id)).rejects.toThrow(/^timeout:/)
    const ended = { duration_ms: performance.now() - startedMs, pausedMs: endPauses() }
    await eventually(() => receiver.openConnections === 0)
    await receiver.close()
    expectLimit('challenge', verificationMs, ended)
  })
})
