import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { callbackBody, type Update } from '../callbacks/callback-body.ts'
import type { CallbackClient } from '../callbacks/callback-client.ts'
import { OVERRIDABLE_FIELDS } from '../callbacks/webhook-fields.ts'
import type { Clock } from '../clock.ts'
import { type WatchedCallback, watchedCallbacks } from '../contract/watched.ts'
import { asciiJson } from '../http/json.ts'
import type { Subscription, World } from '../world.ts'
import type { Behaviour } from './behaviour.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 3_600_000
const LOG_MAX = 1000
// A receiver that is away must not eat the memory of the process it is tested with.
const PENDING_MAX = 500_000
const BODY_BYTES_MAX = 3_000_000
const TOLD_WAIT_MS = 1000
const TOLD_POLL_MS = 5

type Destination = {
  url: string
  secret: string
  pending: Update[]
  inFlight: number
  armed: boolean
  /** Of the outbox when it was made: after a reset nothing more goes there. */
  generation: number
}

export type Delivery = {
  id: number
  destination: string
  updates: number
  bytes: number
  state: 'pending' | 'delivered' | 'given_up'
  attempts: { at_ms: number; status: number | null; error: string | null; duration_ms: number }[]
}

type Batch = { destination: Destination; updates: Update[]; body: Buffer; startedAtMs: number; delivery: Delivery }

type NoPlace = 'not_subscribed' | 'no_callback_url' | 'unpublished'

type Tools = {
  world: World
  clock: Clock
  behaviour: Behaviour
  client: CallbackClient
  log: (line: object) => void
}

/** Gathers updates per destination for a few milliseconds, signs them, delivers them, and does not give up for a week. */
export class Outbox {
  readonly #world: World
  readonly #clock: Clock
  readonly #behaviour: Behaviour
  readonly #log: (line: object) => void
  readonly #client: CallbackClient
  readonly #fanned = new WeakSet<Update>()
  /** Updates that nobody was told of yet, the oldest first. */
  readonly #untold = new Set<Update>()
  /** Of events that have no id, by their words. */
  readonly #times = new Map<string, number>()
  #closed = false
  #generation = 0
  readonly #destinations = new Map<string, Destination>()
  readonly #deliveries: Delivery[] = []
  #deliveryId = 0
  /** Updates that had nowhere to go. */
  dropped = { not_subscribed: 0, no_callback_url: 0, unpublished: 0, overflow: 0 }

  constructor(tools: Tools) {
    this.#world = tools.world
    this.#clock = tools.clock
    this.#behaviour = tools.behaviour
    this.#client = tools.client
    this.#log = tools.log
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  push(news: Omit<Update, 'time'>): void {
    const update = { ...news, time: news.field === 'messages' ? null : this.#timeOf(news) }
    const waba = this.#world.wabas.get(update.wabaId)
    if (waba === undefined || waba.subscriptions.length === 0) {
      this.dropped.not_subscribed++
      return
    }
    for (const subscription of waba.subscriptions) {
      const place = this.#placeOf(subscription, update)
      if (typeof place === 'string') this.dropped[place]++
      else this.#pushTo(place, update)
    }
  }

  /** Resolves when whatever was pushed until now had its first attempt, or after a second. */
  async told(): Promise<void> {
    const last = [...this.#untold].at(-1)
    const endsMs = performance.now() + TOLD_WAIT_MS
    while (last !== undefined && this.#untold.has(last) && performance.now() < endsMs) await pause(TOLD_POLL_MS)
  }

  close(): void {
    this.#closed = true
    this.#destinations.clear()
    this.#untold.clear()
  }

  clear(): void {
    this.#generation++
    this.#destinations.clear()
    this.#untold.clear()
    this.#deliveries.length = 0
    this.dropped = { not_subscribed: 0, no_callback_url: 0, unpublished: 0, overflow: 0 }
  }

  /** Without an id, the same words in the same second are one event told twice: two events never share a second. */
  #timeOf({ wabaId, field, item }: Omit<Update, 'time'>): number {
    const now = Math.floor(this.#clock.now() / 1000)
    for (const [words, time] of this.#times) if (time < now) this.#times.delete(words)
    const words = JSON.stringify([wabaId, field, item])
    const time = Math.max(now, (this.#times.get(words) ?? 0) + 1)
    this.#times.set(words, time)
    return time
  }

  /** Where an app hears of an update, or why it does not: its number's address, its account's, or its own. */
  #placeOf({ appId, overrideUrl }: Subscription, update: Update): Destination | NoPlace {
    const app = this.#world.apps.get(appId)
    if (app === undefined || !app.fields.includes(update.field)) return 'not_subscribed'
    if (app.unpublished) return 'unpublished'
    const numberUrl = update.numberId === null ? null : (this.#world.numbers.get(update.numberId)?.callbackUrl ?? null)
    const url = OVERRIDABLE_FIELDS.includes(update.field)
      ? (numberUrl ?? overrideUrl ?? app.callbackUrl)
      : app.callbackUrl
    return url === null ? 'no_callback_url' : this.#destination(url, app.secret)
  }

  #pushTo(destination: Destination, update: Update): void {
    destination.pending.push(update)
    this.#untold.add(update)
    if (this.#behaviour.random.chance(this.#behaviour.callbacks.duplicate)) destination.pending.push(update)
    if (destination.pending.length > PENDING_MAX) {
      const dropped = destination.pending.shift()
      if (dropped) this.#untold.delete(dropped)
      this.dropped.overflow++
    }
    this.#arm(destination)
  }

  #destination(url: string, secret: string): Destination {
    const key = `${url} ${secret}`
    const known = this.#destinations.get(key)
    if (known) return known
    const fresh: Destination = { url, secret, pending: [], inFlight: 0, armed: false, generation: this.#generation }
    this.#destinations.set(key, fresh)
    return fresh
  }

  #arm(destination: Destination): void {
    if (destination.armed || destination.inFlight >= this.#behaviour.callbacks.concurrency) return
    destination.armed = true
    setTimeout(() => this.#flush(destination), this.#behaviour.callbacks.flushMs)
  }

  #flush(destination: Destination): void {
    destination.armed = false
    if (this.#isOver(destination)) return
    const { batchMax, concurrency } = this.#behaviour.callbacks
    let taken = 0
    while (taken < destination.pending.length && destination.inFlight < concurrency) {
      const { updates, body } = this.#pack(destination.pending.slice(taken, taken + batchMax))
      taken += updates.length
      // Once, however often it is delivered.
      if (watchedCallbacks.hasSubscribers) watchedCallbacks.publish({ body } satisfies WatchedCallback)
      const delivery = this.#open(destination.url, updates.length, body.length)
      void this.#attempt({ destination, updates, body, startedAtMs: this.#clock.now(), delivery })
    }
    destination.pending = destination.pending.slice(taken)
  }

  /** As many of them as fit into one body; one alone always does. */
  #pack(updates: Update[]): { updates: Update[]; body: Buffer } {
    const { unknownFields } = this.#behaviour.callbacks
    const body = Buffer.from(asciiJson(callbackBody(updates, unknownFields)), 'latin1')
    if (body.length <= BODY_BYTES_MAX || updates.length === 1) return { updates, body }
    return this.#pack(updates.slice(0, Math.ceil(updates.length / 2)))
  }

  #isOver({ generation }: Destination): boolean {
    return this.#closed || generation !== this.#generation
  }

  #open(url: string, updates: number, bytes: number): Delivery {
    const delivery: Delivery = {
      id: ++this.#deliveryId,
      destination: url,
      updates,
      bytes,
      state: 'pending',
      attempts: [],
    }
    this.#deliveries.push(delivery)
    if (this.#deliveries.length > LOG_MAX * 1.25) this.#deliveries.splice(0, this.#deliveries.length - LOG_MAX)
    return delivery
  }

  async #attempt(batch: Batch): Promise<void> {
    const { destination, body, delivery } = batch
    destination.inFlight++
    // One buffer for both: what is signed is what is sent, byte for byte.
    const signature = `sha256=${createHmac('sha256', destination.secret).update(body).digest('hex')}`
    const started = performance.now()
    const outcome = await this.#client.post(destination.url, body, signature, this.#behaviour.callbacks.timeoutMs)
    destination.inFlight--
    for (const update of batch.updates) this.#untold.delete(update)
    const durationMs = Math.round(performance.now() - started)
    delivery.attempts.push({
      at_ms: this.#clock.now(),
      status: outcome.status,
      error: outcome.error,
      duration_ms: durationMs,
    })
    if (outcome.status === 200) delivery.state = 'delivered'
    else if (!this.#isOver(destination)) this.#later(batch)
    if (destination.pending.length > 0) this.#arm(destination)
  }

  #later(batch: Batch): void {
    const { destination, delivery, updates } = batch
    const scale = this.#behaviour.callbacks.retryScale
    if (this.#clock.now() - batch.startedAtMs > WEEK_MS * scale) {
      delivery.state = 'given_up'
      this.#log({ event: 'callback_given_up', delivery: delivery.id, attempts: delivery.attempts.length })
      return
    }
    if (delivery.attempts.length === 1 && this.#behaviour.callbacks.fanOutRetry) this.#fanOut(destination, updates)
    const retry = delivery.attempts.length
    const pauseMs = retry === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (retry - 2)) * scale
    this.#clock.after(pauseMs, () => {
      if (!this.#isOver(destination)) void this.#attempt(batch)
    })
  }

  /** The platform tells every app of the account again when one of them failed. */
  #fanOut(failed: Destination, updates: Update[]): void {
    for (const update of updates) {
      // Once per update, or two receivers that are both away would multiply it for ever.
      if (this.#fanned.has(update)) continue
      this.#fanned.add(update)
      for (const subscription of this.#world.wabas.get(update.wabaId)?.subscriptions ?? []) {
        const place = this.#placeOf(subscription, update)
        if (typeof place !== 'string' && place !== failed) this.#pushTo(place, update)
      }
    }
  }
}
