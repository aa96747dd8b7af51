import { AppError } from '../../contract/app-error.ts'
import { type ErrorCode, errorTable } from '../../contract/errors.ts'
import type { PlatformError } from '../../platform/platform-error.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import type { MessageFailure } from '../message-record.ts'

/** The error for the caller of a send that the platform rejected. */
export function explainRefusal(failure: PlatformError, row: MessageRow): AppError {
  const { upstream, retryAfterMs } = failure
  return new AppError(failure.code, refusalSentence(failure), {
    messageId: row.id,
    upstream,
    ...(retryAfterMs === undefined ? retryDefaults(failure) : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
    cause: failure,
  })
}

/** The error in the message's record and event. */
export function failureOfRefusal(refusal: PlatformError): MessageFailure {
  const { code, retryable, upstream } = refusal
  return { code, message: refusalSentence(refusal), retryable, upstream }
}

/** The same words for the caller, the record of the message and its event. */
function refusalSentence({ code, upstream }: PlatformError): string {
  const detail = upstream.code === null ? '' : ` (Meta code ${upstream.code})`
  return `${sentences[code] ?? errorTable[code].title}${detail}`
}

/** The platform took the message, and said within seconds why it does not deliver it. */
export function reportedRefusal(row: MessageRow): AppError {
  const { code, upstream } = JSON.parse(row.error ?? '{}') as Partial<MessageFailure>
  const known = code !== undefined && code in errorTable ? (code as ErrorCode) : 'channel_rejected'
  const sentence = sentences[known as PlatformError['code']] ?? 'Meta accepted the message and could not deliver it.'
  const retry = retryDefaults({ code: known })
  return new AppError(known, sentence, { messageId: row.id, ...(upstream ? { upstream } : {}), ...retry })
}

export function outcomeUnknown(messageId: string, cause?: unknown): AppError {
  return new AppError(
    'send_outcome_unknown',
    'Meta was called and did not confirm the message. The message may have been sent: do not send it again. It is resolved when Meta reports its status.',
    { messageId, ...(cause === undefined ? {} : { cause }) },
  )
}

function retryDefaults(failure: { code: ErrorCode }): { retryAfterSeconds?: number } {
  return repeatHelps(failure) ? { retryAfterSeconds: 5 } : {}
}

/** Nothing was sent, and the same send may succeed later: as the caller is told by `retryable`. */
export function repeatHelps({ code }: { code: ErrorCode }): boolean {
  return errorTable[code].retryable
}

const sentences: Partial<Record<PlatformError['code'], string>> = {
  channel_rate_limited: 'Meta is rate-limiting this number, or messages to this customer. Nothing was sent.',
  upstream_unavailable: 'Meta cannot be reached. Nothing was sent.',
  channel_auth_failed: "Meta rejects the gateway's access token. The operator must reconnect the channel.",
  channel_permission_missing:
    "The gateway's token lacks a permission at Meta for this number. The operator must reconnect the channel.",
  channel_number_not_registered: 'The number is not registered with the Cloud API. The operator must register it.',
  channel_payment_missing: 'Meta requires a valid payment method for this WhatsApp Business account.',
  channel_display_name_needed: 'Meta has not approved the display name of this number.',
  recipient_unreachable: 'The recipient cannot receive messages on this channel.',
  recipient_not_allowed: "The recipient is not on the test number's list at Meta.",
  template_paused: 'Meta has paused this template.',
  channel_rejected: 'Meta rejected the message.',
  channel_account_restricted: 'Meta has restricted this WhatsApp Business account or number.',
}
