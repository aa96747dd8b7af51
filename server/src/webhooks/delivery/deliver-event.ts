import { type MaskedFor, maskedEvent } from '../../events/masked-event.ts'
import type { Runtime } from '../../runtime.ts'
import { loopbackAllowed } from '../loopback-allowed.ts'
import { type Judgement, judgeAnswer } from './judge-answer.ts'
import { bodyExcerpt, headerExcerpt, responseBytesKept } from './response-excerpt.ts'
import { type Signer, signDelivery } from './sign-delivery.ts'

export type Parcel = {
  eventId: string
  type: string
  /** Sent as they are. */
  body: Uint8Array
  /** Number of this attempt, from 1. */
  attempt: number
}

export type Target = Signer & { account_id: string; url: string }

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
  const headers = deliveryHeaders(rt, target, parcel, Math.floor(startedAt / 1_000))
  const { webhookHeadersTimeoutMs: headersMs, webhookTotalTimeoutMs: totalMs } = rt.config
  const timeouts = { headersMs, totalMs, bodyMs: Math.min(bodyMsMax, totalMs) }
  const { url } = target
  // Not asked in production, where the answer is known and nobody should wait a turn for it.
  const allowLoopback = rt.config.env !== 'production' && (await loopbackAllowed(rt, target))
  const outcome = await rt.deliver.post({ url, headers, body: parcel.body, timeouts, responseBytesKept, allowLoopback })
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

/** What every request to a receiver carries, challenges included. */
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
