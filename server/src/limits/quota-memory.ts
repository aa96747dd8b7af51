import type { Plan } from '../contract/plans.ts'
import { keyEpoch } from '../store/accounts/api-keys.ts'
import { readQuota, saveQuota } from '../store/accounts/quotas.ts'
import { Unit } from '../store/engine/unit.ts'
import {
  createUsageCounter,
  type Gate,
  type QuotaState,
  type QuotaTools,
  startOfDay,
  startOfHour,
  startsOf,
  windowsAt,
} from './quota.ts'

type Counts = { hourStart: number; hourUsed: number; dayStart: number; dayUsed: number }

const saveEveryMs = 100

/**
 * For the one process of a SQLite installation: epochs are read from the database, counters live here and are put down
 * every 100 ms. A send that is decided by its first write is counted before it, so that no other takes its place. A crash may forget the last 100 ms of counts; between crashes they are exact.
 */
export function createMemoryGate(rt: QuotaTools): Gate {
  const counters = createCounters(rt)
  const usage = createUsageCounter(rt)
  const save = async () => {
    await counters.save()
    await usage.flush()
  }
  const reportFailure = (error: unknown) => rt.log.warn({ err: error }, 'quota.not_saved')
  const timer = setInterval(() => void save().catch(reportFailure), saveEveryMs)
  timer.unref()

  return {
    async epoch(keyId) {
      return (await rt.store.read(keyEpoch, { id: keyId }))[0]?.epoch ?? null
    },
    async take(accountId, plan) {
      const counts = counters.known(accountId) ?? (await counters.load(accountId))
      const state = takeOne(accountId, counts, plan)
      if (!state || state.granted) usage.count(accountId)
      return state
    },
    refund: giveBack,
    async peek(accountId, plan) {
      return stateOf(counters.known(accountId) ?? (await counters.load(accountId)), plan, rt.clock.now())
    },
    hasRoom(accountId, plan) {
      const counts = counters.known(accountId)
      return counts !== undefined && (stateOf(counts, plan, rt.clock.now())?.granted ?? true)
    },
    begin(accountId, plan) {
      const counts = counters.known(accountId)
      const state = counts ? takeOne(accountId, counts, plan) : null
      if (!counts || state?.granted === false) return null
      const passed = () => {
        usage.count(accountId)
        return state
      }
      return { quota: null, passed, undo: () => giveBack(accountId, plan, state) }
    },
    async close() {
      clearInterval(timer)
      await save()
    },
  }

  function takeOne(accountId: string, counts: Counts, plan: Plan): QuotaState {
    const now = rt.clock.now()
    const state = stateOf(counts, plan, now)
    // A plan without limits has nothing to count down.
    if (!state?.granted) return state
    counts.hourUsed++
    counts.dayUsed++
    counters.change(accountId)
    return stateOf(counts, plan, now, true)
  }

  function giveBack(accountId: string, plan: Plan, taken?: QuotaState): void {
    const counts = counters.known(accountId)
    const from = counts && (taken ?? stateOf(counts, plan, rt.clock.now()))
    if (!counts || !from) return
    const { hourStart, dayStart } = startsOf(from)
    if (counts.hourStart === hourStart) counts.hourUsed = Math.max(0, counts.hourUsed - 1)
    if (counts.dayStart === dayStart) counts.dayUsed = Math.max(0, counts.dayUsed - 1)
    counters.change(accountId)
  }
}

/** Moves counts into the hour and the day of now, and says what they leave. */
function stateOf(counts: Counts, plan: Plan, now: number, granted?: boolean): QuotaState {
  if (counts.hourStart !== startOfHour(now)) Object.assign(counts, { hourStart: startOfHour(now), hourUsed: 0 })
  if (counts.dayStart !== startOfDay(now)) Object.assign(counts, { dayStart: startOfDay(now), dayUsed: 0 })
  const windows = windowsAt(plan, { hour: counts.hourUsed, day: counts.dayUsed }, now)
  return windows && { granted: granted ?? windows.every(({ used, quota }) => used < quota), windows }
}

/** The counts of each account, as they are here; `save` puts down those that changed. */
function createCounters(rt: QuotaTools) {
  const accounts = new Map<string, Counts>()
  const changed = new Set<string>()
  return {
    known: (accountId: string) => accounts.get(accountId),
    change: (accountId: string) => void changed.add(accountId),
    async load(accountId: string): Promise<Counts> {
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
    },
    async save(): Promise<void> {
      const unit = new Unit()
      const saved = [...changed]
      for (const accountId of saved) {
        const counts = accounts.get(accountId)
        if (counts) unit.add(saveQuota, rowOf(accountId, counts))
      }
      changed.clear()
      try {
        if (unit.calls.length > 0) await rt.store.write(unit)
      } catch (error) {
        for (const accountId of saved) changed.add(accountId)
        throw error
      }
    },
  }
}

function rowOf(account_id: string, { hourStart, hourUsed, dayStart, dayUsed }: Counts) {
  return { account_id, hour_start: hourStart, hour_used: hourUsed, day_start: dayStart, day_used: dayUsed }
}
