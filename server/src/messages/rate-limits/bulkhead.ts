import type { ChannelNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Release } from '../../lib/async/concurrency-limiter.ts'
import type { Runtime } from '../../runtime.ts'

// The platform answers within a second. Two seconds' worth keeps a number at full speed when it takes twice as long, and
// bounds what a number costs that gets no answers at all.
const inFlightSeconds = 2
const inFlightMin = 16
const retryAfterSeconds = 3

/** The same without a refusal: null when the limit stays reached for that long. */
export function enterAtOnce(rt: Runtime, number: ChannelNumber, waitMaxMs = 0): Promise<Release | null> {
  return rt.concurrency.sends.acquire(number.id, concurrencyOf(number), waitMaxMs)
}

function concurrencyOf({ sendsPerSecond }: ChannelNumber): number {
  return Math.max(inFlightMin, Math.ceil(sendsPerSecond * inFlightSeconds))
}

/**
 * Enters the number's concurrency limit for sends on their way to the platform, before anything is stored. A number whose
 * answers are slow uses up its own limit and no other.
 */
export async function enterBulkhead(rt: Runtime, number: ChannelNumber, waitMaxMs: number): Promise<Release> {
  const release = await enterAtOnce(rt, number, waitMaxMs)
  if (release) return release
  rt.metrics.rateLimited.inc({ policy: 'channel_concurrency', plan: 'none' })
  throw new AppError(
    'channel_rate_limited',
    `Meta responds slowly: ${concurrencyOf(number)} messages of this number are already waiting for a response. Nothing was sent.`,
    { retryAfterSeconds },
  )
}

export function measureBulkheads({ concurrency, metrics }: Runtime): void {
  const { running, full } = concurrency.sends.look()
  metrics.channelSendsInFlight.set({}, running)
  metrics.channelNumbersAtLimit.set({}, full)
}
