type Batcher<Item, Result> = {
  /** Resolves with the item's result of its batch. */
  add(item: Item): Promise<Result>
  /** Items without a result yet. */
  pending(): number
}

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

/**
 * Items added in the same turn of the event loop form a batch; those added while a batch runs form the next. `run` returns
 * one result per item, in order. There is no timer: a batch waits for nothing but the one before it.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { itemsMax = Number.POSITIVE_INFINITY }: { itemsMax?: number } = {},
): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = []
  let pending = 0
  let busy = false

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        pending++
        if (!busy) schedule()
      }),
    pending: () => pending,
  }

  function schedule(): void {
    busy = true
    setImmediate(() => void runBatch())
  }

  async function runBatch(): Promise<void> {
    const batch = waiting.splice(0, itemsMax)
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    pending -= batch.length
    if (waiting.length > 0) schedule()
    else busy = false
  }
}

/** Resolves when everything is known that the event loop brings in this turn. */
type TurnEnd = () => Promise<void>

/**
 * For what many wait for at the same time: those who await it go on together, each step of all of them before the next step of
 * any. One by one from beginning to end, each would find the code of its first step displaced from the processor's caches by
 * the last step of the one before: with 64 callers that was a fifth of the CPU of a send.
 */
export function createTurnEnd(): TurnEnd {
  let end: Promise<void> | null = null
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = null
        resolve()
      })
    })
    return end
  }
}
