import { enforced } from '../../events/verification-mode.ts'
import { ownIds } from '../../messages/privacy/own-ids.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { findDelivery, retryDelivery as retry } from '../../store/webhooks/deliveries.ts'
import { receiverOf, requireSendable, webhookOf } from '../find-webhook.ts'
import { resendToListener } from '../listen/resend-to-listener.ts'
import { deliveryView } from './delivery-view.ts'
import { noSuchDelivery } from './get-delivery.ts'

/** Another attempt now, in place of the next automatic one; the event keeps its id. */
export async function retryDelivery(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  id: string,
  { seesPeople }: { seesPeople: boolean } = { seesPeople: true },
) {
  const delivery = await retried(rt, accountId, webhookId, id)
  if (seesPeople) return delivery
  return { ...delivery, message_id: (await ownIds(rt, accountId, [delivery.message_id]))(delivery.message_id) }
}

async function retried(rt: Runtime, accountId: string, webhookId: string, id: string) {
  const { webhook, listener } = await receiverOf(rt, accountId, webhookId)
  if (listener) return resendToListener(rt, listener, id)
  requireSendable(rt, webhook)
  await rt.store
    .write(unitOf(retry, { id, webhook_id: webhookId, now: rt.clock.now(), enforce: enforced(rt) }))
    .catch(async (error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error
      requireSendable(rt, await webhookOf(rt, accountId, webhookId))
      throw noSuchDelivery(id)
    })
  const [row] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!row) throw noSuchDelivery(id)
  return deliveryView(row)
}
