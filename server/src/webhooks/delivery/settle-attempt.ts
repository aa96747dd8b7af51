import { AppError } from '../../contract/app-error.ts'
import type { EventType } from '../../contract/events.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { disableWebhook } from '../disable-webhook.ts'
import { webhookOf } from '../find-webhook.ts'
import type { Attempt } from './deliver-event.ts'
import { decideResult, type Recorder, type Result } from './record-attempts.ts'
import { reportAttempt } from './report-attempt.ts'

/** Decides what an attempt means, writes it down, tells log and metrics, and switches off a receiver that is gone. */
export async function settleAttempt(
  rt: Runtime,
  recorder: Recorder,
  delivery: ClaimedDelivery,
  attempt: Attempt,
): Promise<void> {
  const result = decideResult(rt, delivery, attempt)
  const stored = await recorder.record(result)
  report(rt, result, stored)
  if (attempt.judgement.gone) await switchOff(rt, delivery, attempt)
}

/**
 * The attempt is recorded whatever comes of this: while the database is away, the next 410 tries again. An address that
 * the webhook has left may be gone; that is why it was left.
 */
async function switchOff(rt: Runtime, { account_id, webhook_id }: ClaimedDelivery, { url }: Attempt): Promise<void> {
  try {
    const webhook = await webhookOf(rt, account_id, webhook_id)
    if (webhook.url === url) await disableWebhook(rt, webhook, 'gone')
  } catch (error) {
    if (!(error instanceof AppError)) rt.log.warn({ err: error, webhook_id }, 'webhook.not_disabled')
  }
}

/** `stored` is what the delivery is now; null when the attempt came too late to decide that. */
function report(rt: Runtime, { delivery, attempt, nextAt }: Result, stored: string | null): void {
  const { startedAt, durationMs } = attempt
  if (stored === 'delivered')
    rt.metrics.webhookEndToEnd.observe({}, (startedAt + durationMs - delivery.created_at) / 1_000)
  const result = endLabels[stored ?? '']
  if (result) rt.metrics.webhookDeliveries.inc({ event: delivery.type as EventType, result })
  reportAttempt(rt, attempt, {
    account_id: delivery.account_id,
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    event_id: delivery.event_id,
    event: delivery.type,
    attempt: delivery.attempts + 1,
    cause: delivery.cause,
    waited_ms: Math.max(0, startedAt - delivery.due_at),
    result: stored ?? 'late',
    next_attempt_at: nextAt === null ? null : new Date(nextAt),
  })
}

const endLabels: Record<string, 'delivered' | 'exhausted' | 'cancelled'> = {
  delivered: 'delivered',
  failed: 'exhausted',
  cancelled: 'cancelled',
}
