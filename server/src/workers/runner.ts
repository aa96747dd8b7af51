import { randomUUID } from 'node:crypto'
import { minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { type ClaimedJob, claimJobs, enqueueRegularJob } from '../store/jobs/jobs.ts'
import { createMediaClaim, mediaConcurrency } from './claim-media.ts'
import { type JobDefinition, renewedLeaseMs } from './jobs.ts'
import { startLane } from './lane.ts'
import { noteClock } from './retention-pause.ts'
import { createRunJob } from './run-job.ts'

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
