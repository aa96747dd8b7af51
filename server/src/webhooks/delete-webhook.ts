import { type Author, writeChange } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { CallHandle } from '../store/engine/unit.ts'
import { cancelWaiting } from '../store/webhooks/deliveries.ts'
import { deleteWebhookState, releaseWebhook, deleteWebhook as remove } from '../store/webhooks/webhooks.ts'
import { countCancelled } from './delivery/report-attempt.ts'
import { noSuchWebhook, webhookOf } from './find-webhook.ts'
import { outliveReadings } from './queue/webhook-queue.ts'
import { webhookLine } from './webhook-view.ts'

/** Nothing starts after this; what is under way may finish. The log stays until its retention ends. */
export async function deleteWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
  author: Author | null = null,
): Promise<{ id: string; deleted: true }> {
  const line = webhookLine(author, 'webhook.deleted', await webhookOf(rt, accountId, id))
  let cancelled: CallHandle<(typeof cancelWaiting)['returns']> | undefined
  const result = await writeChange(rt, line, (unit) => {
    unit.add(remove, { id, account_id: accountId })
    unit.add(deleteWebhookState, { webhook_id: id })
    unit.add(releaseWebhook, { account_id: accountId })
    cancelled = unit.add(cancelWaiting, { webhook_id: id })
  }).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  if (cancelled) countCancelled(rt, result.rows(cancelled))
  await outliveReadings()
  return { id, deleted: true }
}
