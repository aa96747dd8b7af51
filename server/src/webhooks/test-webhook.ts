import { timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import { AppError } from '../contract/app-error.ts'
import type { SignatureToCheck } from '../contract/console/webhooks.ts'
import type { EventType } from '../contract/events.ts'
import { enforced } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireCheckLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { deliverEvent, deliveryHeaders, payloadFor } from './delivery/deliver-event.ts'
import { reportAttempt } from './delivery/report-attempt.ts'
import { signDelivery } from './delivery/sign-delivery.ts'
import { webhookOf } from './find-webhook.ts'
import { buildSample } from './listen/trigger-event.ts'

/**
 * Sends a sample event now and tells how the receiver answered. It works for an inactive webhook too, counts in no
 * statistics and leaves nothing behind: its ids belong to this answer alone.
 */
export async function testWebhook(rt: Runtime, accountId: string, id: string, type: EventType) {
  const webhook = await webhookOf(rt, accountId, id)
  await requireCheckLimit(rt, accountId)
  if (webhook.verification !== 'verified' && enforced(rt) === 1) {
    throw new AppError(
      'webhook_verification_failed',
      'The receiver has not returned the challenge yet, so nothing is sent to it.',
    )
  }
  const { eventId, body } = buildSample(rt, type, webhook)
  const parcel = { eventId, type, body: Buffer.from(payloadFor(webhook, body, null)), attempt: 1 }
  const attempt = await deliverEvent(rt, webhook, parcel)
  const { judgement } = attempt
  const deliveryId = rt.newId('dlv')
  const delivered = judgement.verdict === 'ok'
  reportAttempt(rt, attempt, {
    account_id: accountId,
    webhook_id: id,
    delivery_id: deliveryId,
    event_id: eventId,
    event: type,
    attempt: 1,
    cause: 'test',
    waited_ms: 0,
    result: delivered ? 'delivered' : 'failed',
    next_attempt_at: null,
  })
  return {
    type,
    delivery_id: deliveryId,
    delivered,
    attempt: {
      id: attempt.id,
      number: 1,
      trigger: 'test' as const,
      url: attempt.url,
      started_at: formatInstant(attempt.startedAt),
      duration_ms: attempt.durationMs,
      status_code: judgement.statusCode,
      error_code: judgement.errorCode,
      error_message: judgement.errorMessage,
      remote_ip: attempt.remoteIp,
      request_headers: deliveryHeaders(rt, webhook, parcel, Math.floor(attempt.startedAt / 1_000)),
      response_headers: JSON.parse(attempt.responseHeaders) as Record<string, string>,
      response_body: attempt.responseBody,
      next_attempt_at: null,
      late: false,
    },
  }
}

const toleranceSeconds = 300

/** Whether a signature is one of ours. Only yes or no leaves: the right one would let anybody sign. */
export async function checkSignature(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  given: Static<typeof SignatureToCheck>,
) {
  const webhook = await webhookOf(rt, accountId, webhookId)
  const no = (reason: string) => ({ valid: false, reason })
  if (webhook.secret === null) return no('This webhook has no secret, so its deliveries carry no signature.')
  const timestampSeconds = Number(given.timestamp.trim())
  if (!/^\d{9,11}$/.test(given.timestamp.trim())) return no('webhook-timestamp must be seconds since 1970, all digits.')
  const offered = given.signature
    .trim()
    .split(/\s+/)
    .filter((one) => one.startsWith('v1,'))
  if (offered.length === 0) return no('webhook-signature must contain v1, and base64.')
  const message = { id: given.id.trim(), timestampSeconds, body: Buffer.from(given.body, 'utf8') }
  const right = (signDelivery(rt, webhook, message) ?? '').split(' ')
  if (!offered.some((one) => right.some((own) => equal(one, own)))) {
    return no(
      'The signature does not match. The usual cause is a body that was parsed and serialized again: use the raw bytes.',
    )
  }
  const ageSeconds = Math.abs(Math.floor(rt.clock.now() / 1_000) - timestampSeconds)
  const old = ageSeconds > toleranceSeconds ? ' Your code should reject it now: it is older than 5 minutes.' : ''
  return { valid: true, reason: `The signature matches.${old}` }
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
