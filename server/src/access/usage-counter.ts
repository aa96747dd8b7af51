import type { Runtime } from '../runtime.ts'
import { addUsage } from '../store/accounts/quotas.ts'
import { Unit } from '../store/engine/unit.ts'
import { startOfHour } from './quota.ts'

/** Counts for the usage chart, kept apart from the quota: they may lose a moment in a crash. */
export function createUsageCounter(rt: Runtime) {
  const counts = new Map<string, number>()
  return {
    count(accountId: string): void {
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    },
    async flush(): Promise<void> {
      if (counts.size === 0) return
      const hourStart = startOfHour(rt.clock.now())
      const unit = new Unit()
      for (const [account_id, used] of counts) unit.add(addUsage, { account_id, hour_start: hourStart, used })
      counts.clear()
      await rt.store.tally(unit)
    },
  }
}
