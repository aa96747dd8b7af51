import type { Log } from '../../observe/log.ts'

export type WakeLoop = {
  /** Something may be there: look soon. Any number of calls make one turn. */
  wake(): void
  /** No further turn begins; resolves when the current one is over. */
  stop(): Promise<void>
}

type Options = {
  name: string
  log: Log
  /** Does what there is to do; returns in how many milliseconds to look again by itself. */
  turn: () => Promise<number>
  /** At least this long between the end of a turn and the next, so that a thousand wake-ups a second cost little. */
  gapMs: number
}

const backoffMs = { first: 200, max: 15_000 }

/** A loop that sleeps until it is woken or its time has come. It never gives up: a failing turn is tried again. */
export function startWakeLoop({ name, log, turn, gapMs }: Options): WakeLoop {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let woken = false
  let stopped = false
  let failures = 0
  let endedAt = 0
  schedule(0)

  return {
    wake() {
      if (failures > 0) return
      woken = true
      if (!running) schedule(Math.max(0, endedAt + gapMs - performance.now()))
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    if (stopped) return
    timer = setTimeout(() => {
      running = run().finally(() => {
        running = null
      })
    }, ms)
  }

  async function run(): Promise<void> {
    woken = false
    let againMs: number
    try {
      againMs = await turn()
      failures = 0
    } catch (error) {
      againMs = Math.min(backoffMs.first * 2 ** failures, backoffMs.max)
      failures++
      log.warn({ err: error, failures, again_ms: againMs }, `${name}.interrupted`)
    }
    endedAt = performance.now()
    schedule(woken && failures === 0 ? gapMs : Math.max(againMs, gapMs))
  }
}
