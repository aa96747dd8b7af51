export type Gathering = {
  /** What waits stays; the listener is called when that is over. */
  isOn(): boolean
  /** A batch has left, and for so long the next one waits for its end. Returns what its end calls. */
  behind(ms: number): () => void
}

type Behind = { readonly until: number; timer?: NodeJS.Timeout | undefined }

/** For a while units wait for the end of the batch that left last instead of leaving beside it. */
export function createGathering(onOver: () => void): Gathering {
  let last: Behind | null = null
  return {
    isOn() {
      const own = last
      const leftMs = own ? own.until - performance.now() : 0
      if (!own || leftMs <= 0) return false
      own.timer ??= setTimeout(() => look(own), Math.ceil(leftMs))
      return true
    },
    behind(ms) {
      const own = ms > 0 ? { until: performance.now() + ms } : null
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
