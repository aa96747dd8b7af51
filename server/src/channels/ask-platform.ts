import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { noteTokenRefused } from './note-token-refused.ts'
import { platformRefusal } from './platform-refusal.ts'
import type { ChannelNumber } from './require-number.ts'

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
