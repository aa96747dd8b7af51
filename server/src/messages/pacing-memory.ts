import type { Runtime } from '../runtime.ts'
import type { Slots } from './slots.ts'

const keysMax = 200_000

/** For one process: when the bucket of each key is empty again. */
export function createMemorySlots(rt: Pick<Runtime, 'clock'>): Slots {
  const emptyAt = new Map<string, number>()
  return {
    async reserve({ key, everyMs, burst }, waitMaxMs) {
      const now = rt.clock.now()
      const from = Math.max(emptyAt.get(key) ?? 0, now)
      const waitMs = Math.max(0, from - everyMs * (burst - 1) - now)
      if (waitMs > waitMaxMs) return null
      if (emptyAt.size > keysMax) for (const [old, at] of emptyAt) if (at <= now) emptyAt.delete(old)
      emptyAt.set(key, from + everyMs)
      return waitMs
    },
  }
}
