import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import { cancelWaiting, moveWaiting } from '../store/webhooks/deliveries.ts'
import { markWarned } from '../store/webhooks/webhook-states.ts'
import { disableWebhook as disable, type WebhookWithState } from '../store/webhooks/webhooks.ts'
import { announceWebhook } from './announce-webhook.ts'
import { countCancelled } from './delivery/report-attempt.ts'

export type DisableReason = 'failing' | 'gone'

/**
 * Switches a webhook off and tells of it, once. A receiver that says it is gone gets nothing more;
 * what a failing one missed is kept for a replay.
 */
export async function disableWebhook(rt: Runtime, row: WebhookWithState, reason: DisableReason): Promise<boolean> {
  const now = rt.clock.now()
  const unit = new Unit()
  unit.add(disable, { id: row.id, url: row.url, reason, now })
  const cancelled = reason === 'gone' ? unit.add(cancelWaiting, { webhook_id: row.id }) : null
  if (!cancelled) unit.add(moveWaiting, { webhook_id: row.id, status: 'skipped' })
  announceWebhook(rt, unit, 'webhook.disabled', { ...row, active: 0, disabled_at: now, disabled_reason: reason })
  const result = await writeOnce(rt, unit)
  if (!result) return false
  if (cancelled) countCancelled(rt, result.rows(cancelled))
  rt.log.warn({ webhook_id: row.id, account_id: row.account_id, reason }, 'webhook.disabled')
  return true
}

/** A day without success: a warning, once, while there is time to fix it. */
export async function warnOfFailing(rt: Runtime, row: WebhookWithState): Promise<boolean> {
  const unit = new Unit()
  unit.add(markWarned, { webhook_id: row.id, now: rt.clock.now() })
  announceWebhook(rt, unit, 'webhook.failing', row)
  if (!(await writeOnce(rt, unit))) return false
  const fields = { webhook_id: row.id, account_id: row.account_id, failing_since: row.failing_since }
  rt.log.warn(fields, 'webhook.failing')
  return true
}

/** Null when another process was first, or a caller has moved the webhook to another address. */
async function writeOnce(rt: Runtime, unit: Unit): Promise<UnitResult | null> {
  try {
    return await rt.store.write(unit)
  } catch (error) {
    if (error instanceof ConditionFailed) return null
    throw error
  }
}
