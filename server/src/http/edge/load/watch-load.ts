import type { Store } from '../../../store/engine/store.ts'

export type Load = {
  /** The process, or its database, has had more to do than it can for a while. A moment is not enough. */
  isTooMuch(): boolean
  stop(): void
}

const lookEveryMs = 50
const lastsMs = 500
const loopDelayMaxMs = 100
const writesWaitingMax = 1_000
const readsWaitingMax = 32

/**
 * Looks at what everything waits for: the event loop, by how late it calls, and the database, by how much waits for it.
 * Garbage collection or a burst make both late for a moment; only what lasts is too much.
 */
export function watchLoad({ depth, connections }: Pick<Store, 'depth' | 'connections'>): Load {
  let lookedAt = performance.now()
  let busySince = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    const now = performance.now()
    const isLate = now - lookedAt - lookEveryMs > loopDelayMaxMs
    const isBusy = isLate || depth() > writesWaitingMax || connections().waiting > readsWaitingMax
    busySince = isBusy ? Math.min(busySince, now) : Number.POSITIVE_INFINITY
    lookedAt = now
  }, lookEveryMs)
  timer.unref()
  return { isTooMuch: () => performance.now() - busySince > lastsMs, stop: () => clearInterval(timer) }
}
