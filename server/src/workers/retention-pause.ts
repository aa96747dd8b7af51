import { dayMs, minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { noteTime } from '../store/jobs/retention-clock.ts'

/** Jobs that delete by age look at the clock every ten minutes; a machine may have been off for a day. */
const aheadMs = dayMs
/** Nodes differ by less. */
const behindMs = minuteMs
/** As long as somebody needs to see that a clock is wrong. */
export const retentionPauseMs = dayMs

/**
 * Until when nothing may be deleted by its age, or null. A clock that jumped is not believed for a day: what it makes
 * look old would be gone for good.
 */
export async function retentionPausedUntil(rt: Runtime): Promise<number | null> {
  const now = rt.clock.now()
  const unit = new Unit()
  const slot = unit.add(noteTime, { now, ahead_ms: aheadMs, behind_ms: behindMs, pause_ms: retentionPauseMs })
  const until = (await rt.store.write(unit)).first(slot)?.paused_until ?? 0
  rt.metrics.retentionPausedUntil.set({}, until / 1_000)
  if (until <= now) return null
  rt.log.warn({ paused_until: new Date(until).toISOString() }, 'retention.paused_after_clock_jump')
  return until
}
