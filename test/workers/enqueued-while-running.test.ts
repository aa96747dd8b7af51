import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import {
  type ClaimedJob,
  claimJobs,
  enqueueJob,
  enqueueRegularJob,
  type JobLane,
} from '../../server/src/store/jobs/jobs.ts'
import type { JobDefinition, JobOutcome } from '../../server/src/workers/jobs.ts'
import { type Runner, startRunner } from '../../server/src/workers/runner.ts'
import { engines } from '../support/postgres/databases.ts'
import { scaled } from '../support/proof.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { waitFor } from '../support/wait-for.ts'

const minuteMs = 60_000
const kind = 'test.news'

const readJobs = query({
  name: 'test.jobs_of_a_kind',
  params: { kind: 'text' },
  returns: { run_at: 'int', attempts: 'int', claim: 'text?', last_error: 'text?' },
  sql: 'select run_at, attempts, claim, last_error from jobs where kind = :kind',
})

describe.each(engines)('a job that is enqueued while it runs, on %s,', (engine) => {
  let world: TestRuntime
  let runners: Runner[]
  let runs: ClaimedJob[]
  let outcomes: PromiseWithResolvers<JobOutcome>[]

  beforeEach(async () => {
    world = await aRuntime(engine)
    runners = []
    runs = []
    outcomes = []
  })
  afterEach(async () => {
    for (const { resolve } of outcomes) resolve('done')
    await Promise.all(runners.map((runner) => runner.drain(5_000)))
    await world.dispose()
  })

  const enqueue = (delayMs = 0, lane: JobLane = 'main') => {
    const now = world.clock.now()
    const job = { id: world.rt.newId('job'), lane, kind, subject: '', account_id: 'acc_one', payload: '{}' }
    return world.rt.store.write(unitOf(enqueueJob, { ...job, run_at: now + delayMs, now }))
  }
  const jobs = () => world.rt.store.read(readJobs, { kind })
  const start = (over: Partial<JobDefinition> = {}) =>
    runners.push(startRunner(world.rt, [{ kind, run: held, ...over }]))
  const begun = (count: number) => waitFor(() => runs.length === count)

  /** A run that has read what there was, and ends as the test says. */
  const held: JobDefinition['run'] = (_, job) => {
    runs.push(job)
    const outcome = Promise.withResolvers<JobOutcome>()
    outcomes.push(outcome)
    return outcome.promise
  }
  const end = (outcome: JobOutcome) => outcomes.at(-1)?.resolve(outcome)
  const fail = () => outcomes.at(-1)?.reject(new Error('The platform is away.'))
  /** What is left of the job when nobody holds it. */
  async function left() {
    await waitFor(async () => (await jobs()).every(({ claim }) => claim === null))
    return (await jobs())[0]
  }

  test.each(['main', 'media'] as const)(
    'runs once more in the lane %s, however often, and is over then',
    async (lane) => {
      await enqueue(0, lane)
      await enqueue(0, lane)
      start()
      await begun(1)
      for (let times = 0; times < 3; times++) await enqueue(0, lane)
      end('done')
      await begun(2)
      expect(runs.map(({ attempts }) => attempts)).toEqual([1, 1])
      end('done')
      expect(await left()).toBeUndefined()
      expect(runs).toHaveLength(2)
    },
  )

  test('waits for the earliest time it was enqueued for', async () => {
    await enqueue()
    start()
    await begun(1)
    for (const minutes of [5, 2, 9]) await enqueue(minutes * minuteMs)
    end('done')
    expect(await left()).toMatchObject({ run_at: world.clock.now() + 2 * minuteMs, attempts: 0 })
    world.clock.advance(2 * minuteMs)
    await begun(2)
  })

  test('does not wait for the time that its run names, unless that is earlier', async () => {
    await enqueue()
    start()
    await begun(1)
    await enqueue()
    end({ againAt: world.clock.now() + 30 * minuteMs })
    await begun(2)
    await enqueue(40 * minuteMs)
    end({ againAt: world.clock.now() + 30 * minuteMs })
    expect(await left()).toMatchObject({ run_at: world.clock.now() + 30 * minuteMs, attempts: 0 })
  })

  test('is tried again at once when its run fails, as one more try', async () => {
    await enqueue()
    start()
    await begun(1)
    await enqueue()
    fail()
    await begun(2)
    expect(runs.map(({ attempts }) => attempts)).toEqual([1, 2])
    fail()
    const next = await left()
    expect(next).toMatchObject({ attempts: 2, last_error: 'Error' })
    expect(next?.run_at).toBeGreaterThan(world.clock.now())
  })

  test('begins anew when its run was the last try', async () => {
    await enqueue()
    start({ attemptsMax: 1 })
    await begun(1)
    await enqueue()
    fail()
    await begun(2)
    expect(runs.map(({ attempts }) => attempts)).toEqual([1, 1])
    fail()
    expect(await left()).toBeUndefined()
  })

  test('runs once when the process that ran it died, at the end of the lease', async () => {
    const { rt, clock } = world
    const now = clock.now()
    await enqueue()
    await rt.store.write(unitOf(claimJobs, { now, lease_until: now + minuteMs, claim: 'dead', count: 1 }))
    await enqueue()
    expect(await jobs()).toMatchObject([{ run_at: now + minuteMs, claim: 'dead' }])
    clock.advance(minuteMs)
    start()
    await begun(1)
    end('done')
    expect(await left()).toBeUndefined()
    expect(runs).toHaveLength(1)
  })

  test('keeps its pace if it is a regular one, and another node starts', async () => {
    const { rt, clock } = world
    const now = clock.now()
    await enqueue()
    start({ everyMs: 10 * minuteMs })
    await begun(1)
    const job = { id: 'job_2', lane: 'main', kind, subject: '', account_id: null, payload: '{}' }
    await rt.store.write(unitOf(enqueueRegularJob, { ...job, run_at: now, now }))
    end('done')
    expect(await left()).toMatchObject({ run_at: now + 10 * minuteMs, attempts: 0 })
    expect(runs).toHaveLength(1)
  })

  test('misses nothing, at whatever moment it comes', async () => {
    let [news, seen] = [0, 0]
    const run: JobDefinition['run'] = async ({ store }) => {
      const known = news
      await store.probeRead()
      seen = known
      return 'done'
    }
    for (let node = 0; node < 2; node++) start({ run })
    const tell = async () => {
      for (let times = scaled(100); times > 0; times--) {
        news++
        await enqueue()
      }
    }
    await Promise.all([tell(), tell(), tell()])
    await waitFor(async () => (await jobs()).length === 0)
    expect(seen).toBe(news)
  })
})
