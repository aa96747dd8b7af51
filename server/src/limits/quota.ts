import { AppError, type QuotaFacts } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import type { Clock } from '../lib/clock.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Log } from '../observe/log.ts'
import { addUsage } from '../store/accounts/quotas.ts'
import type { Store } from '../store/engine/store.ts'
import { Unit } from '../store/engine/unit.ts'

export type QuotaTools = { store: Store; clock: Clock; log: Log }

export type Window = { policy: 'hour' | 'day'; quota: number; used: number; windowMs: number; resetsAt: number }
/** Null: the plan is not counted. */
export type QuotaState = { granted: boolean; windows: readonly [hour: Window, day: Window] } | null

export const startOfHour = (now: number): number => now - (now % hourMs)
export const startOfDay = (now: number): number => now - (now % dayMs)

/** Start of the windows that a request was counted in. */
export function startsOf({ windows: [hour, day] }: NonNullable<QuotaState>): { hourStart: number; dayStart: number } {
  return { hourStart: hour.resetsAt - hour.windowMs, dayStart: day.resetsAt - day.windowMs }
}

/** Both windows of a counted plan as they stand at `now`. */
export function windowsAt(plan: Plan, used: { hour: number; day: number }, now: number): [Window, Window] | null {
  const { hour, day } = plans[plan]
  if (hour === null || day === null) return null
  return [
    { policy: 'hour', quota: hour, used: used.hour, windowMs: hourMs, resetsAt: startOfHour(now) + hourMs },
    { policy: 'day', quota: day, used: used.day, windowMs: dayMs, resetsAt: startOfDay(now) + dayMs },
  ]
}

/** The refusal names the window that is full; when both are, the one that opens later. */
export function quotaExceeded(plan: Plan, windows: readonly [Window, Window], now: number): AppError {
  const full = windows.filter(({ used, quota }) => used >= quota)
  const [violated = windows[0]] = full.sort((a, b) => b.resetsAt - a.resetsAt)
  const name = plan.charAt(0).toUpperCase() + plan.slice(1)
  const at = formatInstant(violated.resetsAt).slice(11, 16)
  return new AppError(
    'rate_limit_exceeded',
    `The ${name} plan allows ${violated.quota.toLocaleString('en')} requests per ${violated.policy}, and all of them are used. The window resets at ${at} UTC.`,
    { retryAfterSeconds: secondsUntil(violated.resetsAt, now), limit: toFacts(violated) },
  )
}

export function toFacts({ policy, quota, used, windowMs, resetsAt }: Window): QuotaFacts {
  return {
    policy,
    quota,
    used: Math.min(used, quota),
    window_seconds: windowMs / 1_000,
    resets_at: formatInstant(resetsAt),
  }
}

export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1_000))
}

/** The quota that a send uses with its first write; without quotas the plan has no limits. */
export type QuotaToTake = { hour_quota: number; hour_start: number; day_quota: number; day_start: number }
/** The windows after a first write that took one request from them; null where none was taken. */
export type QuotaTaken = { hour_start: number | null; hour_used: number | null; day_used: number | null }

/** One request of a plan that is taken together with a first write. */
export type Taking = {
  /** The quota used by the write; null if the plan has no limits, or the request was counted in this process. */
  readonly quota: QuotaToTake | null
  /** To be called when the write is on disk. */
  passed(taken: QuotaTaken): QuotaState
  /** To be called when nothing was written. */
  undo(): void
}

/**
 * What every counted request passes. It answers two questions without a round trip of their own per request: has
 * anything about this key changed, and is there quota left?
 */
export type Gate = {
  /** The epoch of a key, as fresh as the last commit anywhere; null when the key is gone. */
  epoch(keyId: string): Promise<number | null>
  /** Takes one request from both windows, or says that one of them is full. */
  take(accountId: string, plan: Plan): Promise<QuotaState>
  /**
   * Gives one back: a request that ended in our own failure does not count. `taken` is what its take answered: only the
   * windows it was taken from get it back. Without it, those of this moment do.
   */
  refund(accountId: string, plan: Plan, taken?: QuotaState): void
  /** The windows without taking. */
  peek(accountId: string, plan: Plan): Promise<QuotaState>
  /** False while the plan is known to be used up: a first write that takes from it would only fail. */
  hasRoom(accountId: string, plan: Plan): boolean
  /**
   * Takes one with the first write of a send, see messages/send/grant-send.ts. Null when the plan has no room after all.
   */
  begin(accountId: string, plan: Plan): Taking | null
  close(): Promise<void>
}

/** Counts for the usage chart, kept apart from the quota: they may lose a moment in a crash. */
export function createUsageCounter(rt: QuotaTools) {
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
