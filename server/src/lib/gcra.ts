/** A throttle: `burst` at once, then one per `everyMs`. One number per key says it all: when the bucket is empty again. */
export type ThrottleRule = { everyMs: number; burst: number }

export type Throttle = {
  /** Milliseconds to wait before the next may pass; 0 takes one now. */
  take(key: string, now: number): number
  /** The same answer without taking. */
  waitMs(key: string, now: number): number
}

const keysMax = 100_000

export function createThrottle({ everyMs, burst }: ThrottleRule): Throttle {
  const emptyAt = new Map<string, number>()
  const toleranceMs = everyMs * (burst - 1)

  function waitMs(key: string, now: number): number {
    return Math.max(0, emptiesAt(key, now) - toleranceMs - now)
  }

  /** No bucket is fuller than full: what lies further ahead was noted by a clock that was put back since. */
  function emptiesAt(key: string, now: number): number {
    const at = emptyAt.get(key) ?? 0
    return at - now > toleranceMs + everyMs ? 0 : at
  }

  return {
    waitMs,
    take(key, now) {
      const wait = waitMs(key, now)
      if (wait > 0) return wait
      if (emptyAt.size >= keysMax) forgetPast(emptyAt, now)
      emptyAt.set(key, Math.max(emptiesAt(key, now), now) + everyMs)
      return 0
    },
  }
}

/** A key whose bucket is empty is as good as unknown. */
function forgetPast(emptyAt: Map<string, number>, now: number): void {
  for (const [key, at] of emptyAt) if (at <= now) emptyAt.delete(key)
  // Still full: an attack from many keys at once. The oldest go; they begin anew.
  for (const key of emptyAt.keys()) {
    if (emptyAt.size < keysMax) break
    emptyAt.delete(key)
  }
}
