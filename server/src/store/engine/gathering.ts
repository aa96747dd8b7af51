export type Gathering = {
  /** What waits stays; the listener is called when that is over. */
  isOn(): boolean
  /** A batch has left, and for a while the next one waits for its end, or does not. Returns what its end calls. */
  behind(waits: boolean): () => void
}

type Behind = { readonly until: number; timer?: NodeJS.Timeout | undefined }

/** For `gatherMs` units wait for the end of the batch that left last instead of leaving beside it. */
export function createGathering(gatherMs: number, onOver: () => void): Gathering {
  let last: Behind | null = null
  return {
    isOn() {
      const own = last
      const leftMs = own ? own.until - performance.now() : 0
      if (!own || leftMs <= 0) return false
      own.timer ??= setTimeout(() => look(own), Math.ceil(leftMs))
      return true
    },
    behind(waits) {
      const own = waits ? { until: performance.now() + gatherMs } : null
      clearTimeout(last?.timer)
      last = own
      return () => {
        // One that left later gathers on.
        if (last !== own) return
        clearTimeout(last?.timer)
        last = null
      }
    },
  }

  /** Timers count from the start of a turn of the event loop, so this may be early: the listener asks again, and gets another. */
  function look(own: Behind): void {
    own.timer = undefined
    onOver()
  }
}
