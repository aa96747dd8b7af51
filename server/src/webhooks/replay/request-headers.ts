import type { Runtime } from '../../runtime.ts'
import type { AttemptRow } from '../../store/accounts/attempts.ts'
import { deliveryHeaders } from '../delivery/deliver-event.ts'
import type { Signer } from '../delivery/sign-delivery.ts'
import type { Receiver } from '../find-webhook.ts'
import { listenerSigner } from '../listen/open-listener.ts'

type AttemptSigner = Signer & { changedAt: number; isListener: boolean }
type Sent = { event_id: string; type: string; body: string | null; created_at: number }

/** Who signs for a receiver, and since when. */
export async function signerOf(rt: Runtime, { webhook, listener }: Receiver): Promise<AttemptSigner> {
  if (webhook) return { ...webhook, changedAt: webhook.updated_at, isListener: false }
  const owner = { accountId: listener.account_id, keyId: listener.key_id }
  return { ...(await listenerSigner(rt, owner, listener.id)), changedAt: 0, isListener: true }
}

/**
 * The headers of an attempt, made again from what is stored: keeping them for every attempt would double the log. A
 * signature is given only where it must be the one that was sent.
 */
export function requestHeaders(
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
