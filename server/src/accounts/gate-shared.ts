import { type Plan, plans } from '../contract/plans.ts'
import { createTicker } from '../lib/ticker.ts'
import type { Runtime } from '../runtime.ts'
import { keyEpochs } from '../store/api-keys.ts'
import { readQuota, takeQuota } from '../store/quotas.ts'
import { Unit } from '../store/unit.ts'
import type { Gate } from './gate.ts'
import { type QuotaState, startOfDay, startOfHour, windowsAt } from './quota.ts'
import { createUsageCounter } from './usage-counter.ts'

type Taking = { accountId: string; plan: Plan }

const usageEveryMs = 1_000

/**
 * For many processes on PostgreSQL: all requests that wait in the same moment share one read of epochs and one statement
 * that moves the counters. Row locks make the count exact across nodes; nothing passes without the answer of its tick.
 */
export function createSharedGate(rt: Runtime): Gate {
  const usage = createUsageCounter(rt)
  const timer = setInterval(() => void usage.flush().catch(reportFailure), usageEveryMs)
  timer.unref()
  const epochs = createTicker<string, number | null>(async (keyIds) => {
    const rows = await rt.store.read(keyEpochs, { ids: [...new Set(keyIds)] })
    const byId = new Map(rows.map(({ id, epoch }) => [id, epoch]))
    return keyIds.map((id) => byId.get(id) ?? null)
  })
  const takings = createTicker<Taking, QuotaState>(takeTogether)

  return {
    epoch: epochs.ask,
    take(accountId, plan) {
      return plans[plan].hour === null ? Promise.resolve(null) : takings.ask({ accountId, plan })
    },
    refund(accountId, plan) {
      if (plans[plan].hour !== null) void move(accountId, plan, -1, rt.clock.now()).catch(reportFailure)
    },
    async peek(accountId, plan) {
      const now = rt.clock.now()
      const [row] = await rt.store.read(readQuota, { account_id: accountId })
      const hour = row?.hour_start === startOfHour(now) ? row.hour_used : 0
      const day = row?.day_start === startOfDay(now) ? row.day_used : 0
      const windows = windowsAt(plan, { hour, day }, now)
      return windows && { granted: windows.every(({ used, quota }) => used < quota), windows }
    },
    async close() {
      clearInterval(timer)
      await usage.flush()
    },
  }

  async function takeTogether(takings: readonly Taking[]): Promise<QuotaState[]> {
    const now = rt.clock.now()
    const groups = Map.groupBy(takings, ({ accountId, plan }) => `${accountId} ${plan}`)
    const states = new Map<Taking, QuotaState>()
    await Promise.all(
      [...groups.values()].map(async (group) => {
        const [first] = group
        if (!first) return
        const { granted, hour, day } = await move(first.accountId, first.plan, group.length, now)
        for (const [index, taking] of group.entries()) {
          const passes = index < granted
          // What this request sees: those before it in the group, and itself.
          const behind = passes ? granted - index - 1 : 0
          const windows = windowsAt(taking.plan, { hour: hour - behind, day: day - behind }, now)
          states.set(taking, windows && { granted: passes, windows })
          if (passes) usage.count(taking.accountId)
        }
      }),
    )
    return takings.map((taking) => states.get(taking) ?? null)
  }

  async function move(accountId: string, plan: Plan, wanted: number, now: number) {
    const { hour, day } = plans[plan]
    const unit = new Unit()
    const slot = unit.add(takeQuota, {
      account_id: accountId,
      wanted,
      hour_start: startOfHour(now),
      hour_quota: hour ?? 0,
      day_start: startOfDay(now),
      day_quota: day ?? 0,
    })
    const row = (await rt.store.tally(unit)).first(slot)
    return { granted: row?.granted ?? 0, hour: row?.hour_used ?? 0, day: row?.day_used ?? 0 }
  }

  function reportFailure(error: unknown): void {
    rt.log.warn({ err: error }, 'quota.not_saved')
  }
}
