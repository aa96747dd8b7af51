import { type MaskedFor, maskedEvent } from '../../events/masked-event.ts'
import { bodyOfDelivery } from '../../events/publish-event.ts'
import { isThisMachine } from '../../lib/guarded-http/address-guard.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { type DeliveryTarget, hasSandboxChannel } from '../../store/webhooks/webhooks.ts'
import { relayBody, relayHeaders } from './deliver-relay.ts'
import { bodyExcerpt, headerExcerpt, type Judgement, judgeAnswer, responseBytesKept } from './judge-answer.ts'
import { type Signer, signDelivery } from './sign-delivery.ts'

type Parcel = {
  eventId: string
  type: string
  /** Sent as they are. */
  body: Uint8Array
  /** Number of this attempt, from 1. */
  attempt: number
}

/** With what is known of its connection where it is a relay. */
type Target = Signer & { account_id: string; url: string; relay?: DeliveryTarget | null }

export type Attempt = {
  readonly id: string
  readonly url: string
  readonly startedAt: number
  readonly durationMs: number
  readonly judgement: Judgement
  readonly remoteIp: string | null
  readonly responseHeaders: string
  readonly responseBody: string | null
}

/**
 * One attempt: sign, send, judge. Whatever the receiver does, it ends within the deadlines and with a value. Throws only
 * when the secret cannot be opened, or the account not be looked up.
 */
export async function deliverEvent(rt: Runtime, target: Target, parcel: Parcel): Promise<Attempt> {
  const startedAt = rt.clock.now()
  const { url, relay } = target
  const headers = relay
    ? relayHeaders(rt, relay, parcel)
    : deliveryHeaders(rt, target, parcel, Math.floor(startedAt / 1_000))
  const { webhookHeadersTimeoutMs: headersMs, webhookTotalTimeoutMs: totalMs } = rt.config
  const timeouts = { headersMs, totalMs, bodyMs: Math.min(bodyMsMax, totalMs) }
  // Not asked in production, where the answer is known and nobody should wait a turn for it.
  const allowLoopback = rt.config.env !== 'production' && (await loopbackAllowed(rt, target))
  const http = relay ? rt.deliverRelay : rt.deliver
  const outcome = await http.post({ url, headers, body: parcel.body, timeouts, responseBytesKept, allowLoopback })
  const answer = outcome.kind === 'response' ? outcome : null
  if (answer) rt.metrics.webhookConnections.inc({ connection: answer.reused ? 'kept' : 'new' })
  return {
    id: rt.newId('att'),
    url,
    startedAt,
    durationMs: outcome.durationMs,
    judgement: judgeAnswer(outcome, rt.clock.now()),
    remoteIp: answer?.remoteIp || null,
    responseHeaders: answer ? headerExcerpt(answer.headers) : '{}',
    responseBody: answer && bodyExcerpt(answer.bodyExcerpt),
  }
}

/** The request of an attempt. */
export function parcelFor(rt: Runtime, target: DeliveryTarget, delivery: ClaimedDelivery): Parcel {
  const { event_id: eventId, type, attempts, subject, facts } = delivery
  const body = bodyOfDelivery(delivery)
  if (body === null) throw new Error('A delivery without a body.')
  const text = target.kind === 'relay' ? relayBody(rt, target, body, facts ?? '[]') : payloadFor(target, body, subject)
  return { eventId, type, body: Buffer.from(text), attempt: attempts + 1 }
}

/** The text that goes to a receiver: the stored one, or without people where the receiver is masked. */
export function payloadFor({ masked }: { masked: number }, body: string, ownId: MaskedFor['ownId']): string {
  return masked === 1 ? maskedEvent(body, { delivered: true, ownId }) : body
}

/** The status decides; this long we listen to the rest of the answer for the log. */
const bodyMsMax = 2_000

/** The headers of an event on its way to a webhook, signed for this moment. */
export function deliveryHeaders(
  rt: Pick<Runtime, 'secrets' | 'clock'>,
  signer: Signer,
  parcel: Parcel,
  timestampSeconds: number,
) {
  const { eventId: id, type, body, attempt } = parcel
  const signature = signDelivery(rt, signer, { id, timestampSeconds, body })
  const headers = standardHeaders(id, timestampSeconds, signature)
  headers['x-postern-event'] = type
  headers['x-postern-webhook'] = signer.id
  headers['x-postern-attempt'] = String(attempt)
  return headers
}

/** Headers of every request to a receiver, including challenges. */
export function standardHeaders(id: string, timestampSeconds: number, signature: string | null) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Postern-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
  }
  if (signature !== null) headers['webhook-signature'] = signature
  return headers
}

/**
 * May this webhook live on this machine, by https? Outside production, and of an account on a sandbox channel: others
 * have no reason to, and could use it to find out what else listens here.
 */
export async function loopbackAllowed(
  rt: Pick<Runtime, 'config' | 'store'>,
  { account_id, url }: { account_id: string; url: string },
): Promise<boolean> {
  if (rt.config.env === 'production' || !isThisMachine(URL.parse(url)?.hostname ?? '')) return false
  const [row] = await rt.store.read(hasSandboxChannel, { account_id })
  return (row?.found ?? 0) > 0
}
