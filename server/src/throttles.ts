import { AppError } from './contract/app-error.ts'
import { createThrottle, type Throttle } from './lib/gcra.ts'

/** Acts that cost others something, ten a minute for each account, by whatever door they come in. */
export type Throttles = {
  /** Each may cost a review by a person. */
  readonly templateCreations: Throttle
  /** Tests and challenges asked for by hand: without a limit anybody's server could be flooded through us. */
  readonly webhookChecks: Throttle
  /** Each reads a whole log. */
  readonly exports: Throttle
}

const tenPerMinute = { everyMs: 6_000, burst: 10 }

export function createThrottles(): Throttles {
  return {
    templateCreations: createThrottle(tenPerMinute),
    webhookChecks: createThrottle(tenPerMinute),
    exports: createThrottle(tenPerMinute),
  }
}

/** Takes one for the account, or refuses and says when to come back. */
export function requirePace(throttle: Throttle, accountId: string, now: number, sentence: string): void {
  const waitMs = throttle.take(accountId, now)
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}
