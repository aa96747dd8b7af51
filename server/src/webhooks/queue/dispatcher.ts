import { randomUUID } from 'node:crypto'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { createDeliveryConcurrency } from '../../limits/delivery-limits.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/delivery-claims.ts'
import type { Attempt } from '../delivery/deliver-event.ts'
import { createLocalFailures } from '../delivery/retry.ts'
import { type Claimer, createClaimedDeliveries } from './claim-due.ts'
import { DeliveryStarter } from './delivery-starter.ts'
import { ReadyQueues } from './ready-queues.ts'
import { WebhookQueue } from './webhook-queue.ts'

export type Dispatcher = Claimer & {
  /** Adds claimed deliveries; they start as the concurrency limit allows. */
  offer(deliveries: ClaimedDelivery[]): void
  /** Gives back what was claimed ahead of receivers that have become slow: it would take the room of others. */
  giveBackFromSlow(): void
  /** Claimed here and not yet recorded. */
  holds(deliveryId: string): boolean
  /** Starts nothing more, gives back what has not started, and waits for the rest. */
  drain(timeoutMs: number): Promise<void>
  forgetIdle(): void
}

type Options = {
  /**
   * Stores and reports an attempt. A failure counts against the webhook's limit until then; a success does not where the
   * limit is 16 or more. So a crash repeats at most as many deliveries as that limit, or twice as many.
   */
  settle: (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>
  /** A queue has room again. */
  onRoom: () => void
  /** Its outcome is being written, or has been. */
  isRecording?: (delivery: ClaimedDelivery) => boolean
}

const idleMsMax = 600_000

/**
 * Starts deliveries: one of each webhook in rotation, never more than its cap, the events of one message in order. Slow
 * webhooks may use a part of the limit, and so may each account. Deliveries of a paused webhook are given back.
 */
export function createDispatcher(rt: Runtime, { settle, onRoom, isRecording = () => false }: Options): Dispatcher {
  // 2 s of the 15 s that an attempt may take.
  const slowMs = (rt.config.webhookTotalTimeoutMs * 2) / 15
  const concurrency = createDeliveryConcurrency(rt.config.webhookConcurrencyMax, slowMs)
  const queues = new Map<string, WebhookQueue>()
  const localFailures = createLocalFailures()
  // Enough that no request waits for the database.
  const claimedMax = rt.config.webhookConcurrencyMax * 4
  const claimed = createClaimedDeliveries(rt, { max: claimedMax, onRoom, isRecording })
  let stopped = false
  const isStopped = () => stopped
  const starter = new DeliveryStarter(rt, { claimed, localFailures, isStopped, settle, succeeded, leave })
  const start = (queue: WebhookQueue, delivery: ClaimedDelivery) => starter.start(queue, delivery)
  const ready = new ReadyQueues({ clock: rt.clock, queues, concurrency, claimed, isStopped, start })

  return {
    worker: randomUUID(),
    room: () => (stopped || rt.clock.now() < localFailures.restUntil() ? 0 : claimed.room()),
    roomFor(waiting) {
      const now = rt.clock.now()
      const queue = queueOf(waiting.webhook_id, now)
      queue.follow(waiting)
      return concurrency.slowIsFull() && queue.isSlow() ? 0 : queue.room(now)
    },
    roomOfAccount: claimed.roomOfAccount,
    offer(deliveries) {
      for (const delivery of deliveries) {
        const queue = queueOf(delivery.webhook_id, rt.clock.now())
        if (claimed.take(delivery)) queue.add(delivery)
        ready.add(queue)
      }
      ready.pump()
    },
    giveBackFromSlow() {
      for (const queue of queues.values()) claimed.release(queue.takeSurplus())
    },
    holds: claimed.has,
    async drain(timeoutMs) {
      stopped = true
      for (const queue of queues.values()) claimed.release(queue.takeWaiting())
      await withTimeout(claimed.emptied(), timeoutMs)
    },
    forgetIdle() {
      const before = rt.clock.now() - idleMsMax
      for (const [id, queue] of queues) if (queue.isUnusedSince(before)) queues.delete(id)
    },
  }

  function queueOf(webhookId: string, now: number): WebhookQueue {
    const queue = queues.get(webhookId) ?? new WebhookQueue(webhookId, { now, slowMs })
    queues.set(webhookId, queue)
    return queue
  }

  function succeeded(queue: WebhookQueue, delivery: ClaimedDelivery): void {
    if (queue.freeEarly(delivery)) ready.leave(queue, delivery)
  }

  function leave(queue: WebhookQueue, delivery: ClaimedDelivery): void {
    if (queue.release(delivery)) ready.retry(queue)
    else ready.leave(queue, delivery)
    // A claim passes everything that was claimed before it in the index of the waiting: the fewer, the better.
    if (queue.isLow() && (claimed.room() >= claimedMax / 2 || queue.waiting.length === 0)) onRoom()
  }
}
