import type { Runtime } from '../runtime.ts'
import { moveWaiting } from '../store/deliveries.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { Unit } from '../store/unit.ts'
import { deleteWebhookState, freeWebhookPlace, deleteWebhook as remove } from '../store/webhooks.ts'
import { noSuchWebhook } from './find-webhook.ts'

/** Nothing starts after this; what is under way may finish. The log stays until its retention ends. */
export async function deleteWebhook(
  rt: Runtime,
  accountId: string,
  id: string,
): Promise<{ id: string; deleted: true }> {
  const unit = new Unit()
  unit.add(remove, { id, account_id: accountId })
  unit.add(deleteWebhookState, { webhook_id: id })
  unit.add(freeWebhookPlace, { account_id: accountId })
  unit.add(moveWaiting, { webhook_id: id, status: 'cancelled' })
  await rt.store.write(unit).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  return { id, deleted: true }
}
