import { AppError } from '../contract/app-error.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency.ts'
import { createThrottle, type Rate, type RateLimiter, type Throttle, takeNow } from './rate.ts'

const tenPerMinute = { everyMs: 6_000, burst: 10 }

/**
 * Acts of an account that cost others something, bounded together for API, console and command line, and for all
 * processes.
 */
const costlyActs = {
  /** Each may cost a review by a person. */
  template: tenPerMinute,
  /** Tests and challenges asked for by hand: without a limit anybody's server could be flooded through us. */
  webhookCheck: tenPerMinute,
  /** An address belongs to one person of all accounts, so each may tell whether another account has it. */
  invitation: { everyMs: 60_000, burst: 20 },
  /** Mails to addresses that a stranger names, by network. */
  passwordLink: { everyMs: 60_000, burst: 5 },
  /** Each reads a whole log. */
  export: tenPerMinute,
} satisfies Record<string, Rate>

type Tools = { sharedRate: RateLimiter }

/** Takes one for the account, or refuses and says when to come back. */
export async function requireWithinLimit(
  { sharedRate }: Tools,
  act: keyof typeof costlyActs,
  accountId: string,
  sentence: string,
): Promise<void> {
  const waitMs = await takeNow(sharedRate, [{ key: `${act} ${accountId}`, ...costlyActs[act] }])
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}

/** Tests and challenges by hand share one allowance: the receiver cannot tell them apart either. */
export async function requireCheckLimit(rt: Tools, accountId: string): Promise<void> {
  const sentence = 'At most ten webhook tests and challenges can be sent per minute.'
  await requireWithinLimit(rt, 'webhookCheck', accountId, sentence)
}

/** Limits per process, which protect the process itself. */
export type Throttles = {
  /**
   * Lists read for a template we do not have, by channel and name: a caller that insists costs one each 30 seconds. A caller
   * waits for the list that its own process reads; refused because another process reads one, it would miss the template.
   */
  readonly missedTemplates: Throttle
  /** The same by channel alone: callers who try many names get four lists at once and then two a minute. */
  readonly missesOfChannel: Throttle
  /**
   * Repeats that the first write of a send finds, by account: each undoes the batch it is in, which is one of this
   * process.
   */
  readonly repeatsInWrites: Throttle
  /** Passwords that are checked at once, see people/passwords.ts. */
  readonly passwordHashing: ConcurrencyLimiter
}

export function createThrottles(): Throttles {
  return {
    missedTemplates: createThrottle({ everyMs: 30_000, burst: 1 }),
    missesOfChannel: createThrottle({ everyMs: 30_000, burst: 4 }),
    repeatsInWrites: createThrottle({ everyMs: 1_000, burst: 1 }),
    passwordHashing: createConcurrencyLimiter(),
  }
}

/** Concurrency per number or account, so that a slow one doesn't slow others. */
export type Concurrency = {
  /** Sends on their way to the platform, by number. */
  readonly sends: ConcurrencyLimiter
  /** Files being fetched from links or handed to the platform, by account. */
  readonly transfers: ConcurrencyLimiter
}

export function createConcurrency(): Concurrency {
  return { sends: createConcurrencyLimiter(), transfers: createConcurrencyLimiter() }
}
