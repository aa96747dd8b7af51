import type { Runtime } from '../runtime.ts'
import { expireEvents } from '../store/events.ts'
import { Unit } from '../store/unit.ts'

const dayMs = 86_400_000
const batch = 1_000

/** Events are kept as long as deliveries; they go in small batches, so that no one waits for a large delete. */
export async function expireOldEvents(rt: Runtime): Promise<'done' | { againAt: number }> {
  const before = rt.clock.now() - rt.config.retentionDeliveriesDays * dayMs
  const unit = new Unit()
  const slot = unit.add(expireEvents, { before, count: batch })
  const expired = (await rt.store.write(unit)).rows(slot).length
  return expired < batch ? 'done' : { againAt: rt.clock.now() }
}
