import { AppError } from '../contract/app-error.ts'
import type { eventTypes } from '../contract/events.ts'
import type { Runtime } from '../runtime.ts'
import type { ClaimedDelivery } from '../store/webhook-claims.ts'
import type { Attempt } from './deliver-event.ts'
import { disableWebhook } from './disable-webhook.ts'
import { webhookOf } from './find-webhook.ts'
import type { Judgement } from './judge-answer.ts'
import { decideResult, type Recorder, type Result } from './record-attempts.ts'

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

type EventLabel = (typeof eventTypes)[number]

/**
 * One wide line for each attempt: what an operator asks first is in it. `stored` is what the delivery is now, null when
 * the attempt came too late to decide that.
 */
function report(rt: Runtime, { delivery, attempt, nextAt }: Result, stored: string | null): void {
  const { judgement, durationMs, startedAt } = attempt
  const event = delivery.type as EventLabel
  rt.metrics.webhookAttempts.inc({ event, outcome: outcomeLabel(judgement) })
  rt.metrics.webhookAttemptDuration.observe({}, durationMs / 1_000)
  if (stored === 'delivered')
    rt.metrics.webhookEndToEnd.observe({}, (startedAt + durationMs - delivery.created_at) / 1_000)
  const ended = stored === null ? undefined : endLabels[stored]
  if (ended) rt.metrics.webhookDeliveries.inc({ event, result: ended })
  rt.log.info(
    {
      account_id: delivery.account_id,
      webhook_id: delivery.webhook_id,
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      event: delivery.type,
      attempt_id: attempt.id,
      attempt: delivery.attempts + 1,
      cause: delivery.cause,
      host: URL.parse(attempt.url)?.host ?? '',
      remote_ip: attempt.remoteIp,
      duration_ms: durationMs,
      waited_ms: Math.max(0, startedAt - delivery.due_at),
      status_code: judgement.statusCode,
      error_code: judgement.errorCode,
      result: stored ?? 'late',
      next_attempt_at: nextAt === null ? null : new Date(nextAt),
      pause_ms: judgement.pauseMs,
    },
    'webhook.attempted',
  )
}

const endLabels: Record<string, 'delivered' | 'exhausted' | 'cancelled'> = {
  delivered: 'delivered',
  failed: 'exhausted',
  cancelled: 'cancelled',
}

type OutcomeLabel = '2xx' | '3xx' | '4xx' | '5xx' | 'timeout' | 'dns' | 'tls' | 'blocked' | 'connection' | 'protocol'
const failureLabels: Record<string, OutcomeLabel> = {
  timeout: 'timeout',
  dns_error: 'dns',
  tls_error: 'tls',
  blocked_address: 'blocked',
  connection_refused: 'connection',
  connection_reset: 'connection',
}
const statusLabels: Record<number, OutcomeLabel> = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' }

/** An answer that is no HTTP, or a status nobody uses, broke the protocol. */
function outcomeLabel({ statusCode, errorCode }: Judgement): OutcomeLabel {
  if (statusCode === null) return failureLabels[errorCode ?? ''] ?? 'protocol'
  return statusLabels[Math.floor(statusCode / 100)] ?? 'protocol'
}
