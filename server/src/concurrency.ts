import { type ConcurrencyLimiter, createConcurrencyLimiter } from './lib/async/concurrency-limiter.ts'

/** What may run at once for one number or account, so that a slow one slows nobody else. */
export type Concurrency = {
  /** Sends on their way to the platform, by number. */
  readonly sends: ConcurrencyLimiter
  /** Files being fetched from links or handed to the platform, by account. */
  readonly transfers: ConcurrencyLimiter
}

export function createConcurrency(): Concurrency {
  return { sends: createConcurrencyLimiter(), transfers: createConcurrencyLimiter() }
}
