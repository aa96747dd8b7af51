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

const SECONDS_MAX = 86_400

/** Seconds a `Retry-After` header asks for, from 1 to a day, in either of its two forms; proxies like to send the date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim() ?? ''
  const seconds = /^[+-]?\d+$/.test(value) ? Number(value) : Math.ceil((httpDateMs(value) - nowMs) / 1_000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), SECONDS_MAX)
}

// Date.parse alone would take "abc 5" for a date.
const WITH_ZONE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** The three forms of RFC 9110, else NaN; the last one names no zone and means GMT. */
function httpDateMs(text: string): number {
  if (WITH_ZONE.test(text)) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
