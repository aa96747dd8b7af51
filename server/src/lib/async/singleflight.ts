export type Singleflight = {
  /** Runs the work, unless work of the same key is running already: then its result is shared. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** The running work of a key. */
  running(key: string): Promise<unknown> | undefined
}

/** Concurrent calls with the same key share one execution. Nothing is kept once it has ended. */
export function createSingleflight(): Singleflight {
  const runs = new Map<string, Promise<unknown>>()

  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const first = runs.get(key)
      // A key names one kind of work, so its result has the type of every caller.
      if (first) return first as Promise<T>
      const run = work().finally(() => runs.delete(key))
      runs.set(key, run)
      return run
    },
    running: (key) => runs.get(key),
  }
}
