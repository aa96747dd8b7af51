import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import {
  aReceiver,
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  eventually,
  holdDeliveries,
  publish,
  type WebhookWorld,
} from '../../../test/support/webhook-world.ts'
import { addClaim } from '../access/idempotency.ts'
import { minuteMs } from '../lib/durations.ts'
import { findIdempotencyKey } from '../store/accounts/idempotency.ts'
import { addCallback, claimCallbacks, dueCallbackWork } from '../store/channels/callbacks.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { claimJobs, enqueueJob, nextJobAt } from '../store/jobs/jobs.ts'
import { findUnsettled, insertMessage, newMessage } from '../store/messages/messages.ts'
import { endClaims } from './runner.ts'

describe.each(engines)('a start after a crash, on %s,', (engine) => {
  let world: WebhookWorld
  const closers: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    world = await aWebhookWorld(engine)
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
    await world.dispose()
  })

  /** A callback, a job, a delivery, a send and its key, as a process leaves them that is killed. */
  async function leaveEverythingBegun() {
    const { rt, accountId, clock } = world
    const receiver = await aReceiver()
    closers.push(() => receiver.close())
    const webhook = await aVerifiedWebhook(world, { url: `${receiver.url}/hook` })
    await world.engine.drain(1_000)
    await publish(world)
    const now = clock.now()
    const lease = { now, lease_until: now + minuteMs, claim: 'dead' }
    const body = { hash: Buffer.alloc(16), body: Buffer.from('{}'), received_at: now }
    const job = { id: 'job_1', lane: 'main', kind: 'test.held', subject: '', account_id: null, payload: '{}' }
    const unit = new Unit()
    unit.add(holdDeliveries, lease)
    addCallback(unit, rt.store.engine, { id: rt.newId('cbk'), channel_id: 'ch_1', account_id: accountId, ...body })
    unit.add(claimCallbacks, { ...lease, account_id: accountId, count: 1, bytes: 1_000 })
    unit.add(enqueueJob, { ...job, run_at: now, now })
    unit.add(claimJobs, { ...lease, count: 1 })
    addClaim(rt, unit, { accountId, endpoint: 'POST /x', key: 'k', fingerprint: 'f' }, null)
    await rt.store.write(unit)
    const message = { id: 'out_1', account_id: accountId, number_id: 'num_1', direction: 'outbound', type: 'text' }
    const state = { status: 'queued', history: '[]', created_at: now, settle_by: now + minuteMs }
    await rt.store.write(unitOf(insertMessage, newMessage({ ...message, ...state })))
    return webhook
  }

  async function whatIsDue() {
    const { store, clock } = world.rt
    const now = clock.now() + 1
    const [work] = await store.read(dueCallbackWork, { now })
    const [job] = await store.read(nextJobAt.main, {})
    const sends = await store.read(findUnsettled, { now, count: 9 })
    const place = { account_id: world.accountId, endpoint: 'POST /x', idempotency_key: 'k' }
    const [key] = await store.read(findIdempotencyKey, place)
    const keyIsOver = (key?.lease_until ?? now) < now
    return { callbacks: work?.callbacks, job: (job?.at ?? now) < now, sends: sends.length, keyIsOver }
  }

  test(`goes on with what was begun ${engine === 'sqlite' ? 'at once' : 'by others when its lease ends'}`, async () => {
    const webhook = await leaveEverythingBegun()
    const nothing = { callbacks: 0, job: false, sends: 0, keyIsOver: false }
    expect(await whatIsDue()).toEqual(nothing)
    await endClaims(world.rt)
    expect(await whatIsDue()).toEqual(
      world.rt.store.shared ? nothing : { callbacks: 1, job: true, sends: 1, keyIsOver: true },
    )
    if (world.rt.store.shared) world.clock.advance(minuteMs)
    world.restart()
    await eventually(async () => (await deliveriesOf(world, webhook))[0]?.status === 'delivered')
  })

  test('leaves alone what waits for its time', async () => {
    const { rt, clock } = world
    const now = clock.now()
    const job = { id: 'job_2', lane: 'main', kind: 'test.later', subject: '', account_id: null, payload: '{}' }
    await rt.store.write(unitOf(enqueueJob, { ...job, run_at: now + minuteMs, now }))
    await endClaims(rt)
    expect(await rt.store.read(nextJobAt.main, {})).toEqual([{ at: now + minuteMs }])
  })
})
