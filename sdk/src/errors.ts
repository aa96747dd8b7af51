import type { Answer, Schemas, Word } from './http/wire.ts'

/**
 * What went wrong, as a stable machine code: one of the table of errors, or one of this client, for a call that got no
 * answer (`connection_failed`, `timeout`) or not the gateway's (`unexpected_response`, `unknown_error`). More can appear.
 */
export type ErrorCode =
  | Schemas['ApiError']['code']
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_response'
  | 'unknown_error'
  | Word

/** The family of an error. Clients should treat a family they do not know like `server`. */
export type ErrorType = Schemas['ApiError']['type'] | 'connection' | Word

/** One field that is to blame. */
export interface ErrorDetail extends Answer<'ErrorDetail'> {
  /** Path of the field as it is named on the wire, for example `components[1].parameters[0].text`. */
  field: string
  /** What to do about it. */
  message: string
  /** What was received, when it is short and not secret. */
  received?: string
  /** A correct value to copy. */
  example?: unknown
}

/** What the channel's platform said, for support requests. */
export type UpstreamError = NonNullable<Answer<'ApiError'>['upstream']>

/** The plan quota that was exceeded. */
export type ExceededLimit = NonNullable<Answer<'ApiError'>['limit']>

/** Everything an error can tell; absent facts are `undefined`. */
export interface ErrorFacts {
  code: ErrorCode
  type: ErrorType
  message: string
  retryable: boolean
  status?: number | undefined
  requestId?: string | undefined
  docUrl?: string | undefined
  details?: ErrorDetail[] | undefined
  retryAfter?: number | undefined
  upstream?: UpstreamError | undefined
  messageId?: string | undefined
  requiredScope?: string | undefined
  limit?: ExceededLimit | undefined
  idempotencyKey?: string | undefined
  cause?: unknown
}

/** Base class of every failed call. Decide by `code`, or by class; `message` is for people and may change. */
export class PosternError extends Error {
  /** Stable machine code, for example `customer_window_closed`. */
  readonly code: ErrorCode
  /** The family of the error, which also chose its class. */
  readonly type: ErrorType
  /** HTTP status, `undefined` when no answer arrived. */
  readonly status: number | undefined
  /** True when the identical call can succeed later. The client has used up its own retries already. */
  readonly retryable: boolean
  /** Id of the failed request: quote it to the operator of the gateway. */
  readonly requestId: string | undefined
  /** Page that explains the code. */
  readonly docUrl: string | undefined
  /** The fields to blame; empty when the error is not about fields. */
  readonly details: readonly ErrorDetail[]
  /** Seconds to wait before trying again, when the gateway said so. */
  readonly retryAfter: number | undefined
  /** What Meta said, on channel errors. */
  readonly upstream: UpstreamError | undefined
  /** Id of the stored message, when the failure happened after it was stored. `messages.get()` takes it. */
  readonly messageId: string | undefined
  /** The scope the API key lacks, on `insufficient_scope`. */
  readonly requiredScope: string | undefined
  /** The exceeded quota, on `rate_limit_exceeded`. */
  readonly limit: ExceededLimit | undefined
  /** Key of the failed POST: repeat the call with it and the gateway acts at most once. */
  readonly idempotencyKey: string | undefined

  static {
    PosternError.prototype.name = 'PosternError'
  }

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.type = facts.type
    this.status = facts.status
    this.retryable = facts.retryable
    this.requestId = facts.requestId
    this.docUrl = facts.docUrl
    this.details = facts.details ?? []
    this.retryAfter = facts.retryAfter
    this.upstream = facts.upstream
    this.messageId = facts.messageId
    this.requiredScope = facts.requiredScope
    this.limit = facts.limit
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** The call itself is wrong: fix it before trying again. See `details`. */
export class InvalidRequestError extends PosternError {
  static {
    InvalidRequestError.prototype.name = 'InvalidRequestError'
  }
}

/** The API key, its secret or the access token was refused. */
export class AuthenticationError extends PosternError {
  static {
    AuthenticationError.prototype.name = 'AuthenticationError'
  }
}

/** The key is valid but may not do this. See `requiredScope`. */
export class PermissionError extends PosternError {
  static {
    PermissionError.prototype.name = 'PermissionError'
  }
}

/** No such message, template, media, webhook, delivery or endpoint in this account. */
export class NotFoundError extends PosternError {
  static {
    NotFoundError.prototype.name = 'NotFoundError'
  }
}

/** A plan quota or a limit of Meta. See `retryAfter` and `limit`. */
export class RateLimitError extends PosternError {
  static {
    RateLimitError.prototype.name = 'RateLimitError'
  }
}

/** The channel refused the message: closed window, unreachable recipient, unapproved template. See `upstream`. */
export class ChannelError extends PosternError {
  static {
    ChannelError.prototype.name = 'ChannelError'
  }
}

/** The gateway, or a proxy in front of it, failed. */
export class ServerError extends PosternError {
  static {
    ServerError.prototype.name = 'ServerError'
  }
}

/** No answer arrived: refused, cut off (`connection_failed`) or too slow (`timeout`). `cause` has the reason. */
export class ConnectionError extends PosternError {
  static {
    ConnectionError.prototype.name = 'ConnectionError'
  }
}

/** Which check of `webhooks.verify()` failed. */
export type WebhookVerificationReason = 'missing_headers' | 'timestamp_outside_tolerance' | 'no_signature_matches'

/** A webhook request that did not prove where it came from: answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  /** Which of the three checks failed. */
  readonly reason: WebhookVerificationReason

  static {
    WebhookVerificationError.prototype.name = 'WebhookVerificationError'
  }

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}
