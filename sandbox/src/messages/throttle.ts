import { graphError } from '../http/errors.ts'
import { MESSAGING_LIMITS, messagingLimitOf, type PhoneNumber, type Waba } from '../world.ts'
import type { Behaviour } from './behaviour.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PER_SECOND = { STANDARD: 80, HIGH: 1000 }
const PER_SECOND_ON_BUSINESS_APP = 20
const MANAGEMENT_PER_HOUR = 5000
const MANAGEMENT_PER_HOUR_UNREGISTERED = 200
// Buckets that are full again carry no information; beyond this many pairs they are forgotten.
const PAIRS_MAX = 100_000

type Bucket = { tokens: number; atMs: number }
/** `initiates`: the business writes first, outside the customer's window. */
type Send = { number: PhoneNumber; waba: Waba; customer: string; initiates: boolean; nowMs: number }

/** The platform's limits: per number, per pair of number and customer, per portfolio and day, per account and hour. */
export class Throttle {
  readonly #numbers = new Map<string, Bucket>()
  readonly #pairs = new Map<string, Bucket>()
  /** By portfolio: when each customer was last written to first, the oldest in front. */
  readonly #reached = new Map<string, Map<string, number>>()
  readonly #management = new Map<string, { hour: number; calls: number }>()

  admitMessage(behaviour: Behaviour, send: Send): void {
    const limits = behaviour.throttle
    if (limits === null) return
    const { number, waba, customer, initiates, nowMs } = send
    const perSecond = limits.perSecond ?? perSecondOf(number)
    const throughput = bucketAt(this.#numbers, number.id, { size: perSecond, perMs: perSecond / 1000 }, nowMs)
    const ofPair = { size: limits.pairBurst, perMs: 1 / limits.pairIntervalMs }
    const pair = bucketAt(this.#pairs, `${number.id}:${customer}`, ofPair, nowMs)
    if (throughput.tokens < 1) {
      throw graphError(130429, 'Cloud API message throughput has been reached.', { subcode: 2494055 })
    }
    if (pair.tokens < 1) {
      throw graphError(131056, 'Too many messages sent from this phone number to the same recipient in a short time.')
    }
    if (initiates) {
      const max = limits.portfolio ?? MESSAGING_LIMITS[messagingLimitOf(waba)]
      this.#reach(waba.businessId, customer, max, nowMs)
    }
    throughput.tokens--
    pair.tokens--
    if (this.#pairs.size > PAIRS_MAX) this.#pairs.clear()
  }

  /** Counts a management call; returns the usage header, or refuses with 80007. */
  admitManagement(behaviour: Behaviour, waba: Waba, registered: boolean, nowMs: number): string[] {
    const usual = registered ? MANAGEMENT_PER_HOUR : MANAGEMENT_PER_HOUR_UNREGISTERED
    const wanted = behaviour.throttle === null ? null : behaviour.throttle.managementPerHour
    const limit = wanted === undefined ? usual : wanted
    const hour = Math.floor(nowMs / HOUR_MS)
    const seen = this.#management.get(waba.id)
    const calls = seen?.hour === hour ? seen.calls + 1 : 1
    this.#management.set(waba.id, { hour, calls })
    const percent = Math.min(100, Math.ceil((calls * 100) / (limit ?? usual)))
    const over = limit !== null && calls > limit
    const minutes = over ? Math.ceil(((hour + 1) * HOUR_MS - nowMs) / 60_000) : 0
    const usage = { type: 'whatsapp', call_count: percent, total_cputime: 1, total_time: 1 }
    const value = JSON.stringify({ [waba.businessId]: [{ ...usage, estimated_time_to_regain_access: minutes }] })
    const headers = ['X-Business-Use-Case-Usage', value]
    if (over) throw graphError(80007, 'There have been too many calls to this business account.', { headers })
    return headers
  }

  clear(): void {
    for (const used of [this.#numbers, this.#pairs, this.#reached, this.#management]) used.clear()
  }

  #reach(businessId: string, customer: string, max: number, nowMs: number): void {
    const reached = this.#reached.get(businessId) ?? new Map<string, number>()
    this.#reached.set(businessId, reached)
    for (const [earlier, atMs] of reached) {
      if (nowMs - atMs < DAY_MS) break
      reached.delete(earlier)
    }
    if (!reached.has(customer) && reached.size >= max) {
      throw graphError(131048, `This portfolio may write first to ${max} customers in 24 hours.`)
    }
    // Taken out first, so that it goes to the end.
    reached.delete(customer)
    reached.set(customer, nowMs)
  }
}

function perSecondOf({ onBusinessApp, throughput }: PhoneNumber): number {
  return onBusinessApp ? PER_SECOND_ON_BUSINESS_APP : PER_SECOND[throughput ?? 'STANDARD']
}

type Rate = { size: number; perMs: number }

function bucketAt(buckets: Map<string, Bucket>, key: string, { size, perMs }: Rate, nowMs: number): Bucket {
  const bucket = buckets.get(key)
  if (bucket === undefined) {
    const fresh = { tokens: size, atMs: nowMs }
    buckets.set(key, fresh)
    return fresh
  }
  bucket.tokens = Math.min(size, bucket.tokens + (nowMs - bucket.atMs) * perMs)
  bucket.atMs = nowMs
  return bucket
}
