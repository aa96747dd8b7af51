import { AppError, type QuotaFacts } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'

export type Window = { policy: 'hour' | 'day'; quota: number; used: number; windowMs: number; resetsAt: number }
/** Null: the plan is not counted. */
export type QuotaState = { granted: boolean; windows: readonly [hour: Window, day: Window] } | null

export const startOfHour = (now: number): number => now - (now % hourMs)
export const startOfDay = (now: number): number => now - (now % dayMs)

/** When the windows began that a request was taken from. */
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
