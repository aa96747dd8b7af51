import { seesPeople } from '../../access/sees-people.ts'
import { AppError } from '../../contract/app-error.ts'
import { privacyOf } from '../../contract/events.ts'
import { maskedEvent } from '../../events/masked-event.ts'
import { ownIds } from '../../messages/privacy/own-ids.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKey } from '../../store/accounts/api-keys.ts'
import { listAttempts } from '../../store/accounts/attempts.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { payloadFor } from '../delivery/deliver-event.ts'
import { type Receiver, receiverOf } from '../find-webhook.ts'
import { attemptView, deliveryView } from './delivery-view.ts'
import { requestHeaders, signerOf } from './request-headers.ts'

/** One delivery with what was sent and everything that was tried; without people for a reader who sees none. */
export async function getDelivery(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  id: string,
  reader: { seesPeople: boolean } = { seesPeople: true },
) {
  const receiver = await receiverOf(rt, accountId, webhookId)
  const [row] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!row) throw noSuchDelivery(id)
  const attempts = await rt.store.read(listAttempts, { delivery_id: id })
  const signer = await signerOf(rt, receiver)
  const ownId = (await ownIds(rt, accountId, [row.message_id]))(row.message_id)
  const masked = await maskedOf(rt, receiver)
  const sent = { ...row, body: row.body && payloadFor({ masked }, row.body, ownId) }
  const delivery = {
    ...deliveryView(row),
    request_body: sent.body,
    attempts: attempts.map((attempt) => ({
      ...attemptView(attempt),
      request_headers: requestHeaders(rt, signer, sent, attempt),
    })),
  }
  if (reader.seesPeople) return delivery
  // A receiver may answer with what it was told.
  const silenced: { response_headers?: Record<string, string>; response_body?: null } =
    privacyOf(row.type) === null ? {} : { response_headers: {}, response_body: null }
  return {
    ...delivery,
    message_id: ownId,
    request_body: row.body && maskedEvent(row.body, { delivered: false, ownId }),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, ...silenced })),
  }
}

async function maskedOf(rt: Runtime, { webhook, listener }: Receiver): Promise<number> {
  if (webhook) return webhook.masked
  const [key] = await rt.store.read(findApiKey, { account_id: listener.account_id, id: listener.key_id })
  return key && !seesPeople({ scopes: JSON.parse(key.scopes) as string[] }) ? 1 : 0
}

export function noSuchDelivery(id: string): AppError {
  return new AppError('delivery_not_found', `This webhook has no delivery ${id.slice(0, 64)}.`)
}
