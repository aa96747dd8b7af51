import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { startHostileReceiver } from '../../../test/support/receiver/hostile-receiver.ts'
import { respond } from '../../../test/support/receiver/hostile-receiver-reactions.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import {
  aVerifiedWebhook,
  aWebhookWorld,
  deliveriesOf,
  holdDeliveries,
  publish,
  type WebhookWorld,
} from '../../../test/support/webhook-world.ts'
import { addClaim } from '../access/idempotency.ts'
import { dayMs } from '../lib/durations.ts'
import { findIdempotencyKey } from '../store/accounts/idempotency.ts'
import { ensureRateKey, findRate, returnReserved } from '../store/channels/numbers.ts'
import { Unit } from '../store/engine/unit.ts'
import { claimJobs, enqueueJob, finishJob, nextJobAt, repeatJob } from '../store/jobs/jobs.ts'
import { findPostponedSync, postponeSync } from '../store/templates/template-changes.ts'
import type { JobDefinition } from './jobs.ts'
import { noteClock } from './run-job.ts'
import { startRunner } from './runner.ts'

const jumpMs = 15 * dayMs

describe.each(engines)('after a clock that was 15 days ahead is put right, on %s,', (engine) => {
  let world: WebhookWorld
  const closers: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    world = await aWebhookWorld(engine)
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
    await world.dispose()
  })

  /** It does not look at signatures, which are dated by a wrong clock. */
  async function aPlace() {
    const receiver = await startHostileReceiver()
    closers.push(receiver.close)
    return { receiver, webhook: await aVerifiedWebhook(world, { url: `${receiver.url}/hook` }) }
  }
  async function start(definitions: readonly JobDefinition[]) {
    const runner = startRunner(world.rt, definitions)
    closers.push(() => runner.drain(1_000))
    return runner
  }
  const write = async (add: (unit: Unit) => void) => {
    const unit = new Unit()
    add(unit)
    return world.rt.store.write(unit)
  }

  test('a job and a delivery that failed meanwhile are tried again, once', async () => {
    const { receiver, webhook } = await aPlace()
    let tries = 0
    const kind = 'test.once'
    const failing: JobDefinition = { kind, run: async () => Promise.reject(new Error(`try ${++tries}`)) }
    world.clock.advance(jumpMs)
    const ahead = await start([failing])
    receiver.next(respond({ status: 503 }))
    await publish(world)
    await write((unit) =>
      unit.add(enqueueJob, {
        id: world.rt.newId('job'),
        lane: 'main',
        kind,
        subject: '',
        account_id: null,
        payload: '{}',
        run_at: world.clock.now(),
        now: world.clock.now(),
      }),
    )
    world.engine.wake()
    await waitFor(async () => (await deliveriesOf(world, webhook))[0]?.attempts === 1 && tries === 1)
    await ahead.drain(1_000)
    await world.engine.drain(1_000)

    world.clock.advance(-jumpMs)
    let done = 0
    await start([
      {
        kind,
        async run() {
          done++
          return 'done'
        },
      },
    ])
    world.restart()
    await waitFor(async () => (await deliveriesOf(world, webhook))[0]?.status === 'delivered' && done === 1)
    expect((await deliveriesOf(world, webhook))[0]?.attempts).toBe(2)
    expect(await world.rt.store.read(nextJobAt.main, {})).toEqual([{ at: null }])
  })

  test('a job that was enqueued meanwhile, and while it ran, runs again when it ends', async () => {
    const { rt, clock } = world
    const right = clock.now()
    clock.advance(jumpMs)
    await noteClock(rt)
    const late = clock.now()
    const job = { id: 'job_1', lane: 'main', kind: 'test.again', subject: '', account_id: null, payload: '{}' }
    await write((unit) => {
      unit.add(enqueueJob, { ...job, run_at: late, now: late })
      unit.add(claimJobs, { now: late, lease_until: late + 60_000, claim: 'mine', count: 1 })
      unit.add(enqueueJob, { ...job, run_at: late, now: late })
    })
    clock.set(right)
    await noteClock(rt)
    await write((unit) => {
      unit.add(finishJob, { id: job.id, claim: 'mine' })
      unit.add(repeatJob, { id: job.id, claim: 'mine' })
    })
    expect(await rt.store.read(nextJobAt.main, {})).toEqual([{ at: right }])
  })

  test('what a process that died held is taken over after one lease, and waits of days are over', async () => {
    const { rt, clock } = world
    const { webhook } = await aPlace()
    await world.engine.drain(1_000)
    const right = clock.now()
    clock.advance(jumpMs)
    await noteClock(rt)
    const request = { accountId: world.accountId, endpoint: 'POST /x', key: 'k', fingerprint: 'f' }
    const late = clock.now()
    const key = { account_id: request.accountId, endpoint: request.endpoint, idempotency_key: request.key }
    const job = { id: 'job_1', lane: 'main', kind: 'test.held', subject: '', account_id: null, payload: '{}' }
    await publish(world)
    await write((unit) => {
      addClaim(rt, unit, request, null)
      unit.add(enqueueJob, { ...job, run_at: late, now: late })
      unit.add(claimJobs, { now: late, lease_until: late + 60_000, claim: 'dead', count: 1 })
      unit.add(ensureRateKey, { slot_key: 'number' })
      unit.add(returnReserved, { slot_key: 'number', by_ms: -late })
      unit.add(postponeSync, { channel_id: 'ch_1', account_id: world.accountId, requested_at: late })
      unit.add(holdDeliveries, { lease_until: late })
    })
    clock.set(right)
    await noteClock(rt)
    const [held] = await rt.store.read(findIdempotencyKey, key)
    const [{ at } = { at: null }] = await rt.store.read(nextJobAt.main, {})
    for (const lease of [held?.lease_until, at]) {
      expect(lease).toBeGreaterThan(right)
      expect(lease).toBeLessThan(right + 10 * 60_000)
    }
    // A key is kept for longer rather than shorter: what it stands for is not sent again.
    expect(held?.expires_at).toBeGreaterThan(late)
    expect(await rt.store.read(findRate, { slot_key: 'number' })).toEqual([{ empty_at: right }])
    expect(await rt.store.read(findPostponedSync, { channel_id: 'ch_1', now: right })).toEqual([])
    world.restart()
    clock.advance(10 * 60_000)
    world.engine.wake()
    await waitFor(async () => (await deliveriesOf(world, webhook))[0]?.status === 'delivered')
    expect((await deliveriesOf(world, webhook))[0]?.attempts).toBe(1)
    await noteClock(rt)
    expect(world.logLines.filter((line) => line.includes('clock.went_back'))).toHaveLength(1)
  })
})
