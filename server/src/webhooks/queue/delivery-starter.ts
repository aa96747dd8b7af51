import { enforced } from '../../events/verification-mode.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import { type DeliveryTarget, findTargets } from '../../store/webhooks/webhooks.ts'
import { attemptDelivery } from '../delivery/attempt-delivery.ts'
import type { Attempt } from '../delivery/deliver-event.ts'
import type { LocalFailures } from '../delivery/local-failures.ts'
import type { ClaimedDeliveries } from './claimed-deliveries.ts'
import type { WebhookQueue } from './webhook-queue.ts'
import { isFresh } from './webhook-reading.ts'

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

type Starting = { queue: WebhookQueue; delivery: ClaimedDelivery }

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
    const target = freshTarget(queue)
    if (target && this.#mayStart(queue, delivery, target)) void this.#run(queue, delivery, target)
    else {
      this.#starting.push({ queue, delivery })
      if (!this.#beginning) void this.#beginAll()
    }
  }

  /** What becomes startable while webhooks are being read, or shortly after, shares the next reading. */
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
      queue.reading = target ? { target, atMs } : null
      if (target && this.#mayStart(queue, delivery, target)) void this.#run(queue, delivery, target)
      else {
        refused.push(delivery, ...queue.waiting.splice(0))
        this.#parts.leave(queue, delivery)
      }
    }
    this.#parts.claimed.release(refused)
  }

  /** The database is away. Where it cannot be stored that they go back either, the leases of all of them run out together. */
  #giveBack(batch: readonly Starting[]): void {
    const stopping = new Set(batch.map(({ queue }) => queue))
    const behind = [...stopping].flatMap(({ waiting }) => waiting.splice(0))
    this.#parts.claimed.release([...batch.map(({ delivery }) => delivery), ...behind])
    for (const { queue, delivery } of batch) this.#parts.leave(queue, delivery)
  }

  #mayStart(queue: WebhookQueue, delivery: ClaimedDelivery, target: DeliveryTarget): boolean {
    const now = this.#rt.clock.now()
    const paused = Math.max(queue.pausedUntil, queue.restUntil, target.paused_until) > now
    // A process that stood still may have lost its claim: only with time enough for the whole attempt it is its own.
    const leased = delivery.lease_until - now >= this.#rt.config.webhookTotalTimeoutMs
    const verified = target.verification === 'verified' || enforced(this.#rt) === 0
    return !this.#parts.isStopped() && leased && target.active === 1 && verified && !paused
  }

  /** Never rejects: nobody waits for it. */
  async #run(queue: WebhookQueue, delivery: ClaimedDelivery, target: DeliveryTarget): Promise<void> {
    const { claimed, localFailures, succeeded, leave } = this.#parts
    try {
      const attempt = await attemptDelivery(this.#rt, { claimed, localFailures }, { queue, delivery, target })
      if (attempt?.judgement.verdict === 'ok') succeeded(queue, delivery)
      if (attempt) {
        await (attempt.judgement.pauseMs > 0
          ? this.#settlePause(queue, delivery, attempt)
          : this.#parts.settle(delivery, attempt))
        if (attempt.judgement.gone) queue.reading = null
        claimed.forget(delivery.id)
      }
    } catch (error) {
      // Whatever is not on disk now is found when the lease is over.
      this.#rt.log.error({ err: error, delivery_id: delivery.id, webhook_id: queue.webhookId }, 'webhook.not_settled')
      claimed.forget(delivery.id)
    } finally {
      leave(queue, delivery)
    }
  }

  /** Until the pause is in the database, what stands there says nothing about it. */
  async #settlePause(queue: WebhookQueue, delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    queue.pausesUnsettled++
    try {
      await this.#parts.settle(delivery, attempt)
    } finally {
      queue.pausesUnsettled--
    }
  }
}

/**
 * The webhook as it was read a moment ago. Not if something was claimed since: of two events, one before a change of the
 * webhook and one behind it, the second must not go the way of the first, even while the change is not answered yet.
 */
function freshTarget({ reading, claimedMs }: WebhookQueue): DeliveryTarget | null {
  return reading && reading.atMs > claimedMs && isFresh(reading) ? reading.target : null
}

function waitMs(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve()
}
