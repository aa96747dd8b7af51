import { minuteMs } from '../../lib/durations.ts'
import type { Span } from '../../observe/tracer.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/webhook-claims.ts'
import type { DeliveryTarget } from '../../store/webhooks/webhooks.ts'
import type { Holdings } from '../queue/holdings.ts'
import { type Line, noteExchange } from '../queue/line.ts'
import { type Attempt, deliverEvent } from './deliver-event.ts'
import type { OwnFaults } from './own-faults.ts'

/** Mostly a secret that was sealed with another master key: the operator has to act, and only this webhook waits. */
const unsignablePauseMs = minuteMs
const unreachable = {
  verdict: 'failed',
  errorCode: 'connection_refused',
  errorMessage: 'The receiver could not be reached, while others could.',
} as const

export type Attempting = { line: Line; delivery: ClaimedDelivery; target: DeliveryTarget }

/**
 * Makes one request for a delivery and lets the line learn from it. Null when there is no attempt to tell of: the
 * delivery has been given back then, and nobody is charged.
 */
export async function attemptDelivery(
  rt: Runtime,
  { holdings, ownFaults }: { holdings: Holdings; ownFaults: OwnFaults },
  { line, delivery, target }: Attempting,
): Promise<Attempt | null> {
  if (delivery.body === null) {
    holdings.drop(delivery)
    return null
  }
  const { event_id: eventId, type, attempts } = delivery
  const { revision } = line
  const parcel = { eventId, type, body: Buffer.from(delivery.body), attempt: attempts + 1 }
  const attempt = await traced(rt, delivery, () => deliverEvent(rt, target, parcel)).catch((error: unknown) => {
    rt.log.error({ err: error, webhook_id: line.webhookId }, 'webhook.not_signed')
    line.restUntil = rt.clock.now() + unsignablePauseMs
    holdings.release([delivery])
    return null
  })
  const told = attempt?.judgement.verdict === 'ours' ? restOrCharge(attempt) : attempt
  if (!told) return null
  const { judgement, durationMs } = told
  if (told === attempt) ownFaults.served(line)
  // What came from an address that is no longer the webhook's says nothing about the one that is.
  if (line.revision === revision)
    noteExchange(line, { ...judgement, deliveryId: delivery.id, durationMs }, rt.clock.now())
  return told

  /** A fault of the gateway is no attempt, unless it is reliably the one receiver that brings it about. */
  function restOrCharge(attempt: Attempt): Attempt | null {
    const { judgement } = attempt
    const { charged, restMs, everybody } = ownFaults.note(line, judgement.exhausted, rt.clock.now())
    if (charged) return { ...attempt, judgement: { ...judgement, ...unreachable } }
    if (restMs > 0) {
      const { id, webhook_id } = delivery
      const fields = { delivery_id: id, webhook_id, rest_ms: restMs, everybody, problem: judgement.errorMessage }
      rt.log.error(fields, 'webhook.own_fault')
    }
    holdings.release([{ ...delivery, due_at: Math.max(delivery.due_at, line.restUntil, ownFaults.restUntil()) }])
    return null
  }
}

/** A trace of its own, with a link to what caused the event: that may be days ago. */
function traced(rt: Runtime, delivery: ClaimedDelivery, work: () => Promise<Attempt>): Promise<Attempt> {
  const attributes = {
    'messaging.system': 'gateway',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'webhook_deliveries',
    'messaging.message.id': delivery.event_id,
  }
  const attempting = async (span: Span) => {
    const attempt = await work()
    const { statusCode, errorCode } = attempt.judgement
    if (statusCode !== null) span.set({ 'http.response.status_code': statusCode })
    if (errorCode !== null) span.set({ 'error.type': errorCode })
    return attempt
  }
  return rt.tracer.span('webhook.attempt', attributes, attempting, { kind: 'client', linkTo: delivery.traceparent })
}
