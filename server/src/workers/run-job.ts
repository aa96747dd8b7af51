import { leaseMs } from '../access/idempotency.ts'
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { type ClaimedJob, finishJob, noteTime, renewJob, repeatJob, rescheduleJob } from '../store/jobs/jobs.ts'
import { lastNotedTime, pullBackOperations } from '../store/jobs/pull-back.ts'
import { leaseMs as deliveryLeaseMs } from '../webhooks/queue/claim-due.ts'
import { backoffMs, type JobDefinition, type JobOutcome, renewedLeaseMs } from './jobs.ts'

/** How long a job of an unknown kind is left to processes that know it. */
const foreignMs = 10_000

/** Runs one claimed job and records what became of it; never rejects. A finish counts only with the claim of the job. */
export type RunJob = (job: ClaimedJob) => Promise<void>

export function createRunJob(rt: Runtime, definitions: readonly JobDefinition[]): RunJob {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))

  return async (job) => {
    const definition = byKind.get(job.kind)
    if (!definition) return leaveToOthers(rt, job)
    const renewal = setInterval(() => void renew(rt, job).catch(() => {}), renewedLeaseMs(rt) / 3)
    const startedAt = performance.now()
    try {
      await record(rt, job, definition, await runUnlessPaused(rt, definition, job))
      rt.metrics.jobRuns.inc({ job: job.kind })
      rt.metrics.jobLastSuccess.set({ job: job.kind }, rt.clock.now() / 1_000)
    } catch (error) {
      rt.metrics.jobRuns.inc({ job: job.kind })
      await retry(rt, job, definition, error).catch((cause: unknown) => {
        // The lease will run out, and the job is claimed again.
        rt.log.warn({ err: cause, job_id: job.id, kind: job.kind }, 'job.not_recorded')
      })
    } finally {
      rt.metrics.jobDuration.observe({ job: job.kind }, (performance.now() - startedAt) / 1_000)
      clearInterval(renewal)
    }
  }
}

async function runUnlessPaused(rt: Runtime, definition: JobDefinition, job: ClaimedJob): Promise<JobOutcome> {
  if (definition.deletesByAge && (await retentionPausedUntil(rt)) !== null) return 'done'
  return definition.run(rt, job)
}

/** Another node, of a newer version or with a sandbox, knows what to do; it is not a failure of the job. */
async function leaveToOthers(rt: Runtime, { id, claim, kind, attempts }: ClaimedJob): Promise<void> {
  const unit = new Unit()
  const run_at = rt.clock.now() + foreignMs
  unit.add(rescheduleJob, { id, claim, run_at, attempts: Math.max(0, attempts - 1), last_error: null })
  await rt.store.write(unit).catch((error: unknown) => rt.log.warn({ err: error, kind }, 'job.not_recorded'))
}

async function record(rt: Runtime, job: ClaimedJob, definition: JobDefinition, outcome: JobOutcome): Promise<void> {
  const againAt = outcome !== 'done' ? outcome.againAt : definition.everyMs ? rt.clock.now() + definition.everyMs : null
  const unit = new Unit()
  if (againAt === null) addFinish(unit, job)
  else unit.add(rescheduleJob, { id: job.id, claim: job.claim, run_at: againAt, attempts: 0, last_error: null })
  await rt.store.write(unit)
}

/** A job enqueued again during its run runs once more, even if it had given up. */
function addFinish(unit: Unit, { id, claim }: ClaimedJob): void {
  unit.add(finishJob, { id, claim })
  unit.add(repeatJob, { id, claim })
}

async function retry(rt: Runtime, job: ClaimedJob, definition: JobDefinition, error: unknown): Promise<void> {
  const { id, claim, kind, attempts } = job
  const { everyMs, attemptsMax = 25 } = definition
  const unit = new Unit()
  if (everyMs === undefined && attempts >= attemptsMax) {
    rt.log.error({ err: error, job_id: id, kind, attempts }, 'job.gave_up')
    addFinish(unit, job)
  } else {
    const delayMs = backoffMs(attempts, Math.random())
    rt.log.warn({ err: error, job_id: id, kind, attempts, delay_ms: delayMs }, 'job.failed')
    const last_error = (error instanceof Error ? error.name : 'unknown').slice(0, 200)
    unit.add(rescheduleJob, { id, claim, run_at: rt.clock.now() + delayMs, attempts, last_error })
  }
  await rt.store.write(unit)
}

async function renew(rt: Runtime, { id, claim }: ClaimedJob): Promise<void> {
  await rt.store.write(unitOf(renewJob, { id, claim, lease_until: rt.clock.now() + renewedLeaseMs(rt) }))
}

/** Jobs that delete by age look at the clock every ten minutes; a machine may have been off for a day. */
const aheadMs = dayMs
/** Nodes differ by less. */
const behindMs = minuteMs
/** As long as the operator needs to see that a clock is wrong. */
const retentionPauseMs = dayMs

/**
 * Until when nothing may be deleted by its age, or null. A clock that jumped is not believed for a day: what it makes
 * look old would be gone for good.
 */
export async function retentionPausedUntil(rt: Runtime): Promise<number | null> {
  const until = await noteClock(rt)
  if (until <= rt.clock.now()) return null
  rt.log.warn({ paused_until: new Date(until).toISOString() }, 'retention.paused_after_clock_jump')
  return until
}

/**
 * Notes the time and gives the end of the pause. Where an earlier note is ahead, the clock was put back: what was dated
 * by the wrong one would wait for as long as that was ahead, and is pulled back in the same unit.
 */
export async function noteClock(rt: Runtime): Promise<number> {
  const [last] = await rt.store.read(lastNotedTime, {})
  const now = rt.clock.now()
  const last_seen_at = last?.seen_at ?? null
  const backMs = (last_seen_at ?? now) - now
  const unit = new Unit()
  if (backMs > behindMs) for (const operation of pullBackOperations) unit.add(operation, horizonOf(rt, now))
  const limits = { ahead_ms: aheadMs, behind_ms: behindMs, pause_ms: retentionPauseMs }
  const call = unit.add(noteTime, { now, last_seen_at, ...limits })
  const noted = (await rt.store.write(unit)).first(call)
  if (!noted) return noteClock(rt)
  rt.metrics.retentionPausedUntil.set({}, noted.paused_until / 1_000)
  if (backMs > behindMs) rt.log.warn({ back_ms: backMs }, 'clock.went_back')
  return noted.paused_until
}

/** 45 messages in a row to one customer, who then gets one every six seconds. */
const pacedMs = 5 * minuteMs

/** No schedule, Retry-After or lease of ours reaches further. */
function horizonOf({ config }: Runtime, now: number) {
  const schedules = [...config.webhookRetryScheduleMs, ...config.webhookVerificationScheduleMs, dayMs]
  const lease = Math.max(leaseMs({ config }), deliveryLeaseMs({ config }))
  return {
    now,
    paced: now + pacedMs,
    soon: now + hourMs,
    latest: now + Math.round(1.1 * Math.max(...schedules)) + hourMs,
    lease_until: now + lease,
  }
}
