import { setTimeout as delay } from 'node:timers/promises'
import { StartRate } from '../../limits/delivery-limits.ts'
import type { ClaimedDelivery, WaitingWebhook } from '../../store/webhooks/delivery-claims.ts'
import type { DeliveryTarget } from '../../store/webhooks/webhooks.ts'
import { Receiver } from '../delivery/retry.ts'

/**
 * The state of a queue is the first of these that applies. A change of the webhook ends `resting` and `probing`.
 *
 * - `paused`: the receiver asked for it, by a 429 or `Retry-After`. Nothing is claimed or started, and whatever waits goes
 *   back to the database. The pause is stored, so it holds in every process. Price: one response delays all deliveries of
 *   the webhook, even those that the receiver would accept.
 * - `resting`: five requests in a row got no response (the circuit of `retry.ts`), or the gateway itself failed: no route,
 *   no sockets, no signature. Deliveries are treated as in `paused`. Price: a receiver that is back waits for the end of
 *   the rest, up to ten minutes. Only this process knows of it: each process makes its own five requests.
 * - `probing`: the rest of the circuit is over. One request at a time; any response ends the state, none doubles the rest.
 *   Price: after an outage, the backlog waits for one round trip.
 * - `slow`: the median of the last nine requests, or the oldest one under way, exceeds `slowMs`. Slow webhooks share a
 *   quarter of the concurrency limit, and deliveries claimed too far ahead go back. A probe may be slow too; then both
 *   limits hold. Price: a slow webhook can wait while the process has room.
 * - `idle`: nothing waits, nothing is under way. Price: memory. Ten minutes after its last start the dispatcher drops an
 *   empty queue, whatever its state, with everything learned about the receiver.
 * - `ready`: starts up to `max_in_flight` requests (two until the first response), at most `max_per_second`, and one per
 *   message at a time. Price: a crash repeats the requests that aren't recorded: up to `max_in_flight`, and twice as many
 *   from 16 on, where a success makes room before it is on disk.
 */
export type QueueState = 'paused' | 'resting' | 'probing' | 'slow' | 'idle' | 'ready'

/** Until its first response: a hundred dead webhooks after a restart must not fill the process for a whole time-out. */
const untriedMax = 2
/** From this limit on, a success makes room for the next request at once; below it, when it is on disk. */
const earlyFrom = 16
/** A claim ahead must neither fill the memory nor outlast its lease. */
const sentWithinMs = 1_000
/** How long a read is reused for later starts: a busy webhook would otherwise be read for nearly every delivery. */
const freshMs = 10

type ExchangeFacts = { deliveryId: string; answered: boolean; durationMs: number; pauseMs: number }

/** The deliveries of one webhook in this process, and what the process has learned about the receiver. */
export class WebhookQueue {
  readonly webhookId: string
  readonly #slowMs: number
  #usedAt: number
  #revision: number | null = null
  #maxInFlight = 1
  readonly #rate = new StartRate()

  /** Claimed and not started, oldest first. */
  readonly #waiting: ClaimedDelivery[] = []
  #claimedMs = 0
  /** Messages with a delivery under way. */
  readonly #subjects = new Set<string>()
  /** Count against the limit: under way, or not yet on disk. */
  readonly #busy = new Set<string>()
  /** Succeeded and not yet on disk, beyond the limit. */
  readonly #unrecorded = new Set<string>()
  /** Start of each request under way, by the process's own stopwatch. */
  readonly #startedMs = new Map<string, number>()
  /** The webhook as it was last read; null when it was not found. */
  #target: DeliveryTarget | null = null
  #readMs = 0
  #receiver: Receiver
  /** End of the pause that the receiver asked for, as the database has it. */
  #pausedUntil = 0
  /** Pauses that are not in the database yet. */
  #pausesUnsettled = 0

  constructor(webhookId: string, { now, slowMs }: { now: number; slowMs: number }) {
    this.webhookId = webhookId
    this.#receiver = new Receiver(webhookId)
    this.#slowMs = slowMs
    this.#usedAt = now
  }

  state(now: number): QueueState {
    if (this.#pausedUntil > now) return 'paused'
    const receiver = this.#receiver.state(now)
    if (receiver !== 'closed') return receiver
    if (this.isSlow()) return 'slow'
    return this.#waiting.length + this.#held() === 0 ? 'idle' : 'ready'
  }

  isSlow(): boolean {
    return this.#takesMs() > this.#slowMs
  }

  isUnusedSince(before: number): boolean {
    return this.#usedAt < before && this.#waiting.length + this.#held() === 0
  }

  /** Another one after each change of the webhook. */
  get receiver(): Receiver {
    return this.#receiver
  }

  /** Applies the webhook's stored settings. A new address must not pay for the old one. */
  follow(waiting: WaitingWebhook): void {
    // Of a webhook that is gone one delivery is enough to find that out; the claim ends with it.
    this.#maxInFlight = waiting.max_in_flight ?? 1
    this.#rate.follow(waiting.max_per_second)
    if (this.#pausesUnsettled === 0) this.#pausedUntil = waiting.paused_until ?? 0
    if (this.#revision === waiting.revision) return
    this.#revision = waiting.revision
    this.#receiver = new Receiver(this.webhookId)
  }

  /** Requests that may be under way to this webhook now. */
  cap(now: number): number {
    const state = this.state(now)
    if (state === 'paused' || state === 'resting') return 0
    if (state === 'probing') return 1
    return this.#receiver.hasAnswered ? this.#maxInFlight : Math.min(this.#maxInFlight, untriedMax)
  }

  /** Deliveries to claim: as many as can start, and some to wait in memory if the webhook is known to respond. */
  room(now: number): number {
    const cap = this.cap(now)
    const ahead = cap > 1 && this.#receiver.hasAnswered ? this.#ahead() : 0
    const startable = Math.min(cap + ahead - this.#held(), Math.floor(this.#rate.left(now)))
    return Math.max(0, startable - this.#waiting.length)
  }

  add(delivery: ClaimedDelivery): void {
    this.#waiting.push(delivery)
    this.#claimedMs = performance.now()
  }

  get waiting(): readonly ClaimedDelivery[] {
    return this.#waiting
  }

  /** At most half of those that should wait in memory are left. */
  isLow(): boolean {
    return this.#waiting.length <= this.#ahead() / 2
  }

  takeWaiting(): ClaimedDelivery[] {
    return this.#waiting.splice(0)
  }

  /** Takes off the queue what was claimed too far ahead of a slow receiver. */
  takeSurplus(): ClaimedDelivery[] {
    return this.isSlow() ? this.#waiting.splice(this.#ahead()) : []
  }

  /** The next delivery that may start, taken off the queue. */
  takeNext(now: number): ClaimedDelivery | null {
    if (this.#busy.size >= this.cap(now) || this.#held() >= repeatedMax(this.#maxInFlight)) return null
    const index = this.#waiting.findIndex(({ subject }) => subject === null || !this.#subjects.has(subject))
    if (index < 0 || !this.#rate.take(now)) return null
    const [delivery] = this.#waiting.splice(index, 1)
    if (!delivery) return null
    if (delivery.subject !== null) this.#subjects.add(delivery.subject)
    this.#busy.add(delivery.id)
    this.#startedMs.set(delivery.id, performance.now())
    this.#usedAt = now
    return delivery
  }

  /** Milliseconds until `max_per_second` allows the next start; 0 if it does now. */
  nextStartInMs(now: number): number {
    return this.#rate.nextInMs(now)
  }

  /** A success makes room before it is on disk. False where it must not. Its message waits in any case. */
  freeEarly(delivery: ClaimedDelivery): boolean {
    if (this.#maxInFlight < earlyFrom || !this.#busy.delete(delivery.id)) return false
    this.#unrecorded.add(delivery.id)
    return true
  }

  /** Ends a delivery that is on disk or given back. Returns whether it had made room before. */
  release(delivery: ClaimedDelivery): boolean {
    if (delivery.subject !== null) this.#subjects.delete(delivery.subject)
    this.#busy.delete(delivery.id)
    this.#startedMs.delete(delivery.id)
    return this.#unrecorded.delete(delivery.id)
  }

  noteExchange({ deliveryId, answered, durationMs, pauseMs }: ExchangeFacts, now: number): void {
    this.#startedMs.delete(deliveryId)
    this.#receiver.noteExchange(answered, durationMs, now)
    this.#pausedUntil = Math.max(this.#pausedUntil, pauseMs > 0 ? now + pauseMs : 0)
  }

  /** Until a pause is in the database, what the database says about pauses is out of date. */
  async settlePause(settle: () => Promise<void>): Promise<void> {
    this.#pausesUnsettled++
    try {
      await settle()
    } finally {
      this.#pausesUnsettled--
    }
  }

  /** A request that has been taken off the queue may still go: not the circuit, only a pause or a rest stops it. */
  stopsUntil(): number {
    return Math.max(this.#pausedUntil, this.#receiver.restUntil)
  }

  /** Keeps what a reading found that began at `atMs`, by the process's own stopwatch. */
  keepTarget(target: DeliveryTarget | null, atMs: number): void {
    this.#target = target
    this.#readMs = atMs
  }

  /**
   * The webhook as it was read a moment ago. Not if something was claimed since: of two events, one before a change of the
   * webhook and one behind it, the second must not go the way of the first, even while the change is not answered yet.
   */
  freshTarget(): DeliveryTarget | null {
    return this.#readMs > this.#claimedMs && performance.now() - this.#readMs < freshMs ? this.#target : null
  }

  /** Started, and not yet on disk. */
  #held(): number {
    return this.#busy.size + this.#unrecorded.size
  }

  /** Deliveries to keep in memory: as many as the receiver accepts in a second, and at least a few. */
  #ahead(): number {
    const takesMs = this.#takesMs()
    const inTime = takesMs > 0 ? Math.floor((this.#maxInFlight * sentWithinMs) / takesMs) : Number.POSITIVE_INFINITY
    return Math.min(aheadMax(this.#maxInFlight), Math.max(16, this.#maxInFlight, inTime))
  }

  /** The recent median, or longer if the oldest request has been under way for longer. */
  #takesMs(): number {
    const [oldest] = this.#startedMs.values()
    return Math.max(this.#receiver.medianMs, oldest === undefined ? 0 : performance.now() - oldest)
  }
}

/** The most that is ever claimed ahead of one webhook, so that no request waits for the database. None in strict order. */
export function aheadMax(maxInFlight: number): number {
  if (maxInFlight === 1) return 0
  return maxInFlight < earlyFrom ? 16 : maxInFlight * 24
}

/** Deliveries that a crash may repeat: with a limit below 16 that many, otherwise twice as many. */
function repeatedMax(maxInFlight: number): number {
  return maxInFlight < earlyFrom ? maxInFlight : maxInFlight * 2
}

/** A change of a webhook is answered after this: by now no process uses what it read before the change. */
export function outliveReadings(): Promise<void> {
  // Timers may come a millisecond early.
  return delay(freshMs + 2)
}
