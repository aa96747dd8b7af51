import type { AppError } from './contract/app-error.ts'
import type { RateLimit } from './lib/rate-limiter.ts'

/** What the rate limits of a send depend on: its number, and the customer it goes to. */
export type SendRate = { numberId: string; sendsPerSecond: number; customer: string }

/** What a send reserves with its first write. */
export type RateAtOnce = {
  /** What the write reserves; null where it was reserved in this process. */
  readonly limits: { readonly customer: RateLimit; readonly number: RateLimit } | null
  /** To be called when nothing was written. */
  undo(): void
}

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
  /** The platform said that the number sends too fast: halves its rate, which then recovers. */
  slowDown(rate: SendRate): void
  /** How long a send would wait now, in milliseconds, and the refusal if that is too long; reserves nothing. */
  look(rate: SendRate, waitMaxMs: number): Promise<{ waitMs: number; refusal: AppError | null }>
}
