import type { ClaimedDelivery, WaitingWebhook } from '../../store/webhooks/delivery-claims.ts'
import { admittedBy, afterExchange, type Circuit, closedCircuit } from '../delivery/retry.ts'
import type { WebhookReading } from './webhook-reading.ts'

/** The deliveries of one webhook in this process and what it knows of the receiver. Dropped after ten idle minutes. */
export type WebhookQueue = {
  readonly webhookId: string
  /** Claimed and not started, oldest first. */
  readonly waiting: ClaimedDelivery[]
  /** Subjects with a delivery under way: the events of one message go one after the other. */
  readonly subjects: Set<string>
  /** Under way, and what counts as such until it is on disk. */
  readonly busy: Set<string>
  /** Succeeded and not yet on disk, beyond the limit. A crash repeats these and the busy ones, and no others. */
  readonly unrecorded: Set<string>
  /** Under way: when each was started, by the process's own stopwatch. */
  readonly startedMs: Map<string, number>
  readonly recentMs: number[]
  /** The middle one of those. */
  medianMs: number
  maxInFlight: number
  maxPerSecond: number | null
  tokens: number
  tokensAt: number
  circuit: Circuit
  /** What the receiver asked for, as the database has it. */
  pausedUntil: number
  /** Pauses heard of that are not in the database yet. */
  pausesUnsettled: number
  /** Not tried before this because the gateway itself failed: no route to the receiver, or no signature. */
  restUntil: number
  /** Consecutive waves of local failures: the gateway itself could not deliver. */
  localFailures: number
  /** Exchanges with all webhooks before the first of those. */
  servedBefore: number
  /** Of the webhook, as last seen. */
  revision: number | null
  /** The last one; null when the webhook was not found. */
  reading: WebhookReading | null
  /** When something was claimed last, by the process's own stopwatch. */
  claimedMs: number
  /** Set while the queue waits for the next start that `max_per_second` allows. */
  lookAgain: NodeJS.Timeout | null
  /** Some answer has come since this process knows the webhook. */
  tried: boolean
  usedAt: number
}

export function createWebhookQueue(webhookId: string, now: number): WebhookQueue {
  return {
    webhookId,
    waiting: [],
    subjects: new Set(),
    busy: new Set(),
    unrecorded: new Set(),
    startedMs: new Map(),
    recentMs: [],
    medianMs: 0,
    maxInFlight: 1,
    maxPerSecond: null,
    tokens: 0,
    tokensAt: 0,
    circuit: closedCircuit,
    pausedUntil: 0,
    pausesUnsettled: 0,
    restUntil: 0,
    localFailures: 0,
    servedBefore: 0,
    revision: null,
    reading: null,
    claimedMs: 0,
    lookAgain: null,
    tried: false,
    usedAt: now,
  }
}

/**
 * Applies the webhook's stored settings. What was learned of the receiver is dropped when the webhook changes or passes a
 * challenge: a new address must not pay for the old one.
 */
export function follow(queue: WebhookQueue, waiting: WaitingWebhook): void {
  // Of a webhook that is gone one delivery is enough to find that out; the claim ends with it.
  queue.maxInFlight = waiting.max_in_flight ?? 1
  queue.maxPerSecond = waiting.max_per_second
  if (queue.pausesUnsettled === 0) queue.pausedUntil = waiting.paused_until ?? 0
  if (queue.revision === waiting.revision) return
  queue.revision = waiting.revision
  queue.circuit = closedCircuit
  queue.restUntil = 0
  queue.localFailures = 0
  queue.recentMs.length = 0
  queue.medianMs = 0
  queue.tried = false
}

/**
 * The concurrency limit of a webhook that has not answered yet: a hundred dead ones after a restart must not use up the
 * limit of the process for the length of a time-out.
 */
const untriedMax = 2

/** Requests that may be under way to this webhook now. */
export function capOf(queue: WebhookQueue, now: number): number {
  if (Math.max(queue.pausedUntil, queue.restUntil) > now) return 0
  return admittedBy(queue.circuit, queue.tried ? queue.maxInFlight : Math.min(queue.maxInFlight, untriedMax), now)
}

/** From this limit on, a success makes room for the next request when it comes; below it, when it is on disk. */
const earlyFrom = 16

/** A claim ahead must neither fill the memory nor outlast its lease. */
const sentWithinMs = 1_000

/** The most that is ever claimed ahead of one webhook, so that no request waits for the database. None in strict order. */
export function aheadMax(maxInFlight: number): number {
  if (maxInFlight === 1) return 0
  return maxInFlight < earlyFrom ? 16 : maxInFlight * 24
}

/** How many deliveries should wait in memory now: as many as the receiver takes in a second, and a few in any case. */
export function aheadOf(queue: WebhookQueue): number {
  const { maxInFlight } = queue
  const takesMs = Math.max(queue.medianMs, underWayMs(queue))
  const inTime = takesMs > 0 ? Math.floor((maxInFlight * sentWithinMs) / takesMs) : Number.POSITIVE_INFINITY
  return Math.min(aheadMax(maxInFlight), Math.max(16, maxInFlight, inTime))
}

/** How many more to claim: as many as can start, and some to wait in memory if the webhook is known to answer. */
export function roomOf(queue: WebhookQueue, now: number): number {
  const cap = capOf(queue, now)
  const ahead = cap > 1 && queue.tried ? aheadOf(queue) : 0
  const room = cap + ahead - heldOf(queue) - queue.waiting.length
  const limited =
    queue.maxPerSecond === null ? room : Math.min(room, Math.floor(tokensOf(queue, now)) - queue.waiting.length)
  return Math.max(0, limited)
}

/** Started, and not yet on disk. */
export function heldOf({ busy, unrecorded }: WebhookQueue): number {
  return busy.size + unrecorded.size
}

/** What a crash may repeat: with a limit below 16 no more than that many, else twice as many. */
function repeatedMax(maxInFlight: number): number {
  return maxInFlight < earlyFrom ? maxInFlight : maxInFlight * 2
}

/** The next delivery that may start, taken off the queue. */
export function takeNext(queue: WebhookQueue, now: number): ClaimedDelivery | null {
  if (queue.busy.size >= capOf(queue, now) || heldOf(queue) >= repeatedMax(queue.maxInFlight)) return null
  const index = queue.waiting.findIndex(({ subject }) => subject === null || !queue.subjects.has(subject))
  if (index < 0) return null
  if (queue.maxPerSecond !== null) {
    if (tokensOf(queue, now) < 1) return null
    queue.tokens -= 1
  }
  const [delivery] = queue.waiting.splice(index, 1)
  if (!delivery) return null
  if (delivery.subject !== null) queue.subjects.add(delivery.subject)
  queue.busy.add(delivery.id)
  queue.startedMs.set(delivery.id, performance.now())
  queue.usedAt = now
  return delivery
}

/** A success need not be on disk to make room for another request. False where it must. Its message waits in any case. */
export function freeEarly(queue: WebhookQueue, delivery: ClaimedDelivery): boolean {
  if (queue.maxInFlight < earlyFrom || !queue.busy.delete(delivery.id)) return false
  queue.unrecorded.add(delivery.id)
  return true
}

/** Ends a delivery, once its result is on disk or it is given back. */
export function release(queue: WebhookQueue, delivery: ClaimedDelivery): void {
  if (delivery.subject !== null) queue.subjects.delete(delivery.subject)
  queue.busy.delete(delivery.id)
  queue.unrecorded.delete(delivery.id)
  queue.startedMs.delete(delivery.id)
}

export type ExchangeFacts = { deliveryId: string; answered: boolean; durationMs: number; pauseMs: number }

export function noteExchange(queue: WebhookQueue, facts: ExchangeFacts, now: number): void {
  const { deliveryId, answered, durationMs, pauseMs } = facts
  queue.startedMs.delete(deliveryId)
  queue.circuit = afterExchange(queue.circuit, answered, now)
  queue.tried ||= answered
  queue.pausedUntil = Math.max(queue.pausedUntil, pauseMs > 0 ? now + pauseMs : 0)
  queue.recentMs.push(durationMs)
  if (queue.recentMs.length > recentCount) queue.recentMs.shift()
  queue.medianMs = queue.recentMs.toSorted((a, b) => a - b)[queue.recentMs.length >> 1] ?? 0
}

const recentCount = 9

/** The recent median is above the limit, or something under way has already taken longer. */
export function isSlow(queue: WebhookQueue, slowMs: number): boolean {
  return Math.max(queue.medianMs, underWayMs(queue)) > slowMs
}

/** For how long the oldest request has been under way. */
function underWayMs({ startedMs }: WebhookQueue): number {
  const [oldest] = startedMs.values()
  return oldest === undefined ? 0 : performance.now() - oldest
}

/** Starts allowed now by `max_per_second`; unused ones add up for one second. */
export function tokensOf(queue: WebhookQueue, now: number): number {
  const perSecond = queue.maxPerSecond ?? Number.POSITIVE_INFINITY
  const earned = (Math.max(0, now - queue.tokensAt) / 1_000) * perSecond
  queue.tokens = Math.min(Math.max(perSecond, 1), queue.tokens + earned)
  queue.tokensAt = now
  return queue.tokens
}
