export type Gathering = {
  /** What waits stays; the listener is called when that is over. */
  isOn(): boolean
  /** A batch has left, and for a while the next one waits for its end, or does not. Returns what its end calls. */
  behind(waits: boolean): () => void
}

/** For `gatherMs` units wait for the end of the batch that left last instead of leaving beside it. */
export function createGathering(gatherMs: number, onOver: () => void): Gathering {
  let last: { until: number; timer?: NodeJS.Timeout } | null = null
  return {
    isOn() {
      const leftMs = last ? last.until - performance.now() : 0
      if (!last || leftMs <= 0) return false
      last.timer ??= setTimeout(onOver, Math.ceil(leftMs))
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
}
