import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { EventType } from '../../server/src/contract/events.ts'
import type { WebhookDraft } from '../../server/src/contract/webhooks.ts'
import { publishEvent } from '../../server/src/events/publish-event.ts'
import { createGuardedHttp, type GuardedHttpOptions } from '../../server/src/lib/guarded-http/guarded-http.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { anyAttempt } from '../../server/src/store/accounts/guesses.ts'
import { operation, query } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { anyDelivery } from '../../server/src/store/webhooks/deliveries.ts'
import { getWebhook } from '../../server/src/webhooks/find-webhook.ts'
import { registerWebhook } from '../../server/src/webhooks/register-webhook.ts'
import { type DeliveryEngine, startDeliveryEngine } from '../../server/src/workers/delivery-engine.ts'
import type { EngineName } from './postgres/databases.ts'
import type { HostileReceiver, ReceivedRequest, ReceiverOptions } from './receiver/hostile-receiver.ts'
import { type CheckedReceiver, refusalOf, startCheckedReceiver } from './receiver/hostile-receiver-oracle.ts'
import { aRuntime, type TestRuntime } from './runtime.ts'
import { waitFor } from './wait-for.ts'

/** Receivers of tests live on this machine and speak http, unless TLS is what is tested. */
export const localReceivers = { POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8,localhost' }

/**
 * For receivers that never answer; far below the total, so that it is these that end an attempt. Healthy receivers get
 * the real deadlines, because a busy machine is no defect of theirs.
 */
export const shortDeadlines = {
  POSTERN_WEBHOOK_CONNECT_TIMEOUT_MS: '1000',
  POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS: '1000',
  POSTERN_WEBHOOK_VERIFICATION_TIMEOUT_MS: '1000',
}

/**
 * Ended by this limit and no other: not before it, and not much later. A busy machine may add some to it, which is less
 * than the distance to the next limit; what it adds by not running this process (`countPauses`) is no defect.
 */
export function expectEndedAt(limitMs: number, tookMs: number | undefined, pausedMs: number): void {
  expect(tookMs).toBeGreaterThanOrEqual(limitMs - 10)
  expect(tookMs).toBeLessThan(limitMs + 1_000 + pausedMs)
}

/** Waits like `waitFor`, with patience for a machine that does ten other things. */
export function eventually(predicate: () => boolean | Promise<boolean>): Promise<void> {
  return waitFor(predicate, 20_000)
}

export const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='

/** Where deliveries of these tests arrive: what is not signed with `secret` fails the test, unless it says otherwise. */
export function aReceiver(options: ReceiverOptions = {}): Promise<CheckedReceiver> {
  return startCheckedReceiver([secret], options)
}

export type WebhookWorld = TestRuntime & {
  accountId: string
  engine: DeliveryEngine
  /** Winds the clock and lets the engine look. */
  pass(ms: number): void
  /** Starts an engine with the tools of now; the one before must have been drained. */
  restart(): void
}

export type WorldOptions = {
  env?: Record<string, string>
  deliver?: Partial<GuardedHttpOptions>
  /** Registers and publishes without an engine, to look at what is stored. */
  idle?: boolean
}

/** A runtime with a delivery engine; the clock starts at today, because the public verifier looks at the real one. */
export async function aWebhookWorld(engineName: EngineName, options: WorldOptions = {}): Promise<WebhookWorld> {
  const test = await aRuntime(engineName, { ...localReceivers, ...options.env })
  test.clock.set(Date.now())
  const connectMs = test.rt.config.webhookConnectTimeoutMs
  const deliver = createGuardedHttp({
    allow: ['127.0.0.0/8', 'localhost'],
    allowLoopback: true,
    connectMs,
    ...options.deliver,
  })
  const rt: Runtime = { ...test.rt, deliver }
  let engine: DeliveryEngine = options.idle ? noEngine : startDeliveryEngine(rt)
  const world: WebhookWorld = {
    ...test,
    rt,
    accountId: rt.newId('acc'),
    get engine() {
      return engine
    },
    pass(ms) {
      test.clock.advance(ms)
      engine.wake()
    },
    restart() {
      engine = startDeliveryEngine(world.rt)
    },
    async dispose() {
      await engine.drain(2_000)
      await deliver.close()
      await test.dispose()
    },
  }
  return world
}

const noEngine: DeliveryEngine = { drain: async () => {}, wake: () => {} }

/** As a process leaves them that is killed while it delivers. */
export const holdDeliveries = operation({
  name: 'test.hold_deliveries',
  input: { lease_until: 'int' },
  alone: true,
  sql: `insert into delivery_claims (delivery_id, webhook_id, subject, claim, lease_until)
        select id, webhook_id, subject, 'dead', (select lease_until from rows) from delivery_queue`,
})

/** Registers a webhook and waits until it is verified. */
export async function aVerifiedWebhook(world: WebhookWorld, draft: Partial<WebhookDraft> & { url: string }) {
  const created = await registerWebhook(world.rt, world.accountId, { events: ['*'], secret, ...draft })
  await eventually(async () => (await webhookNow(world, created.id)).verification.status === 'verified')
  return created.id
}

export function webhookNow(world: Pick<WebhookWorld, 'rt' | 'accountId'>, id: string) {
  return getWebhook(world.rt, world.accountId, id)
}

export type Publication = {
  type?: EventType
  subject?: string | null
  data?: Record<string, unknown>
  accountId?: string
}

/** Commits an event of the account and returns its id. */
export async function publish(world: Pick<WebhookWorld, 'rt' | 'accountId'>, event: Publication = {}): Promise<string> {
  const unit = new Unit()
  const { type = 'message.sent', subject = null, data = {}, accountId = world.accountId } = event
  const id = publishEvent(world.rt, unit, { accountId, type, subject, sequence: 1, data })
  await world.rt.store.write(unit)
  return id
}

export const allDeliveries = query({
  name: 'test.deliveries',
  params: { webhook_id: 'text' },
  returns: { id: 'text', event_id: 'text', status: 'text', attempts: 'int', due_at: 'int', step: 'int', cause: 'text' },
  lane: 'list',
  sql: `select id, event_id, status, attempts, due_at, step, cause from ${anyDelivery('d.webhook_id = :webhook_id')} d
        order by id`,
})

export const allAttempts = query({
  name: 'test.attempts',
  params: { webhook_id: 'text' },
  returns: {
    id: 'text',
    delivery_id: 'text',
    number: 'int',
    cause: 'text',
    late: 'int',
    started_at: 'int',
    duration_ms: 'int',
    status_code: 'int?',
    error_code: 'text?',
    error_message: 'text?',
    response_body: 'text?',
    remote_ip: 'text?',
  },
  lane: 'list',
  sql: `select id, delivery_id, number, cause, late, started_at, duration_ms, status_code, error_code, error_message,
          response_body, remote_ip
        from ${anyAttempt('d.webhook_id = :webhook_id')} a order by started_at, number, id`,
})

export async function deliveriesOf(world: Pick<WebhookWorld, 'rt'>, webhookId: string) {
  return world.rt.store.read(allDeliveries, { webhook_id: webhookId })
}

export async function attemptsOf(world: Pick<WebhookWorld, 'rt'>, webhookId: string) {
  return world.rt.store.read(allAttempts, { webhook_id: webhookId })
}

/** Waits until the log of a webhook has so many attempts, and returns it. */
export async function attemptsReach(world: Pick<WebhookWorld, 'rt'>, webhookId: string, count: number) {
  await eventually(async () => (await attemptsOf(world, webhookId)).length >= count)
  return attemptsOf(world, webhookId)
}

export async function statusesOf(world: Pick<WebhookWorld, 'rt'>, webhookId: string): Promise<string[]> {
  return (await deliveriesOf(world, webhookId)).map(({ status }) => status)
}

const undelivered = query({
  name: 'test.undelivered',
  params: { webhook_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: `select count(*) as count from ${anyDelivery('d.webhook_id = :webhook_id')} d where status <> 'delivered'`,
})

/** Waits until everything published for a webhook has arrived. */
export async function allDelivered(world: Pick<WebhookWorld, 'rt'>, webhookId: string, deadlineMs = 20_000) {
  await waitFor(async () => {
    // Counting thousands of rows every few milliseconds would be most of the work of the test.
    await delay(50)
    const [left] = await world.rt.store.read(undelivered, { webhook_id: webhookId })
    return left?.count === 0
  }, deadlineMs)
}

/** Events a receiver got, without challenges. */
export function eventsAt(receiver: HostileReceiver, path?: string): ReceivedRequest[] {
  return receiver.requests.filter(
    ({ headers, path: at }) => !headers['webhook-id']?.startsWith('vrf_') && (path === undefined || at === path),
  )
}

/** All of these verify with this very secret. That they verify at all is what the receiver sees to. */
export function expectSignedWith(key: string, requests: readonly ReceivedRequest[]): void {
  expect(requests.length).toBeGreaterThan(0)
  for (const request of requests) expect(refusalOf(request, key)).toBeNull()
}

export type Recount = { total_sent: number; total_failed: number; last_triggered: number | null }

const recountQuery = query({
  name: 'test.recount',
  params: { webhook_id: 'text' },
  returns: { total_sent: 'int', total_failed: 'int', last_triggered: 'int?' },
  lane: 'list',
  sql: `select count(*) as total_sent,
          coalesce(sum(case when coalesce(a.status_code, 0) between 200 and 299 then 0 else 1 end), 0) as total_failed,
          max(a.started_at) as last_triggered
        from (select *, row_number() over (partition by delivery_id order by id desc) as nth
          from ${anyAttempt('d.webhook_id = :webhook_id')} every_one where late = 0) a
        where nth = 1`,
})

/** Statistics are exactly what the log of attempts says: a recount after anything must agree. */
export async function expectRecountToAgree(
  world: Pick<WebhookWorld, 'rt' | 'accountId'>,
  webhookId: string,
): Promise<void> {
  const [recount] = await world.rt.store.read(recountQuery, { webhook_id: webhookId })
  const { stats, last_triggered } = await webhookNow(world, webhookId)
  expect({ sent: stats.total_sent, failed: stats.total_failed }).toEqual({
    sent: recount?.total_sent,
    failed: recount?.total_failed,
  })
  const latest = recount?.last_triggered ?? null
  expect(last_triggered).toBe(latest === null ? null : new Date(latest).toISOString())
}
