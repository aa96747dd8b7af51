import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { type ClaimedJob, enqueueJob, findJob, type JobLane } from '../../server/src/store/jobs/jobs.ts'
import type { JobDefinition } from '../../server/src/workers/jobs.ts'
import { type Runner, startRunner } from '../../server/src/workers/runner.ts'
import { engines } from '../support/postgres/databases.ts'
import { scaled } from '../support/proof.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { waitFor } from '../support/wait-for.ts'

const countWaiting = query({
  name: 'test.waiting_jobs',
  params: { attempts: 'int' },
  returns: { total: 'int' },
  sql: `select count(*) as total from jobs where kind = 'media.fetch' and claim is null and attempts = :attempts`,
})

/** Files of customers of one account, all due before anything else. */
const flood = scaled(3_000)

describe.each(engines)('job lanes, on %s', (engine) => {
  let world: TestRuntime
  let runner: Runner | null
  let started: ClaimedJob[]
  let running: Set<ClaimedJob>
  let release: (() => void)[]

  beforeEach(async () => {
    world = await aRuntime(engine)
    runner = null
    started = []
    running = new Set()
    release = []
  })
  afterEach(async () => {
    for (const letGo of release) letGo()
    await runner?.drain(5_000)
    await world.dispose()
  })

  async function enqueue(lane: JobLane, account_id: string, count: number): Promise<void> {
    const now = world.clock.now()
    const kind = lane === 'media' ? 'media.fetch' : 'other'
    const unit = new Unit()
    const jobs = Array.from({ length: count }, (_, index) => ({
      id: world.rt.newId('job'),
      lane,
      kind,
      subject: `${account_id} ${index}`,
      account_id,
      payload: '{}',
      run_at: now,
      now,
    }))
    unit.add(enqueueJob, ...jobs)
    await world.rt.store.write(unit)
    world.clock.advance(1)
  }

  /** Jobs that run until they are let go, oldest first. */
  const held: JobDefinition['run'] = async (_, job) => {
    started.push(job)
    running.add(job)
    await new Promise<void>((resolve) => release.push(resolve))
    running.delete(job)
    return 'done'
  }
  const start = (run = held) =>
    startRunner(
      world.rt,
      ['media.fetch', 'other'].map((kind) => ({ kind, run })),
    )
  const runningOf = (account: string) => [...running].filter(({ account_id }) => account_id === account).length
  const startedOf = (account: string) => started.filter(({ account_id }) => account_id === account).length

  test('files of one account in the thousands delay neither the files of another nor other jobs', async () => {
    await enqueue('media', 'acc_flood', flood)
    await enqueue('media', 'acc_quiet', 1)
    await enqueue('main', 'acc_quiet', 1)
    runner = start()
    await waitFor(() => running.size === 5)
    expect([runningOf('acc_flood'), runningOf('acc_quiet')]).toEqual([3, 2])

    // While the flood goes on, a file that comes later is among the next claims.
    for (let turn = 0; turn < 5; turn++) {
      const before = started.length
      for (const letGo of release.splice(0)) letGo()
      await waitFor(() => started.length > before && running.size >= 3)
      await enqueue('media', `acc_late_${turn}`, 1)
      await waitFor(() => runningOf(`acc_late_${turn}`) === 1)
      expect(runningOf('acc_flood')).toBeLessThanOrEqual(3)
    }
    expect(startedOf('acc_flood')).toBeLessThanOrEqual(3 * 6)
  })

  test('several floods share the concurrency limit: each account is served', async () => {
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await enqueue('media', `acc_${account}`, 20)
    runner = start()
    for (let turn = 1; turn <= 8; turn++) {
      await waitFor(() => running.size === 6)
      if (turn < 8) for (const letGo of release.splice(0)) letGo()
      await waitFor(() => started.length >= Math.min(turn + 1, 8) * 6)
    }
    const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((account) => startedOf(`acc_${account}`))
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([6, 6])
  })

  test('a file that waits for its share is not touched, and one that fails keeps its attempts', async () => {
    const jobs = () =>
      Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const [job] = await world.rt.store.read(findJob, { kind: 'media.fetch', subject: `acc_flood ${index}` })
          return job?.attempts
        }),
      )
    await enqueue('media', 'acc_flood', 10)
    runner = start()
    await waitFor(() => running.size === 3)
    expect((await jobs()).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
    const draining = runner.drain(5_000)
    for (const letGo of release.splice(0)) letGo()
    await draining
    runner = start(() => Promise.reject(new Error('The platform is away.')))
    for (let attempts = 1; attempts <= 4; attempts++) {
      // Given back, too: the next try is counted from the time of that.
      await waitFor(async () => (await world.rt.store.read(countWaiting, { attempts }))[0]?.total === 7)
      world.clock.advance(3_600_000)
    }
  })
})
