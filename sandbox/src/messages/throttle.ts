import { graphError } from '../http/errors.ts'
import type { Behaviour } from './behaviour.ts'

const HOUR_MS = 3_600_000
// Buckets that are full again carry no information; beyond this many pairs they are forgotten.
const PAIRS_MAX = 100_000

type Bucket = { tokens: number; atMs: number }

/** The platform's three limits, as token buckets: per number, per pair of number and customer, per account and hour. */
export class Throttle {
  readonly #numbers = new Map<string, Bucket>()
  readonly #pairs = new Map<string, Bucket>()
  readonly #management = new Map<string, { hour: number; calls: number }>()

  admitMessage(behaviour: Behaviour, numberId: string, customer: string, nowMs: number): void {
    const limits = behaviour.throttle
    if (limits === null) return
    const pair = bucketAt(this.#pairs, `${numberId}:${customer}`, limits.pairBurst, 1 / limits.pairIntervalMs, nowMs)
    const number = bucketAt(this.#numbers, numberId, limits.perSecond, limits.perSecond / 1000, nowMs)
    if (number.tokens < 1) {
      throw graphError(130429, 'Cloud API message throughput has been reached.', { subcode: 2494055 })
    }
    if (pair.tokens < 1) {
      throw graphError(131056, 'Too many messages sent from this phone number to the same recipient in a short time.')
    }
    number.tokens--
    pair.tokens--
    if (this.#pairs.size > PAIRS_MAX) this.#pairs.clear()
  }

  /** Counts a management call; returns the usage header, or refuses with 80007. */
  admitManagement(behaviour: Behaviour, wabaId: string, businessId: string, nowMs: number): string[] {
    const limit = behaviour.throttle?.managementPerHour ?? null
    const hour = Math.floor(nowMs / HOUR_MS)
    const seen = this.#management.get(wabaId)
    const calls = seen?.hour === hour ? seen.calls + 1 : 1
    this.#management.set(wabaId, { hour, calls })
    const percent = Math.min(100, Math.ceil((calls * 100) / (limit ?? 5000)))
    const over = limit !== null && calls > limit
    const minutes = over ? Math.ceil(((hour + 1) * HOUR_MS - nowMs) / 60_000) : 0
    const usage = { type: 'whatsapp', call_count: percent, total_cputime: 1, total_time: 1 }
    const value = JSON.stringify({ [businessId]: [{ ...usage, estimated_time_to_regain_access: minutes }] })
    const headers = ['X-Business-Use-Case-Usage', value]
    if (over) throw graphError(80007, 'There have been too many calls to this business account.', { headers })
    return headers
  }
}

function bucketAt(buckets: Map<string, Bucket>, key: string, size: number, perMs: number, nowMs: number): Bucket {
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
