import { dayMs, secondMs } from './durations.ts'

/**
 * The delay in a `Retry-After` header: seconds or an HTTP date, between 1 s and 24 h. Of several headers the
 * first counts. Null when there is none that makes sense.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (value === undefined) return null
  const waitMs = /^[+-]?\d+$/.test(value) ? Number(value) * secondMs : httpDateMs(value) - now
  return Number.isNaN(waitMs) ? null : Math.max(secondMs, aDayAtMost(waitMs))
}

/** Nothing that another machine asks for keeps us away for longer. */
export function aDayAtMost(ms: number): number {
  return Math.min(ms, dayMs)
}

// Date.parse alone would take "abc 5" for a date.
const withZone = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The three forms of RFC 9110, else NaN. The one of C's `asctime` names no zone and means GMT, not the time of this
 * machine.
 */
export function httpDateMs(text: string): number {
  if (withZone.test(text)) return Date.parse(text)
  return asctime.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
