import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { listAttempts } from '../../store/accounts/attempts.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { receiverOf } from '../find-webhook.ts'
import { attemptView, deliveryView } from './delivery-view.ts'
import { requestHeaders, signerOf } from './request-headers.ts'

/** One delivery with what was sent and everything that was tried. */
export async function getDelivery(rt: Runtime, accountId: string, webhookId: string, id: string) {
  const receiver = await receiverOf(rt, accountId, webhookId)
  const [row] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!row) throw noSuchDelivery(id)
  const attempts = await rt.store.read(listAttempts, { delivery_id: id })
  const signer = await signerOf(rt, receiver)
  return {
    ...deliveryView(row),
    request_body: row.body,
    attempts: attempts.map((attempt) => ({
      ...attemptView(attempt),
      request_headers: requestHeaders(rt, signer, row, attempt),
    })),
  }
}

export function noSuchDelivery(id: string): AppError {
  return new AppError('delivery_not_found', `This webhook has no delivery ${id.slice(0, 64)}.`)
}
