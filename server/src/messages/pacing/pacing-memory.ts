import type { Runtime } from '../../runtime.ts'
import type { SlotRequest, Slots } from './slots.ts'

const keysMax = 200_000

/** For one process: when the bucket of each key is empty again. */
export function createMemorySlots(rt: Pick<Runtime, 'clock'>): Slots {
  const emptyAt = new Map<string, number>()
  const waitMsOf = ({ key, everyMs, burst }: SlotRequest, now: number) =>
    Math.max(0, (emptyAt.get(key) ?? 0) - everyMs * (burst - 1) - now)
  return {
    async reserve(requests, waitMaxMs) {
      const now = rt.clock.now()
      const waits = requests.map((request) => waitMsOf(request, now))
      const refused = waits.findIndex((waitMs) => waitMs > waitMaxMs)
      if (refused !== -1) return { refused }
      if (emptyAt.size > keysMax) for (const [old, at] of emptyAt) if (at <= now) emptyAt.delete(old)
      for (const { key, everyMs } of requests) emptyAt.set(key, Math.max(emptyAt.get(key) ?? 0, now) + everyMs)
      return { waitMs: Math.max(...waits) }
    },
    look: async (request) => waitMsOf(request, rt.clock.now()),
  }
}
