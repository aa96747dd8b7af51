import { randomUUID } from 'node:crypto'
import { startWakeLoop } from '../lib/async/wake-loop.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import {
  accountsWithMediaJobs,
  type ClaimedJob,
  claimJobs,
  claimMediaJobs,
  enqueueRegularJob,
  type JobLane,
  nextJobAt,
} from '../store/jobs/jobs.ts'
import { claimOperations } from '../store/jobs/pull-back.ts'
import { type JobDefinition, renewedLeaseMs } from './jobs.ts'
import { createRunJob, noteClock, type RunJob } from './run-job.ts'

export type Runner = {
  /** Stops claiming, waits for what runs, and gives the rest back. */
  drain(timeoutMs: number): Promise<void>
}

const concurrency = 8
const clockLookMs = 1_000
const clockStepMs = minuteMs

/**
 * Claims due jobs for the length of a lease, runs them, records what became of them, in one loop per lane. Every claim
 * has a token of its own and a finish counts only with it, so a worker that was paused beyond its lease cannot undo what
 * its successor did.
 */
export function startRunner(rt: Runtime, definitions: readonly JobDefinition[]): Runner {
  const run = createRunJob(rt, definitions)
  const lanes = [
    startLane(rt, { name: 'main', concurrency, claim, run }),
    startLane(rt, { name: 'media', concurrency: mediaConcurrency, claim: createMediaClaim(rt), run }),
  ]
  let lastLookAt = rt.clock.now()
  startLastSuccess(rt, definitions)
  const clockTimer = setInterval(followClock, clockLookMs)
  noteJump()

  return {
    async drain(timeoutMs) {
      clearInterval(clockTimer)
      await Promise.all(lanes.map((lane) => lane.drain(timeoutMs)))
    },
  }

  async function claim(running: readonly ClaimedJob[]): Promise<ClaimedJob[]> {
    followClock()
    const now = rt.clock.now()
    const unit = new Unit()
    const lease = { now, lease_until: now + renewedLeaseMs(rt), claim: randomUUID() }
    const call = unit.add(claimJobs, { ...lease, count: concurrency - running.length })
    return (await rt.store.write(unit)).rows(call)
  }

  /** At the start and after a jump: nothing waits for as long as a wrong clock was ahead. */
  function noteJump(): void {
    // In this order: a regular job has a time of its own, and is not for the pull.
    const noted = enqueueRegular().then(() => noteClock(rt))
    void noted.catch((error: unknown) => rt.log.warn({ err: error }, 'jobs.not_enqueued'))
  }

  function followClock(): void {
    const now = rt.clock.now()
    if (Math.abs(now - lastLookAt) > clockStepMs) noteJump()
    lastLookAt = now
  }

  /** Regular jobs exist once for all nodes; enqueuing an existing one only moves it forward in time. */
  async function enqueueRegular(): Promise<void> {
    const now = rt.clock.now()
    const unit = new Unit()
    for (const { kind, everyMs } of definitions) {
      if (everyMs === undefined) continue
      unit.add(enqueueRegularJob, {
        id: rt.newId('job'),
        lane: 'main',
        kind,
        subject: '',
        account_id: null,
        payload: '{}',
        run_at: now + everyMs,
        now,
      })
    }
    if (unit.calls.length > 0) await rt.store.write(unit)
  }
}

/** A regular job that never succeeds is missed by the alert too, an hour after the start. */
function startLastSuccess(rt: Runtime, definitions: readonly JobDefinition[]): void {
  for (const { kind, everyMs } of definitions) {
    if (everyMs !== undefined) rt.metrics.jobLastSuccess.set({ job: kind }, rt.clock.now() / 1_000)
  }
}

/** Downloads of this process at once. */
const mediaConcurrency = 6
/** Of one account: half, so that an account with 48,000 files always leaves room for the others. */
const accountShare = 3

/** Claims jobs of the media lane, accounts in turn and none beyond its share. */
function createMediaClaim(rt: Runtime): (running: readonly ClaimedJob[]) => Promise<ClaimedJob[]> {
  let after = ''

  return async (running) => {
    const free = mediaConcurrency - running.length
    const left = (accountId: string) => accountShare - running.filter((job) => job.account_id === accountId).length
    const accounts = (await dueAccounts()).filter((id) => left(id) > 0).slice(0, free)
    if (accounts.length === 0) return []
    after = accounts.at(-1) ?? ''
    const now = rt.clock.now()
    const lease = { now, lease_until: now + renewedLeaseMs(rt), claim: randomUUID() }
    const each = Math.floor(free / accounts.length)
    const unit = new Unit()
    const calls = accounts.map((account_id) =>
      unit.add(claimMediaJobs, { ...lease, account_id, count: Math.min(left(account_id), each) }),
    )
    const result = await rt.store.write(unit)
    return calls.flatMap((call) => result.rows(call))
  }

  /** From the one after the last served on, round to the beginning. Enough that those at their share leave others. */
  async function dueAccounts(): Promise<string[]> {
    const now = rt.clock.now()
    const count = 2 * mediaConcurrency
    const rows = await rt.store.read(accountsWithMediaJobs, { after, now, count })
    const more =
      rows.length < count && after !== '' ? await rt.store.read(accountsWithMediaJobs, { after: '', now, count }) : []
    return [...new Set([...rows, ...more].map(({ account_id }) => account_id))]
  }
}

type LaneOptions = {
  name: JobLane
  concurrency: number
  /** Claims what may run beside `running`; empty when nothing may. */
  claim(running: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]>
  run: RunJob
}

type Lane = {
  wake(): void
  /** Stops claiming and waits for what runs. */
  drain(timeoutMs: number): Promise<void>
}

const pollMs = 1_000
/** Due jobs that could not be claimed run on another node or exceed the share of their account; the end of a job wakes us. */
const refusedMs = 100

/** Keeps up to `concurrency` jobs of one lane running. */
function startLane(rt: Runtime, { name, concurrency, claim, run }: LaneOptions): Lane {
  const running = new Map<ClaimedJob, Promise<void>>()
  let stopping = false
  const loop = startWakeLoop({ run: claimJobs, gapMs: 2, log: rt.log, failureEvent: `jobs.${name}.interrupted` })
  const stopListening = rt.store.onCommit('jobs', loop.wake)

  return {
    wake: loop.wake,
    async drain(timeoutMs) {
      stopping = true
      stopListening()
      await loop.stop()
      await withTimeout(Promise.all(running.values()), timeoutMs)
    },
  }

  async function claimJobs(): Promise<number> {
    while (!stopping && running.size < concurrency) {
      // A read is cheaper than a claim that finds nothing: every enqueued job wakes both lanes.
      const at = (await rt.store.read(nextJobAt[name], {}))[0]?.at ?? null
      const waitMs = at === null ? pollMs : at - rt.clock.now()
      if (waitMs > 0) return Math.min(waitMs, pollMs)
      const jobs = await claim([...running.keys()])
      if (jobs.length === 0) return refusedMs
      for (const job of jobs) start(job)
    }
    return pollMs
  }

  function start(job: ClaimedJob): void {
    const done = run(job).finally(() => {
      running.delete(job)
      loop.wake()
    })
    running.set(job, done)
  }
}

/**
 * Where one process works on a store, what is claimed at its start was claimed by one that died, and nobody else holds it:
 * nothing has to wait for the end of a lease. To be called before anything is claimed again.
 */
export async function endClaims({ store, clock }: Pick<Runtime, 'store' | 'clock'>): Promise<void> {
  if (store.shared) return
  const now = clock.now()
  const never = Number.MAX_SAFE_INTEGER
  const unit = new Unit()
  const horizon = { now, paced: never, soon: never, latest: never, lease_until: now }
  for (const operation of claimOperations) unit.add(operation, horizon)
  await store.write(unit)
}
