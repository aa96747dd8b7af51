import type { Runtime } from '../runtime.ts'
import { expireIdempotencyKeys } from '../store/idempotency.ts'
import { expireMessages, purgeContent } from '../store/messages.ts'
import { expireSlotKeys } from '../store/pacing.ts'
import { Unit } from '../store/unit.ts'

const dayMs = 86_400_000
const batch = 1_000

/** Content goes after 30 days, records after 400, keys when they have expired; a thousand at a time. */
export async function retainMessages(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const unit = new Unit()
  const slots = [
    unit.add(purgeContent, { before: now - rt.config.retentionContentDays * dayMs, now, count: batch }),
    unit.add(expireMessages, { before: now - rt.config.retentionMetadataDays * dayMs, count: batch }),
  ]
  const keys = unit.add(expireIdempotencyKeys, { before: now, count: batch })
  const paces = unit.add(expireSlotKeys, { before: now - dayMs, count: batch })
  const result = await rt.store.write(unit)
  const full = [...slots.map((slot) => result.rows(slot)), result.rows(keys), result.rows(paces)].some(
    (rows) => rows.length === batch,
  )
  return full ? { againAt: now } : 'done'
}
