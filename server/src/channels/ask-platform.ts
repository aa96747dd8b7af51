import { AppError } from '../contract/app-error.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import type { ChannelNumber } from './require-number.ts'
import { noteTokenRefused } from './token.ts'

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

/** A call about a number and not about a message; `subject` begins the sentence of a refusal: "the business profile". */
export async function askPlatform<T>(
  rt: Runtime,
  number: ChannelNumber,
  subject: string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.tokenRefused) await noteTokenRefused(rt, number.channelId, number.channelRevision)
    throw platformRefusal(error, (code) => sentences[code]?.(subject) ?? `Meta rejected ${subject}.`)
  }
}

const sentences: Partial<Record<PlatformError['code'], (subject: string) => string>> = {
  channel_rate_limited: () => 'Meta is rate-limiting calls for this number.',
  upstream_unavailable: (subject) => `Meta did not respond about ${subject}. You can repeat the same request.`,
  channel_auth_failed: () => "Meta rejects the gateway's access token. The operator must reconnect the channel.",
  channel_permission_missing: () =>
    "The gateway's token lacks a permission at Meta. The operator must reconnect the channel.",
  link_not_found: () => 'The number has no such short link.',
  invalid_cursor: (subject) => `Since the previous page, ${subject} has changed. Start again without the cursor.`,
}
