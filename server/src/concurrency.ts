import { type ConcurrencyLimiter, createConcurrencyLimiter } from './lib/concurrency-limiter.ts'

/** What may run at once for one number, so that a slow one slows nobody else. */
export type Concurrency = {
  /** Sends on their way to the platform, by number. */
  readonly sends: ConcurrencyLimiter
}

export function createConcurrency(): Concurrency {
  return { sends: createConcurrencyLimiter() }
}
