import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Runtime } from '../../server/src/runtime.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { operatorNoticeKind } from '../../server/src/webhooks/disable-webhook.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { testWebhook } from '../../server/src/webhooks/test-webhook.ts'
import { deleteWebhook, rotateSecret, updateWebhook } from '../../server/src/webhooks/update-webhook.ts'
import { checkOwnership, claimDueChallenges } from '../../server/src/webhooks/verify-webhook.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { type Runner, startRunner } from '../../server/src/workers/runner.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import { neverAnswer, type Reaction, respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { countJobs } from '../support/store-queries.ts'
import {
  aReceiver,
  attemptsOf,
  attemptsReach,
  aVerifiedWebhook,
  aWebhookWorld,
  eventsAt,
  eventually,
  publish,
  secret,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

/** As another process does when a lease is over. */
const takeOver = operation({
  name: 'test.take_over',
  input: { webhook_id: 'text' },
  sql: `update delivery_claims set claim = 'another' from rows where delivery_claims.webhook_id = rows.webhook_id`,
})

/** The value of one time series, 0 before its first sample. */
async function sample({ metrics }: Pick<Runtime, 'metrics'>, series: string): Promise<number> {
  const lines = (await metrics.render()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1) ?? 0)
}

describe.each(engines)('edges of webhooks on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  beforeAll(async () => {
    world = await aWebhookWorld(engine)
  })
  afterAll(() => world.dispose())
  beforeEach(async () => {
    receiver = await aReceiver()
    world.accountId = world.rt.newId('acc')
  })
  afterEach(() => receiver.close())

  const register = (over = {}) =>
    registerWebhook(world.rt, world.accountId, { url: `${receiver.url}/hook`, events: ['*'], secret, ...over })

  test('a test leaves the wide line and counts as an attempt, like any other', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    receiver.on('/hook', respond({ status: 503 }))
    const series = 'postern_webhook_attempts_total{event="message.read",outcome="5xx"}'
    const before = await sample(world.rt, series)
    const { attempt, delivery_id } = await testWebhook(world.rt, world.accountId, id, 'message.read')
    expect(await sample(world.rt, series)).toBe(before + 1)
    const lines = world.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter((line) => line.msg === 'webhook.attempted' && line.webhook_id === id)).toEqual([
      expect.objectContaining({
        account_id: world.accountId,
        delivery_id,
        attempt_id: attempt.id,
        cause: 'test',
        event: 'message.read',
        status_code: 503,
        result: 'failed',
      }),
    ])
  })

  test('a deleted webhook counts what was cancelled with it', async () => {
    receiver.on('/hook', respond({ status: 500 }))
    const { id } = await register()
    const series = 'postern_webhook_deliveries_total{event="message.sent",result="cancelled"}'
    const before = await sample(world.rt, series)
    for (let count = 0; count < 3; count++) await publish(world)
    await deleteWebhook(world.rt, world.accountId, id)
    expect(await statusesOf(world, id)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect(await sample(world.rt, series)).toBe(before + 3)
  })

  test('a 410 counts what was cancelled with it', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook`, max_in_flight: 1 })
    const series = 'postern_webhook_deliveries_total{event="message.sent",result="cancelled"}'
    const before = await sample(world.rt, series)
    const held = Promise.withResolvers<void>()
    receiver.next({ run: (exchange) => held.promise.then(() => respond({ status: 410 }).run(exchange)) })
    for (let count = 0; count < 3; count++) await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    held.resolve()
    await eventually(async () => !(await webhookNow(world, id)).active)
    expect(await statusesOf(world, id)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    await eventually(async () => (await sample(world.rt, series)) === before + 3)
  })

  test('what was under way at a 410 and fails later is cancelled; later events are kept for a replay', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook`, max_in_flight: 2 })
    const series = 'postern_webhook_deliveries_total{event="message.sent",result="cancelled"}'
    const before = await sample(world.rt, series)
    const held = Promise.withResolvers<void>()
    const late: Reaction = { run: (exchange) => held.promise.then(() => respond({ status: 500 }).run(exchange)) }
    receiver.next(late)
    await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    receiver.next(respond({ status: 410 }))
    await publish(world)
    await eventually(async () => !(await webhookNow(world, id)).active)
    held.resolve()
    await attemptsReach(world, id, 2)
    await eventually(async () => !(await statusesOf(world, id)).includes('sending'))
    await publish(world)
    expect(await statusesOf(world, id)).toEqual(['cancelled', 'cancelled', 'skipped'])
    await eventually(async () => (await sample(world.rt, series)) === before + 2)
  })

  test('an attempt that ends after another process took its delivery over ends nothing', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    const series = 'postern_webhook_deliveries_total{event="message.sent",result="delivered"}'
    const before = await sample(world.rt, series)
    const held = Promise.withResolvers<void>()
    receiver.next({ run: (exchange) => held.promise.then(() => respond().run(exchange)) })
    await publish(world)
    await eventually(() => eventsAt(receiver).length === 1)
    const unit = new Unit()
    unit.add(takeOver, { webhook_id: id })
    await world.rt.store.write(unit)
    held.resolve()
    const [attempt] = await attemptsReach(world, id, 1)
    expect(attempt?.late).toBe(1)
    await eventually(() => world.logLines.some((line) => line.includes(id) && line.includes('"result":"late"')))
    expect(await sample(world.rt, series)).toBe(before)
  })

  test('the connections that deliveries keep are counted apart from new ones', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook`, max_in_flight: 1 })
    const kept = await sample(world.rt, 'postern_webhook_connections_total{connection="kept"}')
    for (let count = 1; count <= 3; count++) {
      await publish(world)
      await attemptsReach(world, id, count)
    }
    expect(receiver.connections).toBe(1)
    expect(await sample(world.rt, 'postern_webhook_connections_total{connection="kept"}')).toBe(kept + 3)
    const made = await sample(world.rt, 'postern_webhook_connections_total{connection="new"}')
    receiver.dropConnections('end')
    await eventually(() => receiver.openConnections === 0)
    await publish(world)
    await attemptsReach(world, id, 4)
    expect(await sample(world.rt, 'postern_webhook_connections_total{connection="new"}')).toBe(made + 1)
  })

  test('what an answer leaves in the log stays within 4 KiB each for headers and body', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    const headers = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`x-${at}-${'n'.repeat(100)}`, 'v'.repeat(250)]),
    )
    receiver.on('/hook', respond({ status: 500, headers, body: Buffer.alloc(8_000, 0xff) }))
    const { attempt } = await testWebhook(world.rt, world.accountId, id, 'message.sent')
    expect(attempt.status_code).toBe(500)
    expect(Buffer.byteLength(JSON.stringify(attempt.response_headers))).toBeLessThanOrEqual(4_096)
    await publish(world)
    const [stored] = await attemptsReach(world, id, 1)
    expect(Buffer.byteLength(stored?.response_body ?? '')).toBeLessThanOrEqual(4_096)
    expect(stored?.response_body).toContain('\uFFFD')
  })

  test.each([
    'https://localhost../',
    'https://foo.internal../',
    'https://.hooks.example.test/',
    'https://hooks..example.test/',
    ' https://hooks.example.test/',
    'https://hooks.example.test/a\nb',
    'https://hooks.example.test/a b',
    'https://hooks.example.test/\t',
  ])('%j is refused at registration and by a change', async (url) => {
    const refusal = { code: 'webhook_url_not_allowed', extras: { details: [{ field: 'url', code: 'invalid_url' }] } }
    await expect(register({ url })).rejects.toMatchObject(refusal)
    const { id } = await register()
    await expect(updateWebhook(world.rt, world.accountId, id, { url })).rejects.toMatchObject(refusal)
  })

  test('null in a change is the same as leaving the field out, except where a webhook may be without', async () => {
    const { id } = await register({ description: 'Orders', max_in_flight: 3, max_per_second: 7 })
    const change = (changes: object) => updateWebhook(world.rt, world.accountId, id, changes)
    for (const field of ['url', 'events', 'active', 'max_in_flight']) {
      await expect(change({ [field]: null })).rejects.toMatchObject({
        code: 'validation_failed',
        extras: { details: [{ field, code: 'required' }] },
      })
    }
    const nulls = { url: null, events: null, active: null, max_in_flight: null }
    expect(await change({ ...nulls, description: 'Shop' })).toMatchObject({
      url: `${receiver.url}/hook`,
      events: ['*'],
      active: true,
      description: 'Shop',
      max_in_flight: 3,
      max_per_second: 7,
    })
    expect(await change({ max_per_second: null })).toMatchObject({ max_per_second: null, max_in_flight: 3 })
    expect(await change({ description: null })).toMatchObject({ description: null })
  })

  test('a rotation within the overlap of another says that the oldest secret has ended', async () => {
    // Verified first: a challenge that leaves after a rotation carries secrets that the receiver was not told of.
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    const first = await rotateSecret(world.rt, world.accountId, id, { overlap_seconds: 3_600 })
    expect(first.earlier_secret_ended).toBe(false)
    const second = await rotateSecret(world.rt, world.accountId, id, { overlap_seconds: 60 })
    expect(second.earlier_secret_ended).toBe(true)
    world.pass(60_000)
    const third = await rotateSecret(world.rt, world.accountId, id, {})
    expect(third.earlier_secret_ended).toBe(false)
  })
})

describe.each(engines)('what the operator is told on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  let runner: Runner
  const operatorSecret = 'the-operators-own'
  const path = '/operator?token=hidden'
  beforeAll(async () => {
    receiver = await aReceiver()
    receiver.expectSecrets(path, operatorSecret)
    const env = {
      POSTERN_OPERATOR_CALLBACK_URL: `${receiver.url}${path}`,
      POSTERN_OPERATOR_CALLBACK_SECRET: operatorSecret,
    }
    world = await aWebhookWorld(engine, { env })
    runner = startRunner(
      world.rt,
      jobDefinitions.filter(({ kind }) => kind === operatorNoticeKind),
    )
  })
  afterAll(async () => {
    await runner.drain(2_000)
    await world.dispose()
    await receiver.close()
  })
  test('a webhook that was switched off is told of once, signed, and again with the same id until it is taken', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    receiver.on('/hook', respond({ status: 410 }))
    let answers = 0
    const first = respond({ status: 503 })
    receiver.on(path, { run: (exchange) => (answers++ === 0 ? first : respond()).run(exchange) })
    await publish(world)
    await eventually(() => {
      world.pass(500)
      return eventsAt(receiver, path).length >= 2
    })
    await eventually(async () => (await world.rt.store.read(countJobs, { kind: operatorNoticeKind }))[0]?.total === 0)
    const told = eventsAt(receiver, path)
    expect(told).toHaveLength(2)
    expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(JSON.parse(String(told[0]?.body))).toMatchObject({
      id: told[0]?.headers['webhook-id'],
      type: 'webhook.disabled',
      account_id: world.accountId,
      data: { id, active: false, disabled_reason: 'gone' },
    })
    expect(world.logLines.join('')).not.toMatch(/token=hidden|the-operators-own/)
  })

  test('a failed check is told of', async () => {
    const before = eventsAt(receiver, path).length
    receiver.on('/silent', respond({ status: 500 }))
    await registerWebhook(world.rt, world.accountId, { url: `${receiver.url}/silent`, events: ['*'], secret })
    await eventually(() => {
      world.pass(3_600_000)
      return eventsAt(receiver, path).length > before
    })
    expect(JSON.parse(String(eventsAt(receiver, path).at(-1)?.body))).toMatchObject({
      type: 'webhook.failing',
      data: { verification: { status: 'failed' } },
    })
  })
})

describe.each(engines)('who is asked for proof, and when, on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  beforeEach(async () => {
    receiver = await aReceiver()
  })
  afterEach(async () => {
    // First the receiver: nothing that never answers is waited for then.
    await receiver.close()
    await world.dispose()
  })

  test('seventeen accounts with silent receivers do not make another account wait', async () => {
    // Longer than the test has: a webhook that waits for a silent receiver is never verified.
    world = await aWebhookWorld(engine, { env: { POSTERN_WEBHOOK_VERIFICATION_TIMEOUT_MS: '120000' } })
    receiver.on('/silent', neverAnswer())
    const silent: { accountId: string; id: string }[] = []
    for (let account = 0; account < 17; account++) {
      const accountId = world.rt.newId('acc')
      for (let count = 0; count < 4; count++) {
        const { id } = await registerWebhook(world.rt, accountId, {
          url: `${receiver.url}/silent`,
          events: ['*'],
          secret,
        })
        silent.push({ accountId, id })
      }
    }
    await eventually(() => receiver.requests.length >= 64)
    world.accountId = world.rt.newId('acc')
    await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    for (const { accountId, id } of silent) {
      const { verification } = await webhookNow({ rt: world.rt, accountId }, id)
      expect(verification.last_error).toBeNull()
    }
  })

  test('half of all places is only for first challenges, of accounts that have none under way', async () => {
    world = await aWebhookWorld(engine, { idle: true })
    const draft = { url: `${receiver.url}/hook`, events: ['*'], secret }
    const repeated = await registerWebhook(world.rt, world.accountId, draft)
    const [first] = await claimDueChallenges(world.rt, 'first', 0)
    receiver.echo('wrong')
    expect(first?.id).toBe(repeated.id)
    if (first) await checkOwnership(world.rt, first, 'first')
    world.clock.advance(5_000)
    const claimed = async (claim: string, running: number) =>
      (await claimDueChallenges(world.rt, claim, running)).map(({ id }) => id)
    expect(await claimed('second', 64)).toEqual([])
    const fresh = await registerWebhook(world.rt, world.accountId, draft)
    const another = await registerWebhook(world.rt, world.accountId, draft)
    expect(await claimed('third', 64)).toEqual([fresh.id])
    expect(await claimed('fourth', 64)).toEqual([])
    const onePlaceLeft = await claimed('fifth', 63)
    expect(onePlaceLeft).toHaveLength(1)
    const rest = await claimed('sixth', 0)
    expect([...onePlaceLeft, ...rest].sort()).toEqual([repeated.id, another.id].sort())
  })

  test('a webhook registered while nobody was asked is asked after a restart that asks', async () => {
    world = await aWebhookWorld(engine, { env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
    const { id } = await registerWebhook(world.rt, world.accountId, {
      url: `${receiver.url}/hook`,
      events: ['*'],
      secret,
    })
    await publish(world)
    await attemptsReach(world, id, 1)
    await world.engine.drain(2_000)
    world.rt = { ...world.rt, config: { ...world.rt.config, webhookVerification: 'enforce' } }
    await publish(world)
    expect((await statusesOf(world, id)).at(-1)).toBe('held')
    world.restart()
    await eventually(async () => (await webhookNow(world, id)).verification.status === 'verified')
    await attemptsReach(world, id, 2)
    expect(await statusesOf(world, id)).toEqual(['delivered', 'delivered'])
    expect((await attemptsOf(world, id)).every(({ status_code }) => status_code === 200)).toBe(true)
  })
})
