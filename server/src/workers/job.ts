import { hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import type { ClaimedJob } from '../store/jobs/jobs.ts'

/** What became of one run: finished for good, or to be run again at a time. A throw means: try again with back-off. */
export type JobOutcome = 'done' | { againAt: number }

export type JobDefinition = {
  readonly kind: string
  run(rt: Runtime, job: ClaimedJob): Promise<JobOutcome>
  /** A regular job: put there at start, due again this long after each run. */
  readonly everyMs?: number
  /** Deletes what is old: does not run for a day after the clock has jumped. */
  readonly deletesByAge?: boolean
  /** Tries before the job is given up; a regular job is never given up. */
  readonly attemptsMax?: number
}

const renewedLeaseMsMax = 15_000

/**
 * Of work that renews its claim while it goes on, as jobs and callbacks do. After a crash a customer's message must not wait for
 * the lease that a webhook's whole attempt needs.
 */
export function renewedLeaseMs({ config }: Pick<Runtime, 'config'>): number {
  return Math.min(config.jobLeaseMs, renewedLeaseMsMax)
}

const backoffBaseMs = 1_000
const backoffMaxMs = hourMs

/** 1 s, 2 s, 4 s … one hour, a tenth more or less, so that many failures of one cause do not return together. */
export function backoffMs(attempts: number, chance: number): number {
  const base = Math.min(backoffBaseMs * 2 ** Math.max(attempts - 1, 0), backoffMaxMs)
  return Math.round(base * (0.9 + chance * 0.2))
}
