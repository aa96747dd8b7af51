import { leaseMs } from '../access/idempotency.ts'
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { noteTime } from '../store/jobs/jobs.ts'
import { lastNotedTime, pullBackOperations } from '../store/jobs/pull-back.ts'
import { leaseMs as deliveryLeaseMs } from '../webhooks/queue/claim-due.ts'

/** Jobs that delete by age look at the clock every ten minutes; a machine may have been off for a day. */
const aheadMs = dayMs
/** Nodes differ by less. */
const behindMs = minuteMs
/** As long as the operator needs to see that a clock is wrong. */
export const retentionPauseMs = dayMs

/**
 * Until when nothing may be deleted by its age, or null. A clock that jumped is not believed for a day: what it makes
 * look old would be gone for good.
 */
export async function retentionPausedUntil(rt: Runtime): Promise<number | null> {
  const until = await noteClock(rt)
  if (until <= rt.clock.now()) return null
  rt.log.warn({ paused_until: new Date(until).toISOString() }, 'retention.paused_after_clock_jump')
  return until
}

/**
 * Notes the time and gives the end of the pause. Where an earlier note is ahead, the clock was put back: what was dated
 * by the wrong one would wait for as long as that was ahead, and is pulled back in the same unit.
 */
export async function noteClock(rt: Runtime): Promise<number> {
  const [last] = await rt.store.read(lastNotedTime, {})
  const now = rt.clock.now()
  const last_seen_at = last?.seen_at ?? null
  const backMs = (last_seen_at ?? now) - now
  const unit = new Unit()
  if (backMs > behindMs) for (const operation of pullBackOperations) unit.add(operation, horizonOf(rt, now))
  const limits = { ahead_ms: aheadMs, behind_ms: behindMs, pause_ms: retentionPauseMs }
  const call = unit.add(noteTime, { now, last_seen_at, ...limits })
  const noted = (await rt.store.write(unit)).first(call)
  if (!noted) return noteClock(rt)
  rt.metrics.retentionPausedUntil.set({}, noted.paused_until / 1_000)
  if (backMs > behindMs) rt.log.warn({ back_ms: backMs }, 'clock.went_back')
  return noted.paused_until
}

/** 45 messages in a row to one customer, who then gets one every six seconds. */
const pacedMs = 5 * minuteMs

/** No schedule, Retry-After or lease of ours reaches further. */
function horizonOf({ config }: Runtime, now: number) {
  const schedules = [...config.webhookRetryScheduleMs, ...config.webhookVerificationScheduleMs, dayMs]
  const lease = Math.max(leaseMs({ config }), deliveryLeaseMs({ config }))
  return {
    now,
    paced: now + pacedMs,
    soon: now + hourMs,
    latest: now + Math.round(1.1 * Math.max(...schedules)) + hourMs,
    lease_until: now + lease,
  }
}
