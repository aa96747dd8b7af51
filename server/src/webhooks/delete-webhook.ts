import { type Author, writeChange } from '../accounts/audit.ts'
import type { Runtime } from '../runtime.ts'
import { moveWaiting } from '../store/deliveries.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { deleteWebhookState, freeWebhookPlace, deleteWebhook as remove } from '../store/webhooks.ts'
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
  await writeChange(rt, line, (unit) => {
    unit.add(remove, { id, account_id: accountId })
    unit.add(deleteWebhookState, { webhook_id: id })
    unit.add(freeWebhookPlace, { account_id: accountId })
    unit.add(moveWaiting, { webhook_id: id, status: 'cancelled' })
  }).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  return { id, deleted: true }
}
