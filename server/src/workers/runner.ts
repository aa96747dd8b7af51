import { randomUUID } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import {
  type ClaimedJob,
  claimJobs,
  enqueueJob,
  finishJob,
  nextJobAt,
  renewJob,
  rescheduleJob,
} from '../store/jobs/jobs.ts'
import { backoffMs, type JobDefinition, type JobOutcome } from './job.ts'

export type Runner = {
  /** Stops claiming, waits for what runs, and gives the rest back. */
  drain(timeoutMs: number): Promise<void>
}

const concurrency = 8
const pollMs = 1_000
/** How long a job of a kind unknown here stays with those who know it. */
const foreignMs = 10_000
const databaseBackoffMs = { first: 200, max: 15_000 }

/**
 * One loop per process: claim due jobs for the length of a lease, run them, record what became of them. Every claim has
 * a token of its own and a finish counts only with it, so a worker that was paused beyond its lease cannot undo what its
 * successor did. The loop never gives up on the database.
 */
export function startRunner(rt: Runtime, definitions: readonly JobDefinition[]): Runner {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  const running = new Map<string, Promise<void>>()
  let stopping = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let looping: Promise<void> | null = null
  const stopListening = rt.store.onCommit('jobs', wake)
  void enqueueRegular().then(wake, wake)

  return {
    async drain(timeoutMs) {
      stopping = true
      stopListening()
      clearTimeout(timer)
      await looping
      const deadline = new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())
      await Promise.race([Promise.all(running.values()), deadline])
    },
  }

  function wake(): void {
    if (stopping || looping) return
    clearTimeout(timer)
    looping = loop().finally(() => {
      looping = null
    })
  }

  async function loop(): Promise<void> {
    try {
      while (!stopping && running.size < concurrency) {
        const jobs = await claim(concurrency - running.size)
        failures = 0
        for (const job of jobs) start(job)
        if (jobs.length === 0) break
      }
      sleep(await msUntilNext())
    } catch (error) {
      failures++
      rt.log.warn({ err: error, failures }, 'jobs.database_unavailable')
      sleep(Math.min(databaseBackoffMs.first * 2 ** failures, databaseBackoffMs.max))
    }
  }

  function sleep(ms: number): void {
    if (!stopping) timer = setTimeout(wake, ms)
  }

  async function msUntilNext(): Promise<number> {
    if (running.size >= concurrency) return pollMs
    const now = rt.clock.now()
    const at = (await rt.store.read(nextJobAt, { now }))[0]?.at
    return at === null || at === undefined ? pollMs : Math.min(Math.max(at - now, 5), pollMs)
  }

  async function claim(count: number): Promise<ClaimedJob[]> {
    const now = rt.clock.now()
    const unit = new Unit()
    const slot = unit.add(claimJobs, { now, lease_until: now + rt.config.jobLeaseMs, claim: randomUUID(), count })
    return (await rt.store.write(unit)).rows(slot)
  }

  function start(job: ClaimedJob): void {
    const done = execute(job).finally(() => {
      running.delete(job.id)
      wake()
    })
    running.set(job.id, done)
  }

  async function execute(job: ClaimedJob): Promise<void> {
    const definition = byKind.get(job.kind)
    if (!definition) return leaveToOthers(job)
    const renewal = setInterval(() => void renew(job).catch(() => {}), rt.config.jobLeaseMs / 3)
    const startedAt = performance.now()
    try {
      await record(job, definition, await definition.run(rt, job))
      rt.metrics.jobRuns.inc({ job: job.kind })
      rt.metrics.jobLastSuccess.set({ job: job.kind }, rt.clock.now() / 1_000)
    } catch (error) {
      rt.metrics.jobRuns.inc({ job: job.kind })
      await retry(job, definition, error).catch((cause: unknown) => {
        // The lease will run out and somebody will claim it again.
        rt.log.warn({ err: cause, job_id: job.id, kind: job.kind }, 'job.not_recorded')
      })
    } finally {
      rt.metrics.jobDuration.observe({ job: job.kind }, (performance.now() - startedAt) / 1_000)
      clearInterval(renewal)
    }
  }

  /** Another node, of a newer version or with a sandbox, knows what to do; it is not a failure of the job. */
  async function leaveToOthers({ id, claim, kind, attempts }: ClaimedJob): Promise<void> {
    const unit = new Unit()
    const run_at = rt.clock.now() + foreignMs
    unit.add(rescheduleJob, { id, claim, run_at, attempts: Math.max(0, attempts - 1), last_error: null })
    await rt.store.write(unit).catch((error: unknown) => rt.log.warn({ err: error, kind }, 'job.not_recorded'))
  }

  async function record(job: ClaimedJob, definition: JobDefinition, outcome: JobOutcome): Promise<void> {
    const againAt =
      outcome !== 'done' ? outcome.againAt : definition.everyMs ? rt.clock.now() + definition.everyMs : null
    const unit = new Unit()
    if (againAt === null) unit.add(finishJob, { id: job.id, claim: job.claim })
    else unit.add(rescheduleJob, { id: job.id, claim: job.claim, run_at: againAt, attempts: 0, last_error: null })
    await rt.store.write(unit)
  }

  async function retry(job: ClaimedJob, definition: JobDefinition, error: unknown): Promise<void> {
    const { everyMs, attemptsMax = 25 } = definition
    const unit = new Unit()
    if (everyMs === undefined && job.attempts >= attemptsMax) {
      rt.log.error({ err: error, job_id: job.id, kind: job.kind, attempts: job.attempts }, 'job.gave_up')
      unit.add(finishJob, { id: job.id, claim: job.claim })
    } else {
      const delayMs = backoffMs(job.attempts, Math.random())
      rt.log.warn(
        { err: error, job_id: job.id, kind: job.kind, attempts: job.attempts, delay_ms: delayMs },
        'job.failed',
      )
      const last_error = (error instanceof Error ? error.name : 'unknown').slice(0, 200)
      unit.add(rescheduleJob, {
        id: job.id,
        claim: job.claim,
        run_at: rt.clock.now() + delayMs,
        attempts: job.attempts,
        last_error,
      })
    }
    await rt.store.write(unit)
  }

  async function renew(job: ClaimedJob): Promise<void> {
    const unit = new Unit()
    unit.add(renewJob, { id: job.id, claim: job.claim, lease_until: rt.clock.now() + rt.config.jobLeaseMs })
    await rt.store.write(unit)
  }

  /** Regular jobs exist once for all nodes; enqueuing an existing one changes nothing. */
  async function enqueueRegular(): Promise<void> {
    const now = rt.clock.now()
    const unit = new Unit()
    for (const { kind, everyMs } of definitions) {
      if (everyMs === undefined) continue
      unit.add(enqueueJob, {
        id: rt.newId('job'),
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
