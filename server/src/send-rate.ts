import type { AppError } from './contract/app-error.ts'

/** What the rate limits of a send depend on: its number, and the customer it goes to. */
export type SendRate = { numberId: string; sendsPerSecond: number; customer: string }

export type SendRateLimiter = {
  /** Waits for a reservation of number and customer, or refuses when it would take longer than `waitMaxMs`. */
  wait(rate: SendRate, waitMaxMs: number): Promise<void>
  /**
   * For a message that was throttled by the platform: waits for another reservation of the number, or resolves with false
   * when that would take too long. The limit of the customer has counted the message already.
   */
  waitAgain(rate: SendRate, waitMaxMs: number): Promise<boolean>
  /** The platform said that the number sends too fast: halves its rate, which then recovers. */
  slowDown(rate: SendRate): void
  /** How long a send would wait now, in milliseconds, and the refusal if that is too long; reserves nothing. */
  look(rate: SendRate, waitMaxMs: number): Promise<{ waitMs: number; refusal: AppError | null }>
}
