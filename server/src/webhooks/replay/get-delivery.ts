import { seesPeople } from '../../access/caller.ts'
import { AppError } from '../../contract/app-error.ts'
import { privacyOf } from '../../contract/events.ts'
import { maskedEvent } from '../../events/masked-event.ts'
import { bodyOfDelivery } from '../../events/publish-event.ts'
import { ownIds } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKey } from '../../store/accounts/api-keys.ts'
import { type AttemptRow, listAttempts } from '../../store/accounts/guesses.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { type DeliveryTarget, findTargets } from '../../store/webhooks/webhooks.ts'
import { deliveryHeaders, payloadFor } from '../delivery/deliver-event.ts'
import { relayBody } from '../delivery/deliver-relay.ts'
import { attemptView, deliveryView } from '../delivery/delivery-view.ts'
import type { Signer } from '../delivery/sign-delivery.ts'
import { noSuchWebhook, type Receiver, receiverOf } from '../find-webhook.ts'
import { listenerSigner } from '../listen/open-listener.ts'

/** One delivery with what was sent and everything that was tried; without people for a reader who sees none. */
export async function getDelivery(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  id: string,
  reader: { seesPeople: boolean } = { seesPeople: true },
) {
  const receiver = await receiverOf(rt, accountId, webhookId)
  const [found] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!found) throw noSuchDelivery(id)
  const row = { ...found, body: bodyOfDelivery(found) }
  const attempts = await rt.store.read(listAttempts, { webhook_id: webhookId, delivery_id: id })
  const signer = await signerOf(rt, receiver)
  const ownId = (await ownIds(rt, accountId, [row.message_id]))(row.message_id)
  const masked = await maskedOf(rt, receiver)
  const relay = receiver.webhook?.kind === 'relay' ? await relayOf(rt, receiver.webhook.id) : null
  const body =
    row.body &&
    (relay
      ? relay.key_id && relayBody(rt, relay, row.body, row.facts ?? '[]')
      : payloadFor({ masked }, row.body, ownId))
  const sent = { ...row, body }
  const delivery = {
    ...deliveryView(row),
    request_body: sent.body,
    attempts: attempts.map((attempt) => ({
      ...attemptView(attempt),
      request_headers: relay ? {} : requestHeaders(rt, signer, sent, attempt),
    })),
  }
  if (reader.seesPeople) return delivery
  // A receiver may answer with what it was told.
  const silenced: { response_headers?: Record<string, string>; response_body?: null } =
    privacyOf(row.type) === null && !relay ? {} : { response_headers: {}, response_body: null }
  return {
    ...delivery,
    message_id: ownId,
    request_body: relay ? null : row.body && maskedEvent(row.body, { delivered: false, ownId }),
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, ...silenced })),
  }
}

async function relayOf(rt: Runtime, id: string): Promise<DeliveryTarget> {
  const [target] = await rt.store.read(findTargets, { ids: [id] })
  if (!target) throw noSuchWebhook(id)
  return target
}

async function maskedOf(rt: Runtime, { webhook, listener }: Receiver): Promise<number> {
  if (webhook) return webhook.masked
  const [key] = await rt.store.read(findApiKey, { account_id: listener.account_id, id: listener.key_id })
  return key && !seesPeople({ scopes: JSON.parse(key.scopes) as string[] }) ? 1 : 0
}

export function noSuchDelivery(id: string): AppError {
  return new AppError('delivery_not_found', `This webhook has no delivery ${id.slice(0, 64)}.`)
}

type AttemptSigner = Signer & { changedAt: number; isListener: boolean }
type Sent = { event_id: string; type: string; body: string | null; created_at: number }

/** The signing secret of a receiver, and since when it applies. */
async function signerOf(rt: Runtime, { webhook, listener }: Receiver): Promise<AttemptSigner> {
  if (webhook) return { ...webhook, changedAt: webhook.updated_at, isListener: false }
  const owner = { accountId: listener.account_id, keyId: listener.key_id }
  return { ...(await listenerSigner(rt, owner, listener.id)), changedAt: 0, isListener: true }
}

/**
 * The headers of an attempt, made again from what is stored: keeping them for every attempt would double the log. A
 * signature is given only where it must be the one that was sent.
 */
function requestHeaders(
  rt: Runtime,
  signer: AttemptSigner,
  { event_id: eventId, type, body, created_at: handedOutAt }: Sent,
  { number: attempt, started_at: startedAt }: AttemptRow,
): Record<string, string> {
  // A listener is handed what was signed then; a webhook's is signed as the attempt starts.
  const sentAt = signer.isListener ? handedOutAt : startedAt
  const clock = { ...rt.clock, now: () => sentAt }
  const parcel = { eventId, type, body: Buffer.from(body ?? ''), attempt }
  const headersBy = (one: Signer) =>
    deliveryHeaders({ secrets: rt.secrets, clock }, one, parcel, Math.floor(sentAt / 1_000))
  const unsigned = { id: signer.id, secret: null, previous_secret: null, previous_secret_until: null }
  if (body === null || signer.changedAt > sentAt) return headersBy(unsigned)
  try {
    return headersBy(signer)
  } catch (error) {
    // Sealed with a master key that is gone: the log must still open.
    rt.log.warn({ err: error, webhook_id: signer.id }, 'webhook.not_signed')
    return headersBy(unsigned)
  }
}
