import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { listAttempts } from '../../store/accounts/attempts.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { requireLog } from '../find-webhook.ts'
import { attemptView, deliveryView } from './delivery-view.ts'

/** One delivery with what was sent and everything that was tried. */
export async function getDelivery(rt: Runtime, accountId: string, webhookId: string, id: string) {
  await requireLog(rt, accountId, webhookId)
  const [row] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!row) throw noSuchDelivery(id)
  const attempts = await rt.store.read(listAttempts, { delivery_id: id })
  return { ...deliveryView(row), request_body: row.body, attempts: attempts.map(attemptView) }
}

export function noSuchDelivery(id: string): AppError {
  return new AppError('delivery_not_found', `This webhook has no delivery ${id.slice(0, 64)}.`)
}
