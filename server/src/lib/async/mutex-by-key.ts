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
