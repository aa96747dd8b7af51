import type { PosternError } from '../errors.ts'

const BACKOFF_MS_FIRST = 500
const BACKOFF_MS_MAX = 8_000

/**
 * How long to wait before the call is repeated, or `undefined` when it must not be. `failures` counts from 1.
 * Full jitter (anything from 0 to the ceiling) keeps clients that failed together from coming back together.
 */
export function retryDelayMs(
  error: PosternError,
  { failures, maxRetries, random }: { failures: number; maxRetries: number; random: () => number },
): number | undefined {
  if (!error.retryable || failures > maxRetries) return undefined
  if (error.retryAfter !== undefined) return error.retryAfter * 1_000
  return Math.round(random() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_FIRST * 2 ** (failures - 1)))
}

/** Seconds a `Retry-After` header asks for, in either of its two forms; proxies like to send the date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - nowMs) / 1_000))
}
