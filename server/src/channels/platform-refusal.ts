import { AppError } from '../contract/app-error.ts'
import type { PlatformError, PlatformErrorCode } from '../platform/platform-error.ts'

const retrySeconds: Partial<Record<PlatformErrorCode, number>> = { channel_rate_limited: 60, upstream_unavailable: 5 }

/**
 * A call that failed at the platform and was not about a message, as the caller is told. "Unknown" is about sends: what is
 * changed here can be repeated, or is found by the next look.
 */
export function platformRefusal(error: PlatformError, sentenceOf: (code: PlatformErrorCode) => string): AppError {
  const { upstream, retryAfterMs } = error
  const code = error.code === 'send_outcome_unknown' ? 'upstream_unavailable' : error.code
  const detail = upstream.code === null ? '' : ` (Meta code ${upstream.code})`
  const retryAfterSeconds = retryAfterMs === undefined ? retrySeconds[code] : Math.ceil(retryAfterMs / 1_000)
  return new AppError(code, `${sentenceOf(code)}${detail}`, {
    upstream,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  })
}
