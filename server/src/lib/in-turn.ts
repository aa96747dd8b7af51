/**
 * Runs what belongs to one name one after the other, in the order it came; different names do not wait for each other.
 * What fails does not keep those behind it waiting.
 */
export function createTurns() {
  const ends = new Map<string, Promise<unknown>>()

  return async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
    const before = ends.get(name)
    const mine = before ? before.then(run, run) : run()
    ends.set(name, mine)
    try {
      return await mine
    } finally {
      if (ends.get(name) === mine) ends.delete(name)
    }
  }
}
