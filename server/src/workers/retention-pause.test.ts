import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { query } from '../store/engine/operation.ts'
import { unitOf } from '../store/engine/unit.ts'
import { enqueueJob } from '../store/jobs/jobs.ts'
import type { JobDefinition } from './jobs.ts'
import { noteClock, retentionPausedUntil } from './run-job.ts'
import { type Runner, startRunner } from './runner.ts'

const everyMs = 10 * 60_000

const regularJobs = query({
  name: 'test.regular_jobs',
  params: {},
  returns: { last_due_at: 'int', claimed: 'int' },
  sql: `select max(run_at) as last_due_at, count(claim) as claimed from jobs where lane = 'main'`,
})

async function lastDueAt({ rt }: TestRuntime): Promise<number> {
  return (await rt.store.read(regularJobs, {}))[0]?.last_due_at ?? 0
}

async function nothingRuns({ rt }: TestRuntime): Promise<boolean> {
  return (await rt.store.read(regularJobs, {}))[0]?.claimed === 0
}

/** As any new job does; without it the lanes look once a second. Nobody ever does this one. */
async function wakeLanes({ rt }: TestRuntime): Promise<void> {
  const id = rt.newId('job')
  const never = {
    lane: 'media',
    kind: 'test.never',
    subject: id,
    account_id: 'acc_never',
    run_at: Number.MAX_SAFE_INTEGER,
  }
  await rt.store.write(unitOf(enqueueJob, { id, payload: '{}', now: rt.clock.now(), ...never }))
}

async function count(run: () => void): Promise<'done'> {
  run()
  return 'done'
}

describe.each(engines)('a job that deletes by age, on %s,', (engine) => {
  let made: TestRuntime
  let runner: Runner
  let deletions = 0
  let others = 0
  beforeEach(async () => {
    deletions = 0
    others = 0
    made = await aRuntime(engine)
    const definitions: JobDefinition[] = [
      { kind: 'test.delete', everyMs, deletesByAge: true, run: () => count(() => deletions++) },
      { kind: 'test.other', everyMs, run: () => count(() => others++) },
    ]
    runner = startRunner(made.rt, definitions)
  })
  afterEach(async () => {
    await runner.drain(1_000)
    await made.dispose()
  })

  /** Both jobs have run, or been passed over, at the time it is now. */
  const nextRun = async (moveMs: number) => {
    const before = { others, looked: looks() }
    made.clock.advance(moveMs)
    if (moveMs < 0) {
      // A clock that is put back is noticed first; from then on the jobs are due as often as ever.
      await waitFor(async () => (await lastDueAt(made)) <= made.clock.now() + everyMs)
      made.clock.advance(everyMs)
    }
    await wakeLanes(made)
    await waitFor(() => others > before.others && looks() > before.looked)
    // What became of them is dated by the clock, which moves next.
    await waitFor(() => nothingRuns(made))
  }
  const pauses = () => made.logLines.filter((line) => line.includes('retention.paused')).length
  const looks = () => deletions + pauses()

  test.each([
    ['ahead', 15 * dayMs],
    ['back', -15 * dayMs],
  ])('does not run for a day after the clock jumped %s, and then goes on', async (_, jumpMs) => {
    await nextRun(everyMs)
    expect(deletions).toBe(1)
    await nextRun(jumpMs)
    expect([deletions, pauses()]).toEqual([1, 1])
    const page = await made.rt.metrics.render()
    const [, until] = /^postern_retention_paused_until_timestamp_seconds (\S+)$/m.exec(page) ?? []
    expect(Number(until) - made.clock.now() / 1_000).toBeGreaterThan((23 * hourMs) / 1_000)
    await nextRun(12 * hourMs)
    expect([deletions, pauses()]).toEqual([1, 2])
    await nextRun(13 * hourMs)
    expect(deletions).toBe(2)
  })

  test('runs after a machine was off for a night', async () => {
    await nextRun(everyMs)
    await nextRun(14 * hourMs)
    expect([deletions, pauses()]).toEqual([2, 0])
  })

  test('does not believe a clock that went ahead and was put right again', async () => {
    await nextRun(everyMs)
    await nextRun(15 * dayMs)
    await nextRun(-15 * dayMs)
    expect([deletions, pauses()]).toEqual([1, 2])
    await nextRun(12 * hourMs)
    await nextRun(13 * hourMs)
    expect(deletions).toBe(2)
  })
})

test.each(engines)(
  'a node that was suspended while it noted the time does not pause the others, on %s',
  async (engine) => {
    const made = await aRuntime(engine)
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => made.dispose())
    const { rt, clock } = made
    await noteClock(rt)
    const suspended = Promise.withResolvers<void>()
    const resumed = Promise.withResolvers<void>()
    const write: Runtime['store']['write'] = async (unit) => {
      suspended.resolve()
      await resumed.promise
      return rt.store.write(unit)
    }
    const late = noteClock({ ...rt, store: { ...rt.store, write } })
    await suspended.promise
    clock.advance(2 * hourMs)
    await noteClock(rt)
    resumed.resolve()
    expect(await late).toBe(0)
    expect(await retentionPausedUntil(rt)).toBeNull()
  },
)
