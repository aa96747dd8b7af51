import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { findAbandonedKeys, settleAbandonedKey } from '../../store/accounts/idempotency.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findUnsettled } from '../../store/messages/messages.ts'
import { toRefusal } from './dispatch-message.ts'
import { recordUnknown } from './record-outcome.ts'

const batch = 200

/**
 * A process died between its two commits. Whether the platform got the message nobody knows, so it is not sent again: it
 * is marked unknown and waits for a status that carries its id. Repeats of the request are told the same.
 */
export async function recoverMessages(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const rows = await rt.store.read(findUnsettled, { now, count: batch })
  for (const row of rows) {
    await recordUnknown(rt, row, () => {})
    rt.log.warn({ message_id: row.id, account_id: row.account_id }, 'message.outcome_unknown_after_crash')
  }
  const keys = await rt.store.read(findAbandonedKeys, { now, count: batch })
  const unit = new Unit()
  for (const { account_id, endpoint, idempotency_key, lease_until, message_id: messageId } of keys) {
    const refusal = new AppError(
      'send_outcome_unknown',
      'The gateway stopped while this request was running.',
      messageId ? { messageId } : {},
    )
    const outcome = JSON.stringify(toRefusal(refusal))
    unit.add(settleAbandonedKey, { account_id, endpoint, idempotency_key, lease_until, outcome })
  }
  if (unit.calls.length > 0) await rt.store.write(unit)
  return rows.length === batch || keys.length === batch ? { againAt: now } : 'done'
}
