import { enforced } from '../../events/publish-event.ts'
import { minuteMs } from '../../lib/durations.ts'
import type { Span } from '../../observe/tracer.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { type DeliveryTarget, findTargets } from '../../store/webhooks/webhooks.ts'
import { type Attempt, deliverEvent, parcelFor } from '../delivery/deliver-event.ts'
import type { LocalFailures } from '../delivery/retry.ts'
import type { ClaimedDeliveries } from './claim-due.ts'
import type { WebhookQueue } from './webhook-queue.ts'

type Parts = {
  claimed: ClaimedDeliveries
  localFailures: LocalFailures
  isStopped: () => boolean
  settle: (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>
  /** It succeeded, and is not on disk yet. */
  succeeded: (queue: WebhookQueue, delivery: ClaimedDelivery) => void
  /** The delivery no longer counts against any limit. */
  leave: (queue: WebhookQueue, delivery: ClaimedDelivery) => void
}

/**
 * The least time between two readings of webhooks. Responses of a busy process come one by one; without it nearly every
 * delivery would have a query of its own.
 */
const readGapMs = 2
/** Usually the secret was sealed with another master key: the operator has to act, and only this webhook waits. */
const unsignablePauseMs = minuteMs
/** Nothing is wrong with the webhook then. */
const databaseAwayPauseMs = 1_000
const unreachable = {
  verdict: 'failed',
  errorCode: 'connection_refused',
  errorMessage: 'The receiver could not be reached, while others could.',
} as const

type Starting = { queue: WebhookQueue; delivery: ClaimedDelivery }
type Attempting = Starting & { target: DeliveryTarget }

/** Makes the attempts: reads the webhooks of what starts together once, and settles what comes of each attempt. */
export class DeliveryStarter {
  readonly #rt: Runtime
  readonly #parts: Parts
  #starting: Starting[] = []
  #beginning = false
  #readAt = Number.NEGATIVE_INFINITY

  constructor(rt: Runtime, parts: Parts) {
    this.#rt = rt
    this.#parts = parts
  }

  start(queue: WebhookQueue, delivery: ClaimedDelivery): void {
    const target = queue.freshTarget()
    if (target && this.#mayStart(queue, delivery, target)) void this.#run({ queue, delivery, target })
    else {
      this.#starting.push({ queue, delivery })
      if (!this.#beginning) void this.#beginAll()
    }
  }

  /** Deliveries that become startable during or shortly after a read of webhooks share the next read. */
  async #beginAll(): Promise<void> {
    this.#beginning = true
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#starting.length > 0) {
      await waitMs(this.#readAt + readGapMs - performance.now())
      this.#readAt = performance.now()
      const batch = this.#starting
      this.#starting = []
      await this.#begin(batch)
    }
    this.#beginning = false
  }

  /**
   * Webhooks are read at this moment, once for all: a change that was answered before holds for what starts now. What waits
   * behind a delivery that may not start goes back with it: the next event of its message must not overtake it.
   */
  async #begin(batch: readonly Starting[]): Promise<void> {
    const atMs = performance.now()
    const ids = [...new Set(batch.map(({ queue }) => queue.webhookId))]
    const targets = await this.#rt.store.read(findTargets, { ids }).catch((error: unknown) => {
      this.#rt.log.warn({ err: error, count: batch.length }, 'webhook.not_started')
      return null
    })
    if (!targets) return this.#giveBack(batch)
    const byId = new Map(targets.map((target) => [target.id, target]))
    const refused: ClaimedDelivery[] = []
    for (const { queue, delivery } of batch) {
      const target = byId.get(queue.webhookId)
      queue.keepTarget(target ?? null, atMs)
      if (target && this.#mayStart(queue, delivery, target)) void this.#run({ queue, delivery, target })
      else {
        refused.push(delivery, ...queue.takeWaiting())
        this.#parts.leave(queue, delivery)
      }
    }
    this.#parts.claimed.release(refused)
  }

  /**
   * The database is away. Where it cannot be stored that they go back either, the leases of all of them run out together.
   */
  #giveBack(batch: readonly Starting[]): void {
    const stopping = new Set(batch.map(({ queue }) => queue))
    const behind = [...stopping].flatMap((queue) => queue.takeWaiting())
    this.#parts.claimed.release([...batch.map(({ delivery }) => delivery), ...behind])
    for (const { queue, delivery } of batch) this.#parts.leave(queue, delivery)
  }

  #mayStart(queue: WebhookQueue, delivery: ClaimedDelivery, target: DeliveryTarget): boolean {
    const now = this.#rt.clock.now()
    const paused = Math.max(queue.stopsUntil(), target.paused_until) > now
    // A process that stood still may have lost its claim: only with time enough for the whole attempt it is its own.
    const leased = delivery.lease_until - now >= this.#rt.config.webhookTotalTimeoutMs
    const verified = target.verification === 'verified' || enforced(this.#rt) === 0
    return !this.#parts.isStopped() && leased && target.active === 1 && verified && !paused
  }

  /** Never rejects: nobody waits for it. */
  async #run({ queue, delivery, target }: Attempting): Promise<void> {
    const { claimed, settle, succeeded, leave } = this.#parts
    try {
      const attempt = await this.#attempt({ queue, delivery, target })
      if (attempt?.judgement.verdict === 'ok') succeeded(queue, delivery)
      if (attempt) {
        const settling = () => settle(delivery, attempt)
        await (attempt.judgement.pauseMs > 0 ? queue.settlePause(settling) : settling())
        if (attempt.judgement.gone) queue.keepTarget(null, 0)
        claimed.forget(delivery)
      }
    } catch (error) {
      // Whatever is not on disk now is found when the lease is over.
      this.#rt.log.error({ err: error, delivery_id: delivery.id, webhook_id: queue.webhookId }, 'webhook.not_settled')
      claimed.forget(delivery)
    } finally {
      leave(queue, delivery)
    }
  }

  /**
   * Makes one request for a delivery and updates its queue. Null when nothing was attempted: the delivery has been given
   * back then, and counts for nobody.
   */
  async #attempt({ queue, delivery, target }: Attempting): Promise<Attempt | null> {
    const { claimed, localFailures } = this.#parts
    const { clock } = this.#rt
    if (delivery.body === null) {
      claimed.drop(delivery)
      return null
    }
    const { receiver } = queue
    const sent = await this.#send(delivery, target).catch((error) => {
      this.#rt.log.error({ err: error, webhook_id: queue.webhookId }, 'webhook.not_signed')
      queue.receiver.rest(clock.now() + (error instanceof StoreUnavailable ? databaseAwayPauseMs : unsignablePauseMs))
      claimed.release([delivery])
      return null
    })
    const attempt = sent?.judgement.verdict === 'ours' ? this.#restOrCharge(queue, delivery, sent) : sent
    if (!attempt) return null
    if (attempt === sent) localFailures.served(queue.receiver)
    // A response of the webhook's former address says nothing about the current one.
    if (queue.receiver === receiver) {
      const { judgement, durationMs } = attempt
      const { answered, pauseMs } = judgement
      queue.noteExchange({ deliveryId: delivery.id, answered, durationMs, pauseMs }, clock.now())
    }
    return attempt
  }

  /** A local failure is no attempt, unless one receiver alone causes it again and again. */
  #restOrCharge(queue: WebhookQueue, delivery: ClaimedDelivery, attempt: Attempt): Attempt | null {
    const { claimed, localFailures } = this.#parts
    const { judgement } = attempt
    const { charged, restMs, everybody } = localFailures.note(queue.receiver, judgement.exhausted, this.#rt.clock.now())
    if (charged) return { ...attempt, judgement: { ...judgement, ...unreachable } }
    if (restMs > 0) {
      const { id, webhook_id } = delivery
      const fields = { delivery_id: id, webhook_id, rest_ms: restMs, everybody, problem: judgement.errorMessage }
      this.#rt.log.error(fields, 'webhook.own_fault')
    }
    // As due as before: later than the next event of its message, it would be overtaken by it after the rest.
    claimed.release([delivery])
    return null
  }

  /** With tracing, a separate trace, linked to the cause of the event, which may be days ago. */
  async #send(delivery: ClaimedDelivery, endpoint: DeliveryTarget): Promise<Attempt> {
    const { tracer } = this.#rt
    const parcel = parcelFor(this.#rt, endpoint, delivery)
    const target = { ...endpoint, relay: endpoint.kind === 'relay' ? endpoint : null }
    if (!tracer.isOn) return deliverEvent(this.#rt, target, parcel)
    const attributes = {
      'messaging.system': 'gateway',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'webhook_deliveries',
      'messaging.message.id': delivery.event_id,
    }
    const attempting = async (span: Span) => {
      const attempt = await deliverEvent(this.#rt, target, parcel)
      const { statusCode, errorCode } = attempt.judgement
      if (statusCode !== null) span.set({ 'http.response.status_code': statusCode })
      if (errorCode !== null) span.set({ 'error.type': errorCode })
      return attempt
    }
    return tracer.span('webhook.attempt', attributes, attempting, { kind: 'client', linkTo: delivery.traceparent })
  }
}

function waitMs(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}
