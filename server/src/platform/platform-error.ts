/**
 * A failure of the chat platform that already carries its decision: what to tell the caller (`code`), whether the
 * message can be out (`outcome`), and when to come back. Nobody above re-reads platform codes or HTTP statuses.
 *
 * - `not_sent`: nothing reached the platform, or it said that it processed nothing; a repeat cannot double a message.
 * - `refused`: the platform read the request and said no.
 * - `unknown`: the request was on its way and the answer is missing or worthless; a repeat may double a message.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly kind: PlatformErrorKind
  readonly outcome: PlatformOutcome
  readonly code: PlatformErrorCode
  readonly retryAfterMs: number | undefined
  readonly upstream: PlatformUpstream
  /** The rule for templates that was broken, where the platform names one. */
  readonly rule: TemplateRule | undefined
  /** The refusal as it came, for clients that speak the platform's dialect themselves. */
  readonly answer: PlatformAnswer | undefined

  constructor(facts: PlatformFailureFacts) {
    super(sentence(facts), facts.cause === undefined ? undefined : { cause: facts.cause })
    this.kind = facts.kind
    this.outcome = facts.outcome
    this.code = facts.code
    this.retryAfterMs = facts.retryAfterMs
    this.upstream = facts.upstream ?? { code: null, title: null, detail: null, trace_id: null }
    this.rule = facts.rule
    this.answer = facts.answer
  }

  /** True where the same request may succeed later without a change and without the risk of a second message. */
  get retryable(): boolean {
    return isRetryable(this.code)
  }

  /** True where the number is beyond its throughput, as opposed to limits of a customer, an app or its quality. */
  get numberTooFast(): boolean {
    return this.upstream.code === 130429
  }

  /**
   * True for the throttles that pass while a send waits: the request was turned away, so a second post can't double the message.
   * Other limits, such as 131057 or a quality limit, are the answer, whatever wait comes with them.
   */
  get passesSoon(): boolean {
    return this.kind === 'throttled' && passingThrottles.includes(this.upstream.code)
  }

  /** True for 190 and its subcodes alone: every other refusal says nothing about whether the token is alive. */
  get tokenRefused(): boolean {
    return this.upstream.code === 190
  }

  /** True where it is the address that is refused: a number it does not reach, or a user id where it needs a number. */
  refusesAddress(kind: 'phone' | 'user'): boolean {
    return this.outcome === 'refused' && this.upstream.code === (kind === 'phone' ? 131026 : 131062)
  }
}

const passingThrottles: readonly (number | null)[] = [4, 17, 32, 80007, 80008, 130429, 131056]

export type PlatformErrorKind = 'throttled' | 'unreachable' | 'rejected' | 'recipient' | 'auth'
export type PlatformOutcome = 'not_sent' | 'refused' | 'unknown'

/** The codes of the public error table that a platform failure can become. */
export type PlatformErrorCode =
  | 'customer_window_closed'
  | 'recipient_unreachable'
  | 'recipient_opted_out'
  | 'recipient_blocked'
  | 'block_window_closed'
  | 'block_list_full'
  | 'invalid_cursor'
  | 'recipient_not_allowed'
  | 'recipient_marketing_limited'
  | 'recipient_in_experiment'
  | 'recipient_country_restricted'
  | 'recipient_is_sender'
  | 'recipient_number_required'
  | 'message_type_not_supported'
  | 'thread_owned_elsewhere'
  | 'max_price_not_available'
  | 'flow_unavailable'
  | 'template_parameter_mismatch'
  | 'template_not_found'
  | 'template_not_approved'
  | 'template_invalid'
  | 'template_paused'
  | 'template_disabled'
  | 'template_syncing'
  | 'template_already_exists'
  | 'template_locked'
  | 'media_link_unreachable'
  | 'media_content_mismatch'
  | 'media_too_large'
  | 'media_not_found'
  | 'customer_media_unavailable'
  | 'link_not_found'
  | 'channel_rate_limited'
  | 'channel_rejected'
  | 'channel_account_restricted'
  | 'channel_spam_limited'
  | 'channel_utility_limited'
  | 'channel_auth_failed'
  | 'channel_permission_missing'
  | 'channel_number_gone'
  | 'channel_number_not_registered'
  | 'channel_number_not_verified'
  | 'channel_pin_rejected'
  | 'channel_display_name_needed'
  | 'channel_payment_missing'
  | 'channel_payment_terms_missing'
  | 'channel_marketing_not_enabled'
  | 'upstream_unavailable'
  | 'send_outcome_unknown'

/** Explanations of the platform's subcodes for templates. */
export type TemplateRule =
  | 'template_limit'
  | 'name_in_deletion'
  | 'not_editable'
  | 'too_long'
  | 'header'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'too_many_variables'
  | 'variable_at_edge'

/** The platform's error, without tokens and the recipient's number. */
export type PlatformUpstream = {
  code: number | null
  title: string | null
  detail: string | null
  trace_id: string | null
}

export type PlatformFailureFacts = {
  kind: PlatformErrorKind
  outcome: PlatformOutcome
  code: PlatformErrorCode
  retryAfterMs?: number | undefined
  upstream?: PlatformUpstream
  rule?: TemplateRule | undefined
  answer?: PlatformAnswer | undefined
  cause?: unknown
}

export type PlatformAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

const retryableCodes: readonly PlatformErrorCode[] = [
  'channel_rate_limited',
  'template_syncing',
  'upstream_unavailable',
  'media_link_unreachable',
]

export function isRetryable(code: PlatformErrorCode): boolean {
  return retryableCodes.includes(code)
}

/** Only codes: titles and details of the platform may quote what the customer or the caller wrote. */
function sentence({ code, outcome, upstream }: PlatformFailureFacts): string {
  const platformCode = upstream?.code == null ? '' : `, Meta code ${upstream.code}`
  return `The call to Meta failed: ${code} (${outcome}${platformCode}).`
}
