import { minuteMs } from '../../lib/durations.ts'
import type { Span } from '../../observe/tracer.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import type { DeliveryTarget } from '../../store/webhooks/webhooks.ts'
import type { ClaimedDeliveries } from '../queue/claimed-deliveries.ts'
import { noteExchange, type WebhookQueue } from '../queue/webhook-queue.ts'
import { type Attempt, deliverEvent, type Parcel, payloadFor } from './deliver-event.ts'
import type { LocalFailures } from './local-failures.ts'

/** Usually the secret was sealed with another master key: the operator has to act, and only this webhook waits. */
const unsignablePauseMs = minuteMs
/** Nothing is wrong with the webhook then. */
const databaseAwayPauseMs = 1_000
const unreachable = {
  verdict: 'failed',
  errorCode: 'connection_refused',
  errorMessage: 'The receiver could not be reached, while others could.',
} as const

export type Attempting = { queue: WebhookQueue; delivery: ClaimedDelivery; target: DeliveryTarget }

/**
 * Makes one request for a delivery and updates its queue. Null when nothing was attempted: the delivery has been given
 * back then, and counts for nobody.
 */
export async function attemptDelivery(
  rt: Runtime,
  { claimed, localFailures }: { claimed: ClaimedDeliveries; localFailures: LocalFailures },
  { queue, delivery, target }: Attempting,
): Promise<Attempt | null> {
  if (delivery.body === null) {
    claimed.drop(delivery)
    return null
  }
  const { event_id: eventId, type, attempts, subject } = delivery
  const { revision } = queue
  const body = Buffer.from(payloadFor(target, delivery.body, subject))
  const parcel = { eventId, type, body, attempt: attempts + 1 }
  let attempt: Attempt
  try {
    attempt = await (rt.tracer.isOn ? deliverTraced(rt, delivery, target, parcel) : deliverEvent(rt, target, parcel))
  } catch (error) {
    rt.log.error({ err: error, webhook_id: queue.webhookId }, 'webhook.not_signed')
    queue.restUntil = rt.clock.now() + (error instanceof StoreUnavailable ? databaseAwayPauseMs : unsignablePauseMs)
    claimed.release([delivery])
    return null
  }
  const told = attempt.judgement.verdict === 'ours' ? restOrCharge(attempt) : attempt
  if (!told) return null
  const { judgement, durationMs } = told
  if (told === attempt) localFailures.served(queue)
  // A response of the webhook's former address says nothing about the current one.
  if (queue.revision === revision) {
    const { answered, pauseMs } = judgement
    noteExchange(queue, { deliveryId: delivery.id, answered, durationMs, pauseMs }, rt.clock.now())
  }
  return told

  /** A local failure is no attempt, unless one receiver alone causes it again and again. */
  function restOrCharge(attempt: Attempt): Attempt | null {
    const { judgement } = attempt
    const { charged, restMs, everybody } = localFailures.note(queue, judgement.exhausted, rt.clock.now())
    if (charged) return { ...attempt, judgement: { ...judgement, ...unreachable } }
    if (restMs > 0) {
      const { id, webhook_id } = delivery
      const fields = { delivery_id: id, webhook_id, rest_ms: restMs, everybody, problem: judgement.errorMessage }
      rt.log.error(fields, 'webhook.own_fault')
    }
    // As due as before: later than the next event of its message, it would be overtaken by it after the rest.
    claimed.release([delivery])
    return null
  }
}

/** A trace of its own, with a link to what caused the event: that may be days ago. */
function deliverTraced(
  rt: Runtime,
  delivery: ClaimedDelivery,
  target: DeliveryTarget,
  parcel: Parcel,
): Promise<Attempt> {
  const attributes = {
    'messaging.system': 'gateway',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'webhook_deliveries',
    'messaging.message.id': delivery.event_id,
  }
  const attempting = async (span: Span) => {
    const attempt = await deliverEvent(rt, target, parcel)
    const { statusCode, errorCode } = attempt.judgement
    if (statusCode !== null) span.set({ 'http.response.status_code': statusCode })
    if (errorCode !== null) span.set({ 'error.type': errorCode })
    return attempt
  }
  return rt.tracer.span('webhook.attempt', attributes, attempting, { kind: 'client', linkTo: delivery.traceparent })
}
