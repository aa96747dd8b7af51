import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expireOldEvents } from '../../server/src/events/read-feed.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { findWebhook } from '../../server/src/store/webhooks/webhooks.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { replayDeliveries, retryDelivery } from '../../server/src/webhooks/replay/replay-deliveries.ts'
import { updateWebhook } from '../../server/src/webhooks/update-webhook.ts'
import { verifyWebhook } from '../../server/src/webhooks/verify-webhook.ts'
import { engines } from '../support/postgres/databases.ts'
import type { CheckedReceiver } from '../support/receiver/hostile-receiver-oracle.ts'
import {
  type Exchange,
  hugeBody,
  neverAnswer,
  type Reaction,
  respond,
  serialise,
} from '../support/receiver/hostile-receiver-reactions.ts'
import {
  aReceiver,
  attemptsReach,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventsAt,
  eventually,
  publish,
  secret,
  shortDeadlines,
  statusesOf,
  type WebhookWorld,
  webhookNow,
} from '../support/webhook-world.ts'

describe.each(engines)('ownership of a webhook on %s', (engine) => {
  let world: WebhookWorld
  let receiver: CheckedReceiver
  beforeAll(async () => {
    world = await aWebhookWorld(engine, { env: shortDeadlines })
  })
  afterAll(() => world.dispose())
  beforeEach(async () => {
    receiver = await aReceiver()
    world.accountId = world.rt.newId('acc')
  })
  afterEach(() => receiver.close())

  const register = (over = {}) =>
    registerWebhook(world.rt, world.accountId, { url: `${receiver.url}/hook`, events: ['*'], secret, ...over })

  test.each(['plain', 'newline', 'bom', 'json', 'json-string', 'form', 'echo-request'] as const)(
    'a challenge returned as %s proves ownership',
    async (form) => {
      receiver.echo(form)
      const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
      const { verification, stats, last_triggered } = await webhookNow(world, id)
      expect(verification).toEqual({ status: 'verified', verified_at: expect.any(String), last_error: null })
      const [challenge] = receiver.requests
      expect(JSON.parse(String(challenge?.body))).toEqual({
        type: 'webhook.verification',
        challenge: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect(challenge?.headers['webhook-id']).toMatch(/^vrf_/)
      expect({ stats, last_triggered }).toEqual({
        stats: { total_sent: 0, total_failed: 0, success_rate: 100 },
        last_triggered: null,
      })
    },
  )

  const echoWith = (status: number): Reaction => ({
    run: ({ request, socket }) => {
      const { challenge } = JSON.parse(String(request.body)) as { challenge: string }
      socket.write(serialise({ status, body: challenge, headers: { location: 'https://elsewhere.test/' } }))
    },
  })

  test.each([
    ['a wrong value', respond({ body: '{"challenge":"nope"}' }), 'The response did not contain the challenge.'],
    ['the right value with 500', echoWith(500), 'The receiver responded with status 500.'],
    ['the right value with 302', echoWith(302), /^redirect_not_followed: .*elsewhere\.test/],
    ['5 MB of something else', hugeBody(5_000_000), 'The response did not contain the challenge.'],
    ['silence', neverAnswer(), /^timeout:/],
  ])('%s proves nothing and is told', async (_, reaction, expected) => {
    receiver.on('/hook', reaction)
    const { id } = await register()
    await eventually(async () => (await webhookNow(world, id)).verification.last_error !== null)
    const { verification } = await webhookNow(world, id)
    expect(verification).toEqual({ status: 'pending', verified_at: null, last_error: expect.stringMatching(expected) })
  })

  test('every attempt carries a new challenge, at 0 s, 5 s, 30 s, 2 min, 10 min and 1 h, and then it has failed', async () => {
    receiver.echo('wrong')
    const { id } = await register()
    for (const [made, waitMs] of [5_000, 30_000, 120_000, 600_000, 3_600_000].entries()) {
      await eventually(async () => receiver.requests.length === made + 1)
      await eventually(async () => (await webhookNow(world, id)).verification.last_error !== null)
      await eventually(async () => (await attemptsMade(id)) === made + 1)
      world.pass(waitMs)
    }
    await eventually(async () => (await webhookNow(world, id)).verification.status === 'failed')
    const challenges = receiver.requests.map(({ body }) => String(body))
    expect(challenges).toHaveLength(6)
    expect(new Set(challenges).size).toBe(6)
  })

  test('an event raised right after registration is delivered once the receiver has proved itself', async () => {
    receiver.on('/hook', respond({ status: 503 }))
    const { id } = await register()
    const events = [await publish(world), await publish(world), await publish(world)]
    await eventually(async () => (await webhookNow(world, id)).verification.last_error !== null)
    expect(await statusesOf(world, id)).toEqual(['held', 'held', 'held'])
    expect(eventsAt(receiver)).toHaveLength(0)
    receiver.on('/hook', { run: (exchange) => respond(echo(exchange.request.body)).run(exchange) })
    world.pass(5_000)
    await attemptsReach(world, id, 3)
    expect(eventsAt(receiver).map(({ headers }) => headers['webhook-id'])).toEqual(events)
    expect(await statusesOf(world, id)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  test('without an answer to the challenge no event ever reaches the url, and what was held is skipped', async () => {
    receiver.echo('wrong')
    const { id } = await register()
    const witness = await aReceiver()
    await aVerifiedWebhook(world, { url: witness.url, events: ['webhook.failing'] })
    await publish(world)
    await failEveryCheck(id)
    await publish(world)
    expect(await statusesOf(world, id)).toEqual(['skipped', 'skipped'])
    expect(eventsAt(receiver)).toHaveLength(0)
    await eventually(() => eventsAt(witness).length === 1)
    expect(JSON.parse(String(eventsAt(witness)[0]?.body)).data).toMatchObject({
      id,
      verification: { status: 'failed' },
    })
    await witness.close()
  })

  test('what is held for a day is skipped, and a replay can still send it', async () => {
    receiver.on('/hook', neverAnswer())
    const { id } = await register()
    await publish(world)
    await eventually(async () => (await webhookNow(world, id)).verification.last_error !== null)
    world.pass(86_400_001)
    await expireOldEvents(world.rt)
    expect(await statusesOf(world, id)).toEqual(['skipped'])
    receiver.on('/hook', { run: (exchange) => respond(echo(exchange.request.body)).run(exchange) })
    await verifyWebhook(world.rt, world.accountId, id)
    const since = new Date(world.clock.now() - 2 * 86_400_000).toISOString()
    const replay = await replayDeliveries(world.rt, world.accountId, id, { since })
    expect(replay).toMatchObject({ matched: 1, queued: 1 })
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
  })

  test('a new url must prove itself before it gets what was waiting for the old one', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/old` })
    receiver.on('/old', respond({ status: 500 }))
    await publish(world)
    await attemptsReach(world, id, 1)
    receiver.on('/new', respond({ status: 200, body: 'not the challenge' }))
    const changed = await updateWebhook(world.rt, world.accountId, id, { url: `${receiver.url}/new` })
    expect(changed.verification.status).toBe('pending')
    expect(await statusesOf(world, id)).toEqual(['held'])
    await eventually(async () => (await webhookNow(world, id)).verification.last_error !== null)
    expect(eventsAt(receiver, '/new')).toHaveLength(0)
    receiver.on('/new', { run: (exchange) => respond(echo(exchange.request.body)).run(exchange) })
    world.pass(5_000)
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    expect(eventsAt(receiver, '/old')).toHaveLength(1)
    expect(eventsAt(receiver, '/new')).toHaveLength(1)
  })

  test('a check by hand answers with the verified webhook, or says what was wrong', async () => {
    receiver.echo('wrong')
    const { id } = await register()
    await expect(verifyWebhook(world.rt, world.accountId, id)).rejects.toMatchObject({
      code: 'webhook_verification_failed',
      message: 'The response did not contain the challenge.',
    })
    receiver.echo('json')
    expect((await verifyWebhook(world.rt, world.accountId, id)).verification.status).toBe('verified')
    receiver.echo('wrong')
    await expect(verifyWebhook(world.rt, world.accountId, id)).rejects.toThrow()
    expect((await webhookNow(world, id)).verification.status).toBe('verified')
  })

  test('a check that the gateway itself could not make is not blamed on the receiver', async () => {
    const { id } = await register()
    await eventually(async () => (await webhookNow(world, id)).verification.status === 'verified')
    const { post } = world.rt.deliver
    const fault = { kind: 'failure', code: 'our_fault', message: 'The proxy is away.', durationMs: 1 } as const
    Object.assign(world.rt.deliver, { post: async () => fault })
    try {
      await expect(verifyWebhook(world.rt, world.accountId, id)).rejects.toMatchObject({ code: 'service_unavailable' })
    } finally {
      Object.assign(world.rt.deliver, { post })
    }
    expect((await webhookNow(world, id)).verification).toMatchObject({ status: 'verified', last_error: null })
  })

  test('nothing is retried or replayed to a receiver that failed its check, and the log stays as it was', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    await publish(world)
    await attemptsReach(world, id, 1)
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    receiver.echo('wrong')
    await updateWebhook(world.rt, world.accountId, id, { url: `${receiver.url}/moved` })
    await failEveryCheck(id)
    const [before] = await deliveriesOf(world, id)
    const since = new Date(world.clock.now() - 3 * 86_400_000).toISOString()
    const refusal = { code: 'webhook_verification_failed' }
    for (const status of ['failed', 'all'] as const) {
      const replay = replayDeliveries(world.rt, world.accountId, id, { since, status })
      await expect(replay).rejects.toMatchObject(refusal)
    }
    const retry = retryDelivery(world.rt, world.accountId, id, before?.id ?? '')
    await expect(retry).rejects.toMatchObject(refusal)
    expect(await deliveriesOf(world, id)).toEqual([before])
    expect(before?.status).toBe('delivered')
  })

  test('a new url starts with a clean record: no pause, no failure, no open circuit of the old one', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/old` })
    receiver.on('/old', respond({ status: 503, headers: { 'retry-after': '86400' } }))
    await publish(world)
    await attemptsReach(world, id, 1)
    await eventually(async () => (await statusesOf(world, id))[0] === 'pending')
    expect((await stateOf(id))?.failing_since).not.toBeNull()
    await updateWebhook(world.rt, world.accountId, id, { url: `${receiver.url}/new` })
    expect(await stateOf(id)).toEqual({ failing_since: null, paused_until: 0 })
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    expect(eventsAt(receiver, '/new')).toHaveLength(1)
  })

  test('one account with many silent receivers leaves places for the checks of others', async () => {
    let open = 0
    let most = 0
    const hold = ({ socket }: Exchange) => {
      most = Math.max(most, ++open)
      socket.once('close', () => open--)
    }
    receiver.on('/silent', { run: hold })
    await Promise.all(Array.from({ length: 20 }, () => register({ url: `${receiver.url}/silent` })))
    await eventually(() => most >= 4)
    const other = await aReceiver()
    world.accountId = world.rt.newId('acc')
    await aVerifiedWebhook(world, { url: `${other.url}/hook` })
    await eventually(() => receiver.requests.length >= 8)
    // Four at a time; of those before, the receiver may hear a moment late that they ended.
    expect(most).toBeLessThanOrEqual(8)
    await other.close()
  })

  test('a webhook registered inactive is verified too, and gets nothing', async () => {
    const id = await aVerifiedWebhook(world, { url: `${receiver.url}/hook`, active: false })
    await publish(world)
    expect(await statusesOf(world, id)).toEqual(['skipped'])
    expect((await deliveriesOf(world, id))[0]?.attempts).toBe(0)
  })

  async function failEveryCheck(id: string): Promise<void> {
    for (const [made, waitMs] of [5_000, 30_000, 120_000, 600_000, 3_600_000].entries()) {
      await eventually(async () => (await attemptsMade(id)) === made + 1)
      world.pass(waitMs)
    }
    await eventually(async () => (await webhookNow(world, id)).verification.status === 'failed')
  }

  async function stateOf(id: string) {
    const [row] = await world.rt.store.read(recordOf, { id })
    return row
  }

  async function attemptsMade(id: string): Promise<number> {
    const [row] = await world.rt.store.read(findWebhook, { id, account_id: world.accountId })
    return row?.verification_attempts ?? 0
  }
})

const recordOf = query({
  name: 'test.record_of_webhook',
  params: { id: 'text' },
  returns: { failing_since: 'int?', paused_until: 'int' },
  sql: 'select failing_since, paused_until from webhook_states where webhook_id = :id',
})

function echo(body: Buffer): { body: string } {
  return { body: (JSON.parse(String(body)) as { challenge?: string }).challenge ?? '' }
}

describe('with the check waived by the operator', () => {
  test.each(['warn', 'off'])('%s: events go out although nobody returned a challenge', async (mode) => {
    const receiver = await aReceiver({ echo: 'wrong' })
    const world = await aWebhookWorld('sqlite', { env: { POSTERN_WEBHOOK_VERIFICATION: mode } })
    const draft = { url: receiver.url, events: ['*'], secret }
    const { id } = await registerWebhook(world.rt, world.accountId, draft)
    await publish(world)
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    expect((await webhookNow(world, id)).verification.status).toBe('pending')
    if (mode === 'off') expect(receiver.requests).toHaveLength(1)
    await world.dispose()
    await receiver.close()
  })

  test.each(engines)('on %s a new url gets what was waiting for the old one, at once', async (engine) => {
    const receiver = await aReceiver()
    const world = await aWebhookWorld(engine, { env: { POSTERN_WEBHOOK_VERIFICATION: 'off' } })
    receiver.on('/old', respond({ status: 500 }))
    const draft = { url: `${receiver.url}/old`, events: ['*'], secret }
    const { id } = await registerWebhook(world.rt, world.accountId, draft)
    await publish(world)
    await attemptsReach(world, id, 1)
    await eventually(async () => (await statusesOf(world, id))[0] === 'pending')
    await updateWebhook(world.rt, world.accountId, id, { url: `${receiver.url}/new` })
    expect(await statusesOf(world, id)).toEqual(['pending'])
    world.pass(6_000)
    await eventually(async () => (await statusesOf(world, id))[0] === 'delivered')
    expect(eventsAt(receiver, '/new')).toHaveLength(1)
    await world.dispose()
    await receiver.close()
  })
})
