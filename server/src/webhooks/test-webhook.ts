import { AppError } from '../contract/app-error.ts'
import type { EventType } from '../contract/events.ts'
import { enforced } from '../events/verification-mode.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { requireCheckLimit } from './check-limit.ts'
import { deliverEvent, deliveryHeaders, payloadFor } from './delivery/deliver-event.ts'
import { reportAttempt } from './delivery/report-attempt.ts'
import { webhookOf } from './find-webhook.ts'
import { buildSample } from './listen/sample-event.ts'

/**
 * Sends a sample event now and tells how the receiver answered. It works for an inactive webhook too, counts in no
 * statistics and leaves nothing behind: its ids belong to this answer alone.
 */
export async function testWebhook(rt: Runtime, accountId: string, id: string, type: EventType) {
  const webhook = await webhookOf(rt, accountId, id)
  requireCheckLimit(rt, accountId)
  if (webhook.verification !== 'verified' && enforced(rt) === 1) {
    throw new AppError(
      'webhook_verification_failed',
      'Nothing is sent to a receiver that has not returned a challenge.',
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
