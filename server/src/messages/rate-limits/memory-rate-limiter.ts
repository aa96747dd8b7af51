import { minuteMs } from '../../lib/durations.ts'
import type { RateLimit, RateLimiter } from '../../lib/rate-limiter.ts'
import type { Runtime } from '../../runtime.ts'

const keysMax = 200_000
/** Nobody waits for so long for a bucket that is full, and a rate that was slowed down is at one a second. */
const waitMsMax = minuteMs

/** For one process: the moment at which the bucket of each key is empty again. */
export function createMemoryRateLimiter(rt: Pick<Runtime, 'clock'>): RateLimiter {
  const emptyAt = new Map<string, number>()
  /** What lies further ahead than a full bucket was noted by a clock that was put back since. */
  const emptiesAt = ({ key, everyMs, burst }: RateLimit, now: number) => {
    const at = emptyAt.get(key) ?? 0
    return at - now > everyMs * burst + waitMsMax ? 0 : at
  }
  const waitMsOf = (limit: RateLimit, now: number) =>
    Math.max(0, emptiesAt(limit, now) - limit.everyMs * (limit.burst - 1) - now)
  const take = (limits: readonly RateLimit[], now: number) => {
    if (emptyAt.size > keysMax) for (const [old, at] of emptyAt) if (at <= now) emptyAt.delete(old)
    for (const limit of limits) emptyAt.set(limit.key, Math.max(emptiesAt(limit, now), now) + limit.everyMs)
  }
  const giveBack = (limits: readonly RateLimit[]) => {
    for (const { key, everyMs } of limits) emptyAt.set(key, (emptyAt.get(key) ?? 0) - everyMs)
  }
  return {
    async reserve(limits, waitMaxMs) {
      const now = rt.clock.now()
      const waits = limits.map((limit) => waitMsOf(limit, now))
      const refused = waits.findIndex((waitMs) => waitMs > waitMaxMs)
      if (refused !== -1) return { refused }
      take(limits, now)
      return { waitMs: Math.max(...waits) }
    },
    reserveNow(limits) {
      const now = rt.clock.now()
      if (limits.some((limit) => waitMsOf(limit, now) > 0)) return null
      take(limits, now)
      return () => giveBack(limits)
    },
    look: async (limit) => waitMsOf(limit, rt.clock.now()),
  }
}
