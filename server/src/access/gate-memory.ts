import type { Plan } from '../contract/plans.ts'
import type { Runtime } from '../runtime.ts'
import { keyEpoch } from '../store/accounts/api-keys.ts'
import { readQuota, saveQuota } from '../store/accounts/quotas.ts'
import { Unit } from '../store/engine/unit.ts'
import type { Gate } from './gate.ts'
import { type QuotaState, startOfDay, startOfHour, startsOf, windowsAt } from './quota.ts'
import { createUsageCounter } from './usage-counter.ts'

type Counts = { hourStart: number; hourUsed: number; dayStart: number; dayUsed: number }

const saveEveryMs = 100

/**
 * For the one process of a SQLite installation: epochs are read from the database (3 us), counters live here and are put
 * down every 100 ms. A crash may forget the last 100 ms of counts; between crashes they are exact.
 */
export function createMemoryGate(rt: Runtime): Gate {
  const accounts = new Map<string, Counts>()
  const changed = new Set<string>()
  const usage = createUsageCounter(rt)
  const timer = setInterval(() => void save().catch(reportFailure), saveEveryMs)
  timer.unref()

  return {
    async epoch(keyId) {
      return (await rt.store.read(keyEpoch, { id: keyId }))[0]?.epoch ?? null
    },
    async take(accountId, plan) {
      const counts = accounts.get(accountId) ?? (await load(accountId))
      const state = stateOf(counts, plan)
      if (state && !state.granted) return state
      usage.count(accountId)
      // A plan without limits has nothing to count down.
      if (!state) return null
      counts.hourUsed++
      counts.dayUsed++
      changed.add(accountId)
      return stateOf(counts, plan, true)
    },
    refund(accountId, plan, taken) {
      const counts = accounts.get(accountId)
      const from = counts && (taken ?? stateOf(counts, plan))
      if (!counts || !from) return
      const { hourStart, dayStart } = startsOf(from)
      if (counts.hourStart === hourStart) counts.hourUsed = Math.max(0, counts.hourUsed - 1)
      if (counts.dayStart === dayStart) counts.dayUsed = Math.max(0, counts.dayUsed - 1)
      changed.add(accountId)
    },
    async peek(accountId, plan) {
      return stateOf(accounts.get(accountId) ?? (await load(accountId)), plan)
    },
    forWrites: null,
    async close() {
      clearInterval(timer)
      await save()
    },
  }

  async function load(accountId: string): Promise<Counts> {
    const [row] = await rt.store.read(readQuota, { account_id: accountId })
    // Another request may have loaded it while this one waited.
    const known = accounts.get(accountId)
    if (known) return known
    const counts = {
      hourStart: row?.hour_start ?? 0,
      hourUsed: row?.hour_used ?? 0,
      dayStart: row?.day_start ?? 0,
      dayUsed: row?.day_used ?? 0,
    }
    accounts.set(accountId, counts)
    return counts
  }

  function stateOf(counts: Counts, plan: Plan, granted?: boolean): QuotaState {
    const now = rt.clock.now()
    if (counts.hourStart !== startOfHour(now)) Object.assign(counts, { hourStart: startOfHour(now), hourUsed: 0 })
    if (counts.dayStart !== startOfDay(now)) Object.assign(counts, { dayStart: startOfDay(now), dayUsed: 0 })
    const windows = windowsAt(plan, { hour: counts.hourUsed, day: counts.dayUsed }, now)
    return windows && { granted: granted ?? windows.every(({ used, quota }) => used < quota), windows }
  }

  async function save(): Promise<void> {
    const unit = new Unit()
    const saved = [...changed]
    for (const accountId of saved) {
      const counts = accounts.get(accountId)
      if (counts) {
        unit.add(saveQuota, {
          account_id: accountId,
          hour_start: counts.hourStart,
          hour_used: counts.hourUsed,
          day_start: counts.dayStart,
          day_used: counts.dayUsed,
        })
      }
    }
    changed.clear()
    try {
      if (unit.calls.length > 0) await rt.store.write(unit)
    } catch (error) {
      for (const accountId of saved) changed.add(accountId)
      throw error
    }
    await usage.flush()
  }

  function reportFailure(error: unknown): void {
    rt.log.warn({ err: error }, 'quota.not_saved')
  }
}
