import { randomUUID } from 'node:crypto'
import { enforced } from '../../events/verification-mode.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/webhook-claims.ts'
import { type DeliveryTarget, findTargets } from '../../store/webhooks/webhooks.ts'
import { attemptDelivery } from '../delivery/attempt-delivery.ts'
import type { Attempt } from '../delivery/deliver-event.ts'
import { createLocalFailures } from '../delivery/local-failures.ts'
import type { Claimer } from './claim-due.ts'
import { createClaimedDeliveries } from './claimed-deliveries.ts'
import { createDeliveryConcurrency } from './delivery-concurrency.ts'
import {
  capOf,
  createWebhookQueue,
  follow,
  isSlow,
  release,
  roomOf,
  takeNext,
  tokensOf,
  type WebhookQueue,
} from './webhook-queue.ts'

export type Dispatcher = Claimer & {
  /** Adds claimed deliveries; they start as the concurrency limit allows. */
  offer(deliveries: ClaimedDelivery[]): void
  /** Claimed here and not yet recorded. */
  holds(deliveryId: string): boolean
  /** Starts nothing more, gives back what has not started, and waits for the rest. */
  drain(timeoutMs: number): Promise<void>
  forgetIdle(): void
}

type Options = {
  /**
   * Stores and reports an attempt. It counts against the webhook's limit until then, so that a crash repeats at most as
   * many deliveries as that limit.
   */
  settle: (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>
  /** A queue has room again. */
  onRoom: () => void
}

const idleMsMax = 600_000
/**
 * Starts deliveries: one of each webhook in rotation, never more than its cap, the events of one message in order. Slow
 * webhooks may use a part of the limit, and so may each account. Deliveries of a paused webhook are given back.
 */
export function createDispatcher(rt: Runtime, { settle, onRoom }: Options): Dispatcher {
  // 2 s of the 15 s that an attempt may take.
  const slowMs = (rt.config.webhookTotalTimeoutMs * 2) / 15
  const concurrency = createDeliveryConcurrency(rt.config.webhookConcurrencyMax, slowMs)
  const queues = new Map<string, WebhookQueue>()
  const ready = new Set<WebhookQueue>()
  const localFailures = createLocalFailures()
  // Twice the concurrency limit: no request waits for the database, and a lease outlasts the wait in memory.
  const claimed = createClaimedDeliveries(rt, rt.config.webhookConcurrencyMax * 2, onRoom)
  /** Ready, but their account has reached its share. */
  const turnedAway = new Map<WebhookQueue, string>()
  let hangTimer: NodeJS.Timeout | null = null
  let stopped = false
  let starting: { queue: WebhookQueue; delivery: ClaimedDelivery }[] = []
  let beginning = false

  return {
    worker: randomUUID(),
    room() {
      return stopped || rt.clock.now() < localFailures.restUntil() ? 0 : claimed.room()
    },
    roomFor(waiting) {
      const now = rt.clock.now()
      const queue = queueOf(waiting.webhook_id, now)
      follow(queue, waiting)
      return concurrency.slowIsFull() && isSlow(queue, slowMs) ? 0 : roomOf(queue, now)
    },
    roomOfAccount: claimed.roomOfAccount,
    offer(deliveries) {
      for (const delivery of deliveries) {
        const queue = queueOf(delivery.webhook_id, rt.clock.now())
        queue.waiting.push(delivery)
        claimed.take(delivery)
        ready.add(queue)
      }
      pump()
    },
    holds: claimed.has,
    async drain(timeoutMs) {
      stopped = true
      for (const queue of queues.values()) claimed.release(queue.waiting.splice(0))
      await withTimeout(claimed.emptied(), timeoutMs)
    },
    forgetIdle() {
      const before = rt.clock.now() - idleMsMax
      for (const queue of queues.values()) {
        if (queue.usedAt < before && queue.waiting.length === 0 && queue.busy.size === 0) queues.delete(queue.webhookId)
      }
    },
  }

  function queueOf(webhookId: string, now: number): WebhookQueue {
    let queue = queues.get(webhookId)
    if (!queue) {
      queue = createWebhookQueue(webhookId, now)
      queues.set(webhookId, queue)
    }
    return queue
  }

  /** Starts one delivery of each ready queue in rotation, until the limit is reached or no queue is ready. */
  function pump(): void {
    const now = rt.clock.now()
    while (!stopped) {
      const [queue] = ready
      if (!queue) break
      if (!concurrency.isFree()) {
        lookAgainWhenOneHangs()
        break
      }
      ready.delete(queue)
      const delivery = nextOf(queue, now)
      if (!delivery) continue
      concurrency.take(delivery.id, delivery.account_id, isSlow(queue, slowMs))
      starting.push({ queue, delivery })
      ready.add(queue)
    }
    if (starting.length > 0 && !beginning) void beginAll()
  }

  /** The end of a request starts the next delivery; a request that hangs makes room without an event, so a timer looks. */
  function lookAgainWhenOneHangs(): void {
    const waitMs = concurrency.nextInMs()
    if (hangTimer !== null || waitMs === null) return
    hangTimer = setTimeout(() => {
      hangTimer = null
      makeAllReady()
    }, Math.ceil(waitMs))
    hangTimer.unref()
  }

  /** The account is below its share again. */
  function letIn(account: string): void {
    for (const [queue, owner] of turnedAway) {
      if (owner !== account) continue
      turnedAway.delete(queue)
      ready.add(queue)
    }
  }

  function makeAllReady(): void {
    turnedAway.clear()
    for (const queue of queues.values()) if (queue.waiting.length > 0) ready.add(queue)
    pump()
  }

  /** What becomes startable while webhooks are being read shares the next reading. */
  async function beginAll(): Promise<void> {
    beginning = true
    await new Promise((resolve) => setImmediate(resolve))
    while (starting.length > 0) {
      const batch = starting
      starting = []
      await begin(batch)
    }
    beginning = false
  }

  function nextOf(queue: WebhookQueue, now: number): ClaimedDelivery | null {
    const [first] = queue.waiting
    if (!first) return null
    if (capOf(queue, now) === 0) {
      claimed.release(queue.waiting.splice(0))
      return null
    }
    if (concurrency.slowIsFull() && isSlow(queue, slowMs)) return null
    if (concurrency.isShareTaken(first.account_id)) {
      turnedAway.set(queue, first.account_id)
      lookAgainWhenOneHangs()
      return null
    }
    const delivery = takeNext(queue, now)
    if (!delivery && queue.maxPerSecond !== null && queue.lookAgain === null) {
      const missing = 1 - tokensOf(queue, now)
      // At the concurrency limit the end of a request looks again.
      if (missing > 0) lookAgainIn(queue, missing / queue.maxPerSecond)
    }
    return delivery
  }

  function lookAgainIn(queue: WebhookQueue, seconds: number): void {
    queue.lookAgain = setTimeout(
      () => {
        queue.lookAgain = null
        makeReady(queue)
      },
      Math.ceil(seconds * 1_000),
    )
    queue.lookAgain.unref()
  }

  function makeReady(queue: WebhookQueue): void {
    if (queue.waiting.length > 0) ready.add(queue)
    pump()
  }

  /** Webhooks are read at this moment, once for all: a change that was answered before holds for what starts now. */
  async function begin(batch: { queue: WebhookQueue; delivery: ClaimedDelivery }[]): Promise<void> {
    const ids = [...new Set(batch.map(({ queue }) => queue.webhookId))]
    const targets = await rt.store.read(findTargets, { ids }).catch((error: unknown) => {
      rt.log.warn({ err: error, count: batch.length }, 'webhook.not_started')
      return null
    })
    if (!targets) return giveBack(batch)
    const byId = new Map(targets.map((target) => [target.id, target]))
    const refused: ClaimedDelivery[] = []
    for (const { queue, delivery } of batch) {
      const target = byId.get(queue.webhookId)
      if (target && mayStart(queue, delivery, target)) void run(queue, delivery, target)
      else {
        refused.push(delivery)
        leave(queue, delivery)
      }
    }
    claimed.release(refused)
  }

  /**
   * The database is away. What waits behind a delivery that cannot start goes back with it: the next event of a message
   * must not overtake it. Where that cannot be stored either, the leases of all of them run out together.
   */
  function giveBack(batch: readonly { queue: WebhookQueue; delivery: ClaimedDelivery }[]): void {
    const stopping = new Set(batch.map(({ queue }) => queue))
    const behind = [...stopping].flatMap(({ waiting }) => waiting.splice(0))
    claimed.release([...batch.map(({ delivery }) => delivery), ...behind])
    for (const { queue, delivery } of batch) leave(queue, delivery)
  }

  function mayStart(queue: WebhookQueue, delivery: ClaimedDelivery, target: DeliveryTarget): boolean {
    const now = rt.clock.now()
    const paused = Math.max(queue.pausedUntil, queue.restUntil, target.paused_until) > now
    // A process that stood still may have lost its claim: only with time enough for the whole attempt it is its own.
    const leased = delivery.lease_until - now >= rt.config.webhookTotalTimeoutMs
    const verified = target.verification === 'verified' || enforced(rt) === 0
    return !stopped && leased && target.active === 1 && verified && !paused
  }

  /** Never rejects: nobody waits for it. */
  async function run(queue: WebhookQueue, delivery: ClaimedDelivery, target: DeliveryTarget): Promise<void> {
    try {
      const attempt = await attemptDelivery(rt, { claimed, localFailures }, { queue, delivery, target })
      if (attempt) await settleIn(queue, delivery, attempt)
    } catch (error) {
      // Whatever is not on disk now is found when the lease is over.
      rt.log.error({ err: error, delivery_id: delivery.id, webhook_id: queue.webhookId }, 'webhook.not_settled')
      claimed.forget(delivery.id)
    } finally {
      leave(queue, delivery)
    }
  }

  async function settleIn(queue: WebhookQueue, delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const pauses = attempt.judgement.pauseMs > 0 ? 1 : 0
    queue.pausesUnsettled += pauses
    try {
      await settle(delivery, attempt)
      claimed.forget(delivery.id)
    } finally {
      queue.pausesUnsettled -= pauses
    }
  }

  /** There is room for the next of this queue, and for slow webhooks that waited. */
  function leave(queue: WebhookQueue, delivery: ClaimedDelivery): void {
    release(queue, delivery)
    if (concurrency.give(delivery.id) === 'slow') makeAllReady()
    else letIn(delivery.account_id)
    makeReady(queue)
    if (queue.waiting.length <= queue.maxInFlight / 4) onRoom()
  }
}
