const stepMs = 100

/**
 * The duration of a time limit, rounded up to tenths of a second. Node keeps a list for every duration it is given: what is
 * left of a request's time is another number of milliseconds for each of them, and a list of its own for each is most of
 * the work of a timer.
 */
export function inShortList(ms: number): number {
  return ms > 1_000 ? Math.ceil(ms / stepMs) * stepMs : ms
}

/** The result of `withTimeout` when the time runs out first. */
export const timedOut = Symbol('timed out')

/**
 * Resolves with the result of the work, or with `timedOut`. The work itself goes on: only its caller can cancel it. A
 * later failure of the work is never an unhandled rejection.
 */
export function withTimeout<T>(work: Promise<T>, waitMaxMs: number): Promise<T | typeof timedOut> {
  if (waitMaxMs === Number.POSITIVE_INFINITY) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, inShortList(Math.max(0, waitMaxMs)), timedOut)
    const settle = <Outcome>(give: (outcome: Outcome) => void) => {
      return (outcome: Outcome) => {
        clearTimeout(timer)
        give(outcome)
      }
    }
    work.then(settle(resolve), settle(reject))
  })
}

/** Where a change of this kind can be heard of. */
type Signal = (listener: () => void) => () => void

const pollMs = 100

/**
 * Asks again after every signal, and every 100 ms in case one was lost, until there is an answer or the time is over; a question
 * that takes longer than that is not waited for. Real time, not the clock of the domain: a client is waiting at the other end of
 * a connection.
 */
export async function waitUntil<T>(
  signal: Signal,
  ask: () => Promise<T | null>,
  deadlineMs: number,
): Promise<T | null> {
  const end = performance.now() + deadlineMs
  const leftMs = () => end - performance.now()
  do {
    const answer = await withTimeout(ask(), leftMs())
    if (answer === timedOut) return null
    if (answer !== null) return answer
    await heard(signal, Math.min(pollMs, leftMs()))
  } while (leftMs() > 0)
  return null
}

function heard(signal: Signal, waitMaxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, waitMaxMs)
    const stop = signal(done)
  })
}

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
