import { AppError } from '../contract/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency.ts'
import { createThrottle, type Throttle } from './rate.ts'

/** Acts that cost others something, bounded together for API, console and command line; mostly ten a minute for each account. */
export type Throttles = {
  /** Each may cost a review by a person. */
  readonly templateCreations: Throttle
  /** Tests and challenges asked for by hand: without a limit anybody's server could be flooded through us. */
  readonly webhookChecks: Throttle
  /** An address belongs to one person of all accounts, so each may tell whether another account has it. */
  readonly invitations: Throttle
  /** Each reads a whole log. */
  readonly exports: Throttle
  /** Lists read for a template we do not have, by channel and name: a caller that insists costs one each 30 seconds. */
  readonly missedTemplates: Throttle
  /** The same by channel alone: callers who try many names get four lists at once and then two a minute. */
  readonly missesOfChannel: Throttle
  /** Repeats that the first write of a send finds, by account: each undoes the batch it is in. */
  readonly repeatsInWrites: Throttle
  /** Passwords that are checked at once, see people/passwords.ts. */
  readonly passwordHashing: ConcurrencyLimiter
}

const tenPerMinute = { everyMs: 6_000, burst: 10 }

export function createThrottles(): Throttles {
  return {
    templateCreations: createThrottle(tenPerMinute),
    webhookChecks: createThrottle(tenPerMinute),
    invitations: createThrottle({ everyMs: 60_000, burst: 20 }),
    exports: createThrottle(tenPerMinute),
    missedTemplates: createThrottle({ everyMs: 30_000, burst: 1 }),
    missesOfChannel: createThrottle({ everyMs: 30_000, burst: 4 }),
    repeatsInWrites: createThrottle({ everyMs: 1_000, burst: 1 }),
    passwordHashing: createConcurrencyLimiter(),
  }
}

/** Takes one for the account, or refuses and says when to come back. */
export function requireWithinLimit(throttle: Throttle, accountId: string, now: number, sentence: string): void {
  const waitMs = throttle.take(accountId, now)
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}

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

/** Tests and challenges by hand share one allowance: the receiver cannot tell them apart either. */
export function requireCheckLimit(rt: { throttles: Throttles; clock: Clock }, accountId: string): void {
  const sentence = 'At most ten webhook tests and challenges can be sent per minute.'
  requireWithinLimit(rt.throttles.webhookChecks, accountId, rt.clock.now(), sentence)
}
