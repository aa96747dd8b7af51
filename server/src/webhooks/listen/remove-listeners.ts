import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { removeListeners } from '../../store/webhooks/listeners.ts'

const idleMsMax = dayMs

/** A forwarding webhook goes after a day without a client. Its log stays until retention, its secret can be made again. */
export async function removeIdleListeners(rt: Runtime): Promise<void> {
  const unit = new Unit()
  const removed = unit.add(removeListeners, { before: rt.clock.now() - idleMsMax })
  const count = (await rt.store.write(unit)).rows(removed).length
  if (count > 0) rt.log.info({ count }, 'webhook.listeners_removed')
}
