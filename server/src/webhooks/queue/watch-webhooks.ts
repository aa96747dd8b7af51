import { dayMs, hourMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { listFailing } from '../../store/webhooks/webhook-states.ts'
import { expireBacklogs } from '../delivery/sweep-deliveries.ts'
import { disableWebhook, warnOfFailing } from '../disable-webhook.ts'
import { removeIdleListeners } from '../listen/remove-listeners.ts'
import { warnOfQuotas } from '../warn-of-quota.ts'

const warnAfterMs = dayMs
const disableAfterMs = 72 * hourMs
/** One delivery that keeps failing says little about a receiver that hardly gets any. */
const failedDeliveriesMin = 10

/**
 * Regular care: who has been failing for too long, whose backlog has grown too large, whose quota is nearly used, where
 * nobody listens any more.
 */
export async function watchWebhooks(rt: Runtime): Promise<'done'> {
  await watchFailing(rt)
  await expireBacklogs(rt)
  await warnOfQuotas(rt)
  await removeIdleListeners(rt)
  return 'done'
}

/**
 * Looks after webhooks without a success for a day or longer. It is a job, because the schedule of a delivery ends after
 * two days: at 72 hours there may be no attempt left that could notice.
 */
export async function watchFailing(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  for (const row of await rt.store.read(listFailing, { before: now - warnAfterMs })) {
    const overdue = now - (row.failing_since ?? now) >= disableAfterMs
    if (overdue && row.failed_deliveries >= failedDeliveriesMin) await disableWebhook(rt, row, 'failing')
    else if (row.warned_at === null) await warnOfFailing(rt, row)
  }
}
