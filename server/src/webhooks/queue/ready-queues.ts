import type { Clock } from '../../lib/clock.ts'
import type { DeliveryConcurrency } from '../../limits/delivery-limits.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import type { ClaimedDeliveries } from './claim-due.ts'
import type { WebhookQueue } from './webhook-queue.ts'

type Parts = {
  clock: Clock
  queues: ReadonlyMap<string, WebhookQueue>
  concurrency: DeliveryConcurrency
  claimed: ClaimedDeliveries
  isStopped: () => boolean
  /** Counted in the concurrency limit already. */
  start: (queue: WebhookQueue, delivery: ClaimedDelivery) => void
}

/** The queues with something to start, and the order in which they may: in rotation, within the concurrency limit. */
export class ReadyQueues {
  readonly #parts: Parts
  readonly #ready = new Set<WebhookQueue>()
  /** Ready, but their account has reached its share. */
  readonly #overShare = new Map<WebhookQueue, string>()
  /** At their `max_per_second`, with a timer for the next start. */
  readonly #overRate = new Set<WebhookQueue>()
  #hangTimer: NodeJS.Timeout | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  add(queue: WebhookQueue): void {
    this.#ready.add(queue)
  }

  /** Starts one delivery of each ready queue in rotation, until the limit is reached or no queue is ready. */
  pump(): void {
    const { clock, concurrency, isStopped, start } = this.#parts
    const now = clock.now()
    while (!isStopped()) {
      const [queue] = this.#ready
      if (!queue) return
      if (!concurrency.isFree()) {
        this.#lookAgainWhenOneHangs()
        return
      }
      this.#ready.delete(queue)
      const delivery = this.#nextOf(queue, now)
      if (!delivery) continue
      concurrency.take(delivery.id, delivery.account_id, queue.isSlow())
      start(queue, delivery)
      this.#ready.add(queue)
    }
  }

  /** A delivery is over: there is room for the next of its queue, and for slow webhooks that waited. */
  leave(queue: WebhookQueue, delivery: ClaimedDelivery): void {
    if (this.#parts.concurrency.give(delivery.id) === 'slow') this.#makeAllReady()
    else this.#admit(delivery.account_id)
    this.retry(queue)
  }

  /** Something that kept the queue from starting its next may be over. */
  retry(queue: WebhookQueue): void {
    if (queue.waiting.length > 0) this.#ready.add(queue)
    this.pump()
  }

  #nextOf(queue: WebhookQueue, now: number): ClaimedDelivery | null {
    const { concurrency, claimed } = this.#parts
    const [first] = queue.waiting
    if (!first) return null
    if (queue.cap(now) === 0) {
      claimed.release(queue.takeWaiting())
      return null
    }
    if (concurrency.slowIsFull() && queue.isSlow()) return null
    if (concurrency.isShareTaken(first.account_id)) {
      this.#overShare.set(queue, first.account_id)
      this.#lookAgainWhenOneHangs()
      return null
    }
    const delivery = queue.takeNext(now)
    if (!delivery) this.#lookAgainIn(queue, queue.nextStartInMs(now))
    return delivery
  }

  /** The account is below its share again. */
  #admit(account: string): void {
    for (const [queue, owner] of this.#overShare) {
      if (owner !== account) continue
      this.#overShare.delete(queue)
      this.#ready.add(queue)
    }
  }

  #makeAllReady(): void {
    this.#overShare.clear()
    for (const queue of this.#parts.queues.values()) if (queue.waiting.length > 0) this.#ready.add(queue)
    this.pump()
  }

  /** The end of a request starts the next delivery; a request that hangs makes room without an event, so a timer looks. */
  #lookAgainWhenOneHangs(): void {
    const waitMs = this.#parts.concurrency.nextInMs()
    if (this.#hangTimer !== null || waitMs === null) return
    this.#hangTimer = setTimeout(() => {
      this.#hangTimer = null
      this.#makeAllReady()
    }, Math.ceil(waitMs))
    this.#hangTimer.unref()
  }

  /** With a start left the queue is at its concurrency limit: the end of a request looks again then. */
  #lookAgainIn(queue: WebhookQueue, waitMs: number): void {
    if (waitMs === 0 || this.#overRate.has(queue)) return
    this.#overRate.add(queue)
    const look = () => {
      this.#overRate.delete(queue)
      this.retry(queue)
    }
    setTimeout(look, waitMs).unref()
  }
}
