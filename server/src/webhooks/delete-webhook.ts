import { type Author, writeChange } from '../accounts/audit.ts'
import type { Runtime } from '../runtime.ts'
import { cancelWaiting } from '../store/deliveries.ts'
import { ConditionFailed } from '../store/store-error.ts'
import type { Slot } from '../store/unit.ts'
import { deleteWebhookState, freeWebhookPlace, deleteWebhook as remove } from '../store/webhooks.ts'
import { countCancelled } from './count-cancelled.ts'
import { noSuchWebhook, webhookOf } from './find-webhook.ts'
import { webhookLine } from './webhook-line.ts'

/** Nothing starts after this; what is under way may finish. The log stays until its retention ends. */
export async function deleteWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
  author: Author | null = null,
): Promise<{ id: string; deleted: true }> {
  const line = webhookLine(author, 'webhook.deleted', await webhookOf(rt, accountId, id))
  let cancelled: Slot<(typeof cancelWaiting)['returns']> | undefined
  const result = await writeChange(rt, line, (unit) => {
    unit.add(remove, { id, account_id: accountId })
    unit.add(deleteWebhookState, { webhook_id: id })
    unit.add(freeWebhookPlace, { account_id: accountId })
    cancelled = unit.add(cancelWaiting, { webhook_id: id })
  }).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  if (cancelled) countCancelled(rt, result.rows(cancelled))
  return { id, deleted: true }
}
