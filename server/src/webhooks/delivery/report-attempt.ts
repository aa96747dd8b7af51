import type { DeliveredType } from '../../contract/connections.ts'
import type { Runtime } from '../../runtime.ts'
import type { Attempt } from './deliver-event.ts'
import type { Judgement } from './judge-answer.ts'

export type AttemptFacts = {
  readonly account_id: string
  readonly webhook_id: string
  readonly delivery_id: string
  readonly event_id: string
  readonly event: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly cause: string
  readonly waited_ms: number
  readonly result: string
  readonly next_attempt_at: Date | null
}

/**
 * One wide line for each attempt: what an operator asks first is in it. A fault of the gateway is told, but measured as
 * nobody's answer.
 */
export function reportAttempt(rt: Pick<Runtime, 'log' | 'metrics'>, attempt: Attempt, facts: AttemptFacts): void {
  const { judgement, durationMs } = attempt
  if (judgement.verdict !== 'ours') {
    rt.metrics.webhookAttempts.inc({ event: facts.event as DeliveredType, outcome: outcomeLabel(judgement) })
    rt.metrics.webhookAttemptDuration.observe({}, durationMs / 1_000)
  }
  rt.log.info(
    {
      ...facts,
      attempt_id: attempt.id,
      host: hostOf(attempt.url),
      remote_ip: attempt.remoteIp,
      duration_ms: durationMs,
      status_code: judgement.statusCode,
      error_code: judgement.errorCode,
      pause_ms: judgement.pauseMs,
    },
    'webhook.attempted',
  )
}

/** Deliveries that ended without an attempt, because there is nobody left to deliver to. */
export function countCancelled(rt: Pick<Runtime, 'metrics'>, ended: readonly { type: string }[]): void {
  for (const [type, rows] of Map.groupBy(ended, ({ type }) => type as DeliveredType)) {
    rt.metrics.webhookDeliveries.inc({ event: type, result: 'cancelled' }, rows.length)
  }
}

/** Addresses of webhooks, each of which is parsed once and not for every attempt. */
const hosts = new Map<string, string>()
const hostsMax = 10_000

function hostOf(url: string): string {
  const known = hosts.get(url)
  if (known !== undefined) return known
  const host = URL.parse(url)?.host ?? ''
  if (hosts.size >= hostsMax) hosts.delete(hosts.keys().next().value ?? '')
  hosts.set(url, host)
  return host
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
