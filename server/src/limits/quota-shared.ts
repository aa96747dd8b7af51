import { type Plan, plans } from '../contract/plans.ts'
import { createBatcher } from '../lib/async/batcher.ts'
import { keyEpochs } from '../store/accounts/api-keys.ts'
import { readQuota, refundQuota, takeQuota } from '../store/accounts/quotas.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import {
  createUsageCounter,
  type Gate,
  type QuotaState,
  type QuotaTaken,
  type QuotaTools,
  type QuotaToTake,
  startOfDay,
  startOfHour,
  startsOf,
  windowsAt,
} from './quota.ts'
import { createMemoryGate } from './quota-memory.ts'

type Taking = { accountId: string; plan: Plan }

const usageEveryMs = 1_000

/**
 * For many processes on PostgreSQL: all requests of the same moment share one read of epochs and one statement that
 * moves the counters. Row locks make the count exact across nodes; no request passes without the result of its batch.
 */
export function createSharedGate(rt: QuotaTools): Gate {
  const usage = createUsageCounter(rt)
  /** When the quota of a rejected account resets. */
  const fullUntil = new Map<string, number>()
  const timer = setInterval(() => void usage.flush().catch(reportFailure), usageEveryMs)
  timer.unref()
  const epochs = createBatcher<string, number | null>(async (keyIds) => {
    const rows = await rt.store.read(keyEpochs, { ids: [...new Set(keyIds)] })
    const byId = new Map(rows.map(({ id, epoch }) => [id, epoch]))
    return keyIds.map((id) => byId.get(id) ?? null)
  })
  const takings = createTakings(rt, usage, fullUntil)

  return {
    epoch: epochs.add,
    take(accountId, plan) {
      if (plans[plan].hour !== null) return takings.add({ accountId, plan })
      usage.count(accountId)
      return Promise.resolve(null)
    },
    refund(accountId, plan, taken) {
      const from = taken ?? stateAt(plan, { hour: 0, day: 0 }, rt.clock.now())
      if (from) void giveBack(rt, accountId, startsOf(from)).catch(reportFailure)
    },
    async peek(accountId, plan) {
      const now = rt.clock.now()
      const [row] = await rt.store.read(readQuota, { account_id: accountId })
      const hour = row?.hour_start === startOfHour(now) ? row.hour_used : 0
      const day = row?.day_start === startOfDay(now) ? row.day_used : 0
      return stateAt(plan, { hour, day }, now)
    },
    ...takenByWrites(rt, usage, fullUntil),
    async close() {
      clearInterval(timer)
      await usage.flush()
    },
  }

  function reportFailure(error: unknown): void {
    rt.log.warn({ err: error }, 'quota.not_saved')
  }
}

function takenByWrites(
  rt: QuotaTools,
  usage: UsageCounter,
  fullUntil: Map<string, number>,
): Pick<Gate, 'hasRoom' | 'begin'> {
  return {
    hasRoom(accountId) {
      const until = fullUntil.get(accountId)
      if (until !== undefined && until <= rt.clock.now()) fullUntil.delete(accountId)
      return !fullUntil.has(accountId)
    },
    begin(accountId, plan) {
      const passed = ({ hour_start, hour_used, day_used }: QuotaTaken) => {
        usage.count(accountId)
        if (hour_used === null || day_used === null) return null
        const at = Math.max(rt.clock.now(), hour_start ?? 0)
        const windows = windowsAt(plan, { hour: hour_used, day: day_used }, at)
        return windows && { granted: true, windows }
      }
      // A write that does not happen takes nothing.
      return { quota: quotaOf(plan, rt.clock.now()), passed, undo() {} }
    },
  }
}

function quotaOf(plan: Plan, now: number): QuotaToTake | null {
  const { hour, day } = plans[plan]
  if (hour === null || day === null) return null
  return { hour_quota: hour, hour_start: startOfHour(now), day_quota: day, day_start: startOfDay(now) }
}

function stateAt(plan: Plan, used: { hour: number; day: number }, at: number): QuotaState {
  const windows = windowsAt(plan, used, at)
  return windows && { granted: windows.every((window) => window.used < window.quota), windows }
}

type UsageCounter = ReturnType<typeof createUsageCounter>

/** Requests of one moment move the counters of their account together; each sees what was left for it. */
function createTakings(rt: QuotaTools, usage: UsageCounter, fullUntil: Map<string, number>) {
  return createBatcher<Taking, QuotaState>(async (takings) => {
    const now = rt.clock.now()
    const groups = Map.groupBy(takings, ({ accountId, plan }) => `${accountId} ${plan}`)
    const states = new Map<Taking, QuotaState>()
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const [first] = group
        if (!first) return
        const { granted, hour, day, at } = await take(rt, first, group.length, now)
        if (granted < group.length) noteFull(first, { hour, day }, at)
        for (const [index, taking] of group.entries()) {
          const passes = index < granted
          // What this request sees: those before it in the group, and itself.
          const behind = passes ? granted - index - 1 : 0
          const windows = windowsAt(taking.plan, { hour: hour - behind, day: day - behind }, at)
          states.set(taking, windows && { granted: passes, windows })
          if (passes) usage.count(taking.accountId)
        }
      }),
    )
    return takings.map((taking) => states.get(taking) ?? null)
  })

  function noteFull({ accountId, plan }: Taking, used: { hour: number; day: number }, at: number): void {
    const full = (windowsAt(plan, used, at) ?? []).filter((window) => window.used >= window.quota)
    fullUntil.set(accountId, Math.max(at, ...full.map(({ resetsAt }) => resetsAt)))
  }
}

async function take(rt: QuotaTools, { accountId, plan }: Taking, wanted: number, now: number) {
  const { hour, day } = plans[plan]
  const unit = new Unit()
  const call = unit.add(takeQuota, {
    account_id: accountId,
    wanted,
    hour_start: startOfHour(now),
    hour_quota: hour ?? 0,
    day_start: startOfDay(now),
    day_quota: day ?? 0,
  })
  const row = (await rt.store.tally(unit)).first(call)
  // Another node may have been a moment ahead, and in the next hour already.
  const at = Math.max(now, row?.hour_start ?? 0)
  return { granted: row?.granted ?? 0, hour: row?.hour_used ?? 0, day: row?.day_used ?? 0, at }
}

async function giveBack(
  rt: QuotaTools,
  accountId: string,
  { hourStart, dayStart }: ReturnType<typeof startsOf>,
): Promise<void> {
  await rt.store.tally(unitOf(refundQuota, { account_id: accountId, hour_start: hourStart, day_start: dayStart }))
}

/** A process that has the database to itself counts in memory; several share one statement per batch. Both are exact. */
export function createGate(rt: QuotaTools): Gate {
  return rt.store.shared ? createSharedGate(rt) : createMemoryGate(rt)
}
