import type { Clock } from '../lib/clock.ts'
import { minuteMs } from '../lib/durations.ts'

/**
 * A rate: `burst` at once, then one per `everyMs`. One number per key says it all, the moment when its bucket is empty again
 * (the generic cell rate algorithm). Here it is in memory, for one process; in rate-shared.ts it is a row of PostgreSQL,
 * which many processes share.
 */
export type Rate = { everyMs: number; burst: number }
export type RateLimit = Rate & { key: string }

/** The time until the latest of the reservations, or the index of the limit that would take too long; then none is made. */
export type Reservation = { waitMs: number } | { refused: number }

export type RateLimiter = {
  /** Reserves the next moment of every limit, all of them or none. */
  reserve(limits: readonly RateLimit[], waitMaxMs: number): Promise<Reservation>
  /**
   * Reserves what is free at this moment; the function returned takes it back. Null where something would have to wait, then
   * nothing is reserved. Missing where reservations are in a database, which no moment is long enough to ask.
   */
  reserveNow?(limits: readonly RateLimit[]): (() => void) | null
  /** Takes up to `wanted` that are free at this moment, and says how long the next has to wait. */
  takeFree(limit: RateLimit, wanted: number): Promise<{ granted: number; waitMs: number }>
  /** Returns what was taken and not used. */
  giveBack(limit: RateLimit, count: number): Promise<void>
  /** Wait of a reservation, without reserving. */
  look(limit: RateLimit): Promise<number>
}

/**
 * Takes one of each limit, or says how many milliseconds to wait until that may succeed; 0 where all were taken. A caller
 * who has to wait anyway costs a read, not a lock.
 */
export async function takeNow(limiter: RateLimiter, limits: readonly RateLimit[]): Promise<number> {
  const longestWait = async () => Math.max(...(await Promise.all(limits.map((limit) => limiter.look(limit)))))
  const waitMs = await longestWait()
  if (waitMs > 0) return waitMs
  const reserved = await limiter.reserve(limits, 0)
  return 'refused' in reserved ? Math.max(1, await longestWait()) : 0
}

/** One rate for every key of one process, of which nobody reserves ahead. */
export type Throttle = {
  /** Milliseconds to wait before the next may pass; 0 takes one now. */
  take(key: string, now: number): number
  /** The same answer without taking. */
  waitMs(key: string, now: number): number
}

const keysMax = 200_000

class Buckets {
  readonly #emptyAt = new Map<string, number>()
  readonly #aheadMs: number

  /** `aheadMs`: for so long at most a reservation waits for a bucket that is full. */
  constructor(aheadMs: number) {
    this.#aheadMs = aheadMs
  }

  waitMs(limit: RateLimit, now: number): number {
    return Math.max(0, this.#emptiesAt(limit, now) - limit.everyMs * (limit.burst - 1) - now)
  }

  take(limit: RateLimit, now: number): void {
    if (this.#emptyAt.size >= keysMax) this.#forgetPast(now)
    this.#emptyAt.set(limit.key, Math.max(this.#emptiesAt(limit, now), now) + limit.everyMs)
  }

  giveBack({ key, everyMs }: RateLimit, count = 1): void {
    this.#emptyAt.set(key, (this.#emptyAt.get(key) ?? 0) - everyMs * count)
  }

  /** What lies further ahead than a full bucket was noted by a clock that was put back since. */
  #emptiesAt({ key, everyMs, burst }: RateLimit, now: number): number {
    const at = this.#emptyAt.get(key) ?? 0
    return at - now > everyMs * burst + this.#aheadMs ? 0 : at
  }

  /** A key whose bucket is empty is as good as unknown. */
  #forgetPast(now: number): void {
    for (const [key, at] of this.#emptyAt) if (at <= now) this.#emptyAt.delete(key)
    // Still full: an attack from many keys at once. The oldest go; they begin anew.
    for (const key of this.#emptyAt.keys()) {
      if (this.#emptyAt.size < keysMax) break
      this.#emptyAt.delete(key)
    }
  }
}

export function createThrottle(rate: Rate): Throttle {
  const buckets = new Buckets(0)
  return {
    waitMs: (key, now) => buckets.waitMs({ key, ...rate }, now),
    take(key, now) {
      const waitMs = buckets.waitMs({ key, ...rate }, now)
      if (waitMs === 0) buckets.take({ key, ...rate }, now)
      return waitMs
    },
  }
}

/**
 * For one process. Nobody waits for longer than a minute for a full bucket, and a rate that was slowed down is at one a
 * second.
 */
export function createMemoryRateLimiter({ clock }: { clock: Clock }): RateLimiter {
  const buckets = new Buckets(minuteMs)
  const takeAll = (limits: readonly RateLimit[], now: number) => {
    for (const limit of limits) buckets.take(limit, now)
  }
  return {
    async reserve(limits, waitMaxMs) {
      const now = clock.now()
      const waits = limits.map((limit) => buckets.waitMs(limit, now))
      const refused = waits.findIndex((waitMs) => waitMs > waitMaxMs)
      if (refused !== -1) return { refused }
      takeAll(limits, now)
      return { waitMs: Math.max(...waits) }
    },
    reserveNow(limits) {
      const now = clock.now()
      if (limits.some((limit) => buckets.waitMs(limit, now) > 0)) return null
      takeAll(limits, now)
      return () => {
        for (const limit of limits) buckets.giveBack(limit)
      }
    },
    async takeFree(limit, wanted) {
      const now = clock.now()
      let granted = 0
      for (; granted < wanted && buckets.waitMs(limit, now) === 0; granted++) buckets.take(limit, now)
      return { granted, waitMs: buckets.waitMs(limit, now) }
    },
    giveBack: async (limit, count) => buckets.giveBack(limit, count),
    look: async (limit) => buckets.waitMs(limit, clock.now()),
  }
}
