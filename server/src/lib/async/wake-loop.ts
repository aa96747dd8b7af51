export type WakeLoop = {
  /** There may be work: runs soon. Calls made before the next run starts cause one run. */
  wake(): void
  /** Starts no further run; resolves when the current one has ended. */
  stop(): Promise<void>
}

type Options = {
  /** Does the work there is; returns the milliseconds until the next run if nothing wakes the loop before. */
  run: () => Promise<number>
  /** The least time between the end of a run and the next start, so that a thousand wake-ups a second cost little. */
  gapMs: number
  log: { warn(fields: object, event: string): void }
  /** The event that a failed run is logged as. */
  failureEvent: string
}

const backoffMs = { first: 200, max: 15_000 }

/** A loop that sleeps until it is woken or its time is up. A failed run is retried with growing pauses, for ever. */
export function startWakeLoop({ run, gapMs, log, failureEvent }: Options): WakeLoop {
  let timer: NodeJS.Timeout | undefined
  let lastRun = Promise.resolve()
  let isRunning = false
  let woken = false
  let stopped = false
  let failures = 0
  let endedAt = 0
  schedule(0)

  return {
    wake() {
      woken = true
      // After a failure the next run is at its time, whatever happens meanwhile.
      if (!isRunning && failures === 0) schedule(Math.max(0, endedAt + gapMs - performance.now()))
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await lastRun
    },
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      lastRun = runOnce()
    }, ms)
  }

  async function runOnce(): Promise<void> {
    isRunning = true
    woken = false
    let againMs: number
    try {
      againMs = await run()
      failures = 0
    } catch (error) {
      againMs = Math.min(backoffMs.first * 2 ** failures, backoffMs.max)
      failures++
      log.warn({ err: error, failures, again_ms: againMs }, failureEvent)
    }
    endedAt = performance.now()
    isRunning = false
    schedule(woken && failures === 0 ? gapMs : Math.max(againMs, gapMs))
  }
}
