import { AppError } from '../contract/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { ConcurrencyLimiter, Release } from './concurrency.ts'
import type { RateLimit, RateLimiter } from './rate.ts'

/** The keys of a send's rate limits: its number, and its customer. */
export type SendRate = { numberId: string; sendsPerSecond: number; customer: string }

/** The reservation of a send with its first write. */
export type RateAtOnce = {
  /** The reservation of the write; null if it was reserved in this process. */
  readonly limits: { readonly customer: RateLimit; readonly number: RateLimit } | null
  /** To be called when nothing was written. */
  undo(): void
}

/** The free capacity of a number; `waitMs` is the time until it has more. */
export type Spare = { granted: number; waitMs: number; giveBack(count: number): Promise<void> }

export type SendRateLimiter = {
  /** Waits for a reservation of number and customer, or refuses when it would take longer than `waitMaxMs`. */
  wait(rate: SendRate, waitMaxMs: number): Promise<void>
  /**
   * For a message that was throttled by the platform: waits for another reservation of the number, or resolves with false
   * when that would take too long. The limit of the customer has counted the message already.
   */
  waitAgain(rate: SendRate, waitMaxMs: number): Promise<boolean>
  /** For a send that does not wait; null while it would have to, as far as this process knows. */
  atOnce(rate: SendRate): RateAtOnce | null
  /**
   * For what nobody waits for an answer of: takes up to `wanted` of what the number has free now, and leaves half of its
   * burst to everybody else.
   */
  spare(number: Omit<SendRate, 'customer'>, wanted: number): Promise<Spare>
  /** Takes the customer's next moment if it is now; otherwise how long it has to wait. */
  takeCustomer(rate: SendRate): Promise<number>
  /** The platform said that the number sends too fast: halves its rate, which then recovers. */
  slowDown(rate: SendRate): void
  /** How long a send would wait now, in milliseconds, and the refusal if that is too long; reserves nothing. */
  look(rate: SendRate, waitMaxMs: number): Promise<{ waitMs: number; refusal: AppError | null }>
}

// The platform takes one message per 6 s to one customer, and lets 45 go ahead of that.
const customerEveryMs = 6_000
const customerBurst = 45

// The platform lets a number have one second's worth at once. A tenth of that leaves it room for sends that were held up
// on their way and arrive together, and for what others send and receive with the same number.
const burstSeconds = 0.1

/** One per process and database, shared by all sends. */
export function createSendRateLimiter(
  { clock, metrics }: { clock: Clock; metrics: Metrics },
  limiter: RateLimiter,
): SendRateLimiter {
  const learned = new LearnedRate()
  /** Until when the sends of a number that this process knows of have to wait. */
  const waitingUntil = new Map<string, number>()
  const ofNumber = ({ numberId, sendsPerSecond }: Omit<SendRate, 'customer'>) =>
    numberLimit(numberId, learned.of(numberId, sendsPerSecond, clock.now()))
  return {
    slowDown({ numberId, sendsPerSecond }) {
      learned.slowDown(numberId, sendsPerSecond, clock.now())
    },
    async wait(rate, waitMaxMs) {
      const reserved = await limiter.reserve([customerLimit(rate), ofNumber(rate)], waitMaxMs)
      if ('refused' in reserved) {
        metrics.rateLimited.inc({ policy: 'channel', plan: 'none' })
        throw tooFast(reserved.refused, waitMaxMs)
      }
      if (reserved.waitMs > 0) waitingUntil.set(rate.numberId, clock.now() + reserved.waitMs)
      await pause(reserved.waitMs)
    },
    atOnce(rate) {
      const [customer, number] = [customerLimit(rate), ofNumber(rate)]
      if (limiter.reserveNow) {
        const undo = limiter.reserveNow([customer, number])
        return undo && { limits: null, undo }
      }
      const until = waitingUntil.get(rate.numberId)
      if (until !== undefined && until <= clock.now()) waitingUntil.delete(rate.numberId)
      // A write that does not happen reserves nothing.
      return waitingUntil.has(rate.numberId) ? null : { limits: { customer, number }, undo() {} }
    },
    async spare(number, wanted) {
      const limit = halfOf(ofNumber(number))
      const taken = await limiter.takeFree(limit, wanted)
      return { ...taken, giveBack: async (count) => (count > 0 ? limiter.giveBack(limit, count) : undefined) }
    },
    async takeCustomer(rate) {
      const limit = customerLimit(rate)
      const reserved = await limiter.reserve([limit], 0)
      return 'refused' in reserved ? Math.max(1, await limiter.look(limit)) : 0
    },
    async waitAgain(rate, waitMaxMs) {
      const reserved = await limiter.reserve([ofNumber(rate)], waitMaxMs)
      if ('refused' in reserved) return false
      await pause(reserved.waitMs)
      return true
    },
    async look(rate, waitMaxMs) {
      const waits = await Promise.all([customerLimit(rate), ofNumber(rate)].map((limit) => limiter.look(limit)))
      const refused = waits.findIndex((waitMs) => waitMs > waitMaxMs)
      return { waitMs: Math.max(...waits), refusal: refused === -1 ? null : tooFast(refused, waitMaxMs) }
    },
  }
}

function customerLimit({ numberId, customer }: SendRate): RateLimit {
  return { key: `${numberId} ${customer}`, everyMs: customerEveryMs, burst: customerBurst }
}

function numberLimit(numberId: string, sendsPerSecond: number): RateLimit {
  const burst = Math.max(1, Math.floor(sendsPerSecond * burstSeconds))
  return { key: numberId, everyMs: 1_000 / sendsPerSecond, burst }
}

/** With a burst of one, a timer that is late would cost the number a part of its rate. */
function halfOf(limit: RateLimit): RateLimit {
  return { ...limit, burst: Math.max(Math.min(2, limit.burst), Math.floor(limit.burst / 2)) }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}

/** `refused` is the index of the limit that would take too long: 0 is that of the customer, 1 that of the number. */
function tooFast(refused: number, waitMaxMs: number): AppError {
  const [sentence, retryAfterMs] =
    refused === 0
      ? ['Too many messages were sent to this customer in a short time.', customerEveryMs]
      : ['This number has reached its rate limit at Meta.', waitMaxMs]
  return new AppError('channel_rate_limited', `${sentence} Nothing was sent.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
    ...(refused === 0 && { ofCustomer: true as const }),
  })
}

type Learned = { sendsPerSecond: number; at: number }

const onceMs = 5_000
const recoverEveryMs = 5_000
const recoverShare = 0.1

/**
 * The rate a number really has, learnt from the platform's refusals: a number in use with the WhatsApp Business app takes
 * 20 a second, and the platform does not always say so. A refusal halves the rate, and the refusals of five seconds count
 * once, so that one burst does not starve the sends that wait; a tenth of the nominal rate comes back every five seconds.
 * Each process learns for itself.
 */
class LearnedRate {
  readonly #rates = new Map<string, Learned>()

  slowDown(numberId: string, nominal: number, now: number): void {
    const known = this.#known(numberId, now)
    if (known && now - known.at < onceMs) return
    this.#rates.set(numberId, { sendsPerSecond: Math.max(1, this.of(numberId, nominal, now) / 2), at: now })
  }

  of(numberId: string, nominal: number, now: number): number {
    const known = this.#known(numberId, now)
    if (!known) return nominal
    const recovered = Math.floor((now - known.at) / recoverEveryMs) * recoverShare * nominal
    const rate = known.sendsPerSecond + recovered
    if (rate < nominal) return rate
    this.#rates.delete(numberId)
    return nominal
  }

  /** What was learnt by a clock that was put back since counts from now. */
  #known(numberId: string, now: number): Learned | undefined {
    const known = this.#rates.get(numberId)
    if (known && known.at > now) this.#rates.set(numberId, { ...known, at: now })
    return this.#rates.get(numberId)
  }
}

type Tools = { concurrency: { sends: ConcurrencyLimiter }; metrics: Metrics }
type Sender = { id: string; sendsPerSecond: number }

// The platform answers within a second. Two seconds' worth keeps a number at full speed when it takes twice as long, and
// bounds what a number costs that gets no answers at all.
const inFlightSeconds = 2
const inFlightMin = 16
const retryAfterSeconds = 3

/** The same without a refusal: null when the limit stays reached for that long. */
export function enterAtOnce(rt: Tools, number: Sender, waitMaxMs = 0): Promise<Release | null> {
  return rt.concurrency.sends.acquire(number.id, concurrencyOf(number), waitMaxMs)
}

/** The share of a number's calls for queued messages and broadcasts. */
export function spareConcurrencyOf(number: Pick<Sender, 'sendsPerSecond'>): number {
  return Math.floor(concurrencyOf(number) / 2)
}

function concurrencyOf({ sendsPerSecond }: Pick<Sender, 'sendsPerSecond'>): number {
  return Math.max(inFlightMin, Math.ceil(sendsPerSecond * inFlightSeconds))
}

/**
 * Enters the number's concurrency limit for sends on their way to the platform, before anything is stored. A number whose
 * answers are slow uses up its own limit and no other.
 */
export async function enterBulkhead(rt: Tools, number: Sender, waitMaxMs: number): Promise<Release> {
  const release = await enterAtOnce(rt, number, waitMaxMs)
  if (release) return release
  rt.metrics.rateLimited.inc({ policy: 'channel_concurrency', plan: 'none' })
  throw new AppError(
    'channel_rate_limited',
    `Meta responds slowly: ${concurrencyOf(number)} messages of this number are already waiting for a response. Nothing was sent.`,
    { retryAfterSeconds },
  )
}

export function measureBulkheads({ concurrency, metrics }: Tools): void {
  const { running, full } = concurrency.sends.look()
  metrics.channelSendsInFlight.set({}, running)
  metrics.channelNumbersAtLimit.set({}, full)
}
