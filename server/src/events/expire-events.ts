import type { Runtime } from '../runtime.ts'
import { expireAttempts } from '../store/accounts/attempts.ts'
import { Unit } from '../store/engine/unit.ts'
import { expireDeliveries } from '../store/webhooks/deliveries.ts'
import { expireEvents } from '../store/webhooks/events.ts'

const dayMs = 86_400_000
const batch = 1_000

/**
 * Events, deliveries and attempts are kept equally long; they go in small batches, so that no one waits for a large
 * delete.
 */
export async function expireOldEvents(rt: Runtime): Promise<'done' | { againAt: number }> {
  const oldest = { before: rt.clock.now() - rt.config.retentionDeliveriesDays * dayMs, count: batch }
  const unit = new Unit()
  const attempts = unit.add(expireAttempts, oldest)
  const deliveries = unit.add(expireDeliveries, oldest)
  const events = unit.add(expireEvents, oldest)
  const result = await rt.store.writeApart(unit)
  const expired = Math.max(
    ...[attempts, deliveries].map((slot) => result.rows(slot).length),
    result.rows(events).length,
  )
  return expired < batch ? 'done' : { againAt: rt.clock.now() }
}
