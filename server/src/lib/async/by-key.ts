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

/** Runs the work when all earlier work of the same key has ended. */
export type MutexByKey = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work of one key runs one after the other, in the order of the calls; different keys run side by side. */
export function createMutexByKey(): MutexByKey {
  const ends = new Map<string, Promise<unknown>>()

  return async (key, work) => {
    const before = ends.get(key)
    // A failure does not keep later work from running.
    const mine = before ? before.then(work, work) : work()
    ends.set(key, mine)
    try {
      return await mine
    } finally {
      if (ends.get(key) === mine) ends.delete(key)
    }
  }
}
