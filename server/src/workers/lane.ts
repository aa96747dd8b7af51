import { startWakeLoop } from '../lib/async/wake-loop.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import type { Runtime } from '../runtime.ts'
import { type ClaimedJob, type JobLane, nextJobAt } from '../store/jobs/jobs.ts'
import type { RunJob } from './run-job.ts'

export type LaneOptions = {
  name: JobLane
  concurrency: number
  /** Claims what may run beside `running`; empty when nothing may. */
  claim(running: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]>
  run: RunJob
}

export type Lane = {
  wake(): void
  /** Stops claiming and waits for what runs. */
  drain(timeoutMs: number): Promise<void>
}

const pollMs = 1_000
/** Due jobs that could not be claimed run on another node or exceed the share of their account; the end of a job wakes us. */
const refusedMs = 100

/** Keeps up to `concurrency` jobs of one lane running. */
export function startLane(rt: Runtime, { name, concurrency, claim, run }: LaneOptions): Lane {
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
