import type { ClaimedDelivery, WaitingWebhook } from '../../store/webhooks/webhook-claims.ts'
import { admittedBy, afterExchange, type Circuit, closedCircuit } from '../delivery/circuit.ts'

/** Everything this process knows of one webhook while it delivers to it. Forgotten after ten idle minutes. */
export type Line = {
  readonly webhookId: string
  /** Claimed, waiting for their turn, oldest first. */
  readonly queue: ClaimedDelivery[]
  /** Subjects with a delivery under way: the events of one message go one after the other. */
  readonly subjects: Set<string>
  /** Under way, or answered and not yet on disk: a crash repeats these and no others. */
  readonly busy: Set<string>
  /** Under way: when each was started, by the process's own stopwatch. */
  readonly startedMs: Map<string, number>
  readonly recentMs: number[]
  maxInFlight: number
  maxPerSecond: number | null
  tokens: number
  tokensAt: number
  circuit: Circuit
  /** What the receiver asked for, as the database has it. */
  pausedUntil: number
  /** Pauses heard of that are not in the database yet. */
  pausesUnsettled: number
  /** Left alone for reasons of our own: no way out to it, or no signature for it. */
  restUntil: number
  /** Waves of faults of the gateway itself, in a row. */
  ownFaults: number
  /** Exchanges with all webhooks before the first of those. */
  servedBefore: number
  /** Of the webhook, as last seen. */
  revision: number | null
  /** Set while the line waits for the next start that `max_per_second` allows. */
  lookAgain: NodeJS.Timeout | null
  /** Some answer has come since this process knows the webhook. */
  tried: boolean
  usedAt: number
}

export function newLine(webhookId: string, now: number): Line {
  return {
    webhookId,
    queue: [],
    subjects: new Set(),
    busy: new Set(),
    startedMs: new Map(),
    recentMs: [],
    maxInFlight: 1,
    maxPerSecond: null,
    tokens: 0,
    tokensAt: 0,
    circuit: closedCircuit,
    pausedUntil: 0,
    pausesUnsettled: 0,
    restUntil: 0,
    ownFaults: 0,
    servedBefore: 0,
    revision: null,
    lookAgain: null,
    tried: false,
    usedAt: now,
  }
}

/**
 * Takes over what the database says of the webhook. Whatever was learned of the receiver ends with a change of the
 * webhook, or with a challenge it returned: the new address must not pay for the old one.
 */
export function follow(line: Line, waiting: WaitingWebhook): void {
  // Of a webhook that is gone one delivery is enough to find that out; the claim ends with it.
  line.maxInFlight = waiting.max_in_flight ?? 1
  line.maxPerSecond = waiting.max_per_second
  if (line.pausesUnsettled === 0) line.pausedUntil = waiting.paused_until ?? 0
  if (line.revision === waiting.revision) return
  line.revision = waiting.revision
  line.circuit = closedCircuit
  line.restUntil = 0
  line.ownFaults = 0
  line.recentMs.length = 0
  line.tried = false
}

/**
 * Until it has answered once, a webhook gets two slots: a hundred dead ones after a restart must not take every slot of
 * the process for the length of a time-out.
 */
const untriedMax = 2

/** Requests that may be under way to this webhook now. */
export function capOf(line: Line, now: number): number {
  if (Math.max(line.pausedUntil, line.restUntil) > now) return 0
  return admittedBy(line.circuit, line.tried ? line.maxInFlight : Math.min(line.maxInFlight, untriedMax), now)
}

/** Deliveries claimed ahead of their turn, so that no place waits for the database. None for a webhook in strict order. */
export function aheadOf(maxInFlight: number): number {
  return maxInFlight === 1 ? 0 : Math.max(maxInFlight, 16)
}

/** How many more to claim: as many as can start, and some to wait in memory if the webhook is known to answer. */
export function roomOf(line: Line, now: number): number {
  const cap = capOf(line, now)
  const ahead = cap > 1 && line.tried ? aheadOf(line.maxInFlight) : 0
  const room = cap + ahead - line.busy.size - line.queue.length
  const paced = line.maxPerSecond === null ? room : Math.min(room, Math.floor(tokensOf(line, now)) - line.queue.length)
  return Math.max(0, paced)
}

/** The next delivery that may start, taken off the queue. */
export function takeNext(line: Line, now: number): ClaimedDelivery | null {
  if (line.busy.size >= capOf(line, now)) return null
  const index = line.queue.findIndex(({ subject }) => subject === null || !line.subjects.has(subject))
  if (index < 0) return null
  if (line.maxPerSecond !== null) {
    if (tokensOf(line, now) < 1) return null
    line.tokens -= 1
  }
  const [delivery] = line.queue.splice(index, 1)
  if (!delivery) return null
  if (delivery.subject !== null) line.subjects.add(delivery.subject)
  line.busy.add(delivery.id)
  line.startedMs.set(delivery.id, performance.now())
  line.usedAt = now
  return delivery
}

/** Frees the place of a delivery, once its result is on disk or it is given back. */
export function freePlace(line: Line, delivery: ClaimedDelivery): void {
  if (delivery.subject !== null) line.subjects.delete(delivery.subject)
  line.busy.delete(delivery.id)
  line.startedMs.delete(delivery.id)
}

export type ExchangeFacts = { deliveryId: string; answered: boolean; durationMs: number; pauseMs: number }

export function noteExchange(line: Line, facts: ExchangeFacts, now: number): void {
  const { deliveryId, answered, durationMs, pauseMs } = facts
  line.startedMs.delete(deliveryId)
  line.circuit = afterExchange(line.circuit, answered, now)
  line.tried ||= answered
  line.pausedUntil = Math.max(line.pausedUntil, pauseMs > 0 ? now + pauseMs : 0)
  line.recentMs.push(durationMs)
  if (line.recentMs.length > recentCount) line.recentMs.shift()
}

const recentCount = 9

/** The recent median is above the limit, or something under way has already taken longer. */
export function isSlow(line: Line, slowMs: number): boolean {
  const [oldest] = line.startedMs.values()
  if (oldest !== undefined && performance.now() - oldest > slowMs) return true
  const sorted = line.recentMs.toSorted((a, b) => a - b)
  return (sorted[sorted.length >> 1] ?? 0) > slowMs
}

/** Starts allowed now by `max_per_second`; unused ones add up for one second. */
export function tokensOf(line: Line, now: number): number {
  const perSecond = line.maxPerSecond ?? Number.POSITIVE_INFINITY
  const earned = (Math.max(0, now - line.tokensAt) / 1_000) * perSecond
  line.tokens = Math.min(Math.max(perSecond, 1), line.tokens + earned)
  line.tokensAt = now
  return line.tokens
}
