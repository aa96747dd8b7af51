import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { expireCallbackItems } from '../../store/channels/callback-items.ts'
import { expireCallbacks } from '../../store/channels/callbacks.ts'
import { Unit } from '../../store/engine/unit.ts'

/** As long as the platform itself repeats: within it a repeat is still recognised. */
const keptMs = 7 * dayMs
const batchMax = 1_000

/** Deletes applied callbacks and settled items beyond their time, a thousand at a time; what waits is never touched. */
export async function expireOldCallbacks(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - keptMs
  for (let deleted = batchMax; deleted >= batchMax; ) {
    const unit = new Unit()
    const callbacks = unit.add(expireCallbacks, { before, count: batchMax })
    const items = unit.add(expireCallbackItems, { before, count: batchMax })
    const result = await rt.store.writeApart(unit)
    deleted = Math.max(result.rows(callbacks).length, result.rows(items).length)
  }
  return 'done'
}
