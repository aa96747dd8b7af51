import { traceId } from '../ids.ts'
import type { Json } from './json.ts'

type Extra = {
  status?: number
  subcode?: number
  message?: string
  type?: string
  userTitle?: string
  userMessage?: string
  headers?: string[]
}

/** A refusal in the platform's own words; thrown by handlers, written by the server. */
export class GraphError extends Error {
  override name = 'GraphError'
  readonly code: number
  readonly status: number
  readonly headers: string[]
  readonly body: Json

  constructor(code: number, details: string | undefined, extra: Extra) {
    const known = CODES[code] ?? [400, 'Unknown error']
    const message = extra.message ?? `(#${code}) ${known[1]}`
    super(message)
    this.code = code
    this.status = extra.status ?? known[0]
    const reason = this.status === 401 ? 'invalid_token' : 'invalid_request'
    // A header is Latin-1 without quotes or line ends; the message may quote what the caller sent.
    const safe = message.replace(/[^\x20-\x7e]|["\\]/g, ' ')
    this.headers = ['WWW-Authenticate', `OAuth "Facebook Platform" "${reason}" "${safe}"`, ...(extra.headers ?? [])]
    const error: Json = { message, type: extra.type ?? 'OAuthException', code }
    if (details !== undefined) error.error_data = { messaging_product: 'whatsapp', details }
    if (extra.subcode !== undefined) error.error_subcode = extra.subcode
    if (extra.userTitle !== undefined) error.is_transient = false
    if (extra.userTitle !== undefined) error.error_user_title = extra.userTitle
    if (extra.userMessage !== undefined) error.error_user_msg = extra.userMessage
    error.fbtrace_id = traceId()
    this.body = { error }
  }
}

export function graphError(code: number, details?: string, extra: Extra = {}): GraphError {
  return new GraphError(code, details, extra)
}

/** Whatever goes wrong inside the sandbox itself still looks like the platform's own "unknown error". */
export function asGraphError(log: (line: object) => void, error: unknown): GraphError {
  if (error instanceof GraphError) return error
  log({ event: 'internal_error', error: error instanceof Error ? error.stack : String(error) })
  return graphError(1, undefined, { status: 500, message: 'An unknown error occurred' })
}

export function missing(parameter: string): GraphError {
  return graphError(131008, `Parameter '${parameter}' is required`)
}

export function invalid(details: string): GraphError {
  return graphError(131009, details)
}

/**
 * An id that exists nowhere, belongs to another app or account, or cannot do what was asked: the platform does not say
 * which.
 */
export function unknownNode(method: string, id: string): GraphError {
  const verb = method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'post'
  return graphError(100, undefined, {
    subcode: 33,
    type: 'GraphMethodException',
    message:
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, ` +
      'or does not support this operation. Please read the Graph API documentation.',
  })
}

/** Management calls say "Invalid parameter" and put the human reason into the user fields. */
export function managementError(subcode: number, userTitle: string, userMessage: string): GraphError {
  return graphError(100, undefined, { subcode, message: 'Invalid parameter', userTitle, userMessage })
}

/** The same failure as an item of `errors[]` in a callback. */
export function callbackError(code: number, details?: string): Json {
  const title = CODES[code]?.[1] ?? 'Unknown error'
  return {
    code,
    title,
    message: title,
    error_data: { details: details ?? ASYNC_DETAILS[code] ?? title },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  }
}

const ASYNC_DETAILS: Record<number, string> = {
  131026: 'Message was not delivered: the recipient cannot be reached on this channel.',
  131047: 'Message failed because more than 24 hours have passed since the customer last wrote to this number.',
  131049: 'The message was not delivered, to keep the ecosystem healthy. Retrying at once will not help.',
  131053: 'The media could not be fetched or its type is not the declared one.',
  132015: 'The template was paused before the held message could be released.',
}

const CODES: Record<number, [status: number, title: string]> = {
  0: [401, 'AuthException'],
  1: [400, 'API Unknown'],
  2: [503, 'API Service'],
  3: [500, 'API Method'],
  4: [400, 'Application request limit reached'],
  10: [403, 'Permission Denied'],
  33: [400, 'Parameter value is not valid'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Access token has expired'],
  200: [403, 'API Permission'],
  368: [403, 'Temporarily blocked for policies violations'],
  2200: [400, 'Callback verification failed'],
  80008: [400, 'There have been too many calls to this WhatsApp Business account'],
  80007: [400, 'Rate limit issues'],
  130403: [400, 'User is blocked by the business'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, 'Business account is restricted from messaging users in this country'],
  131000: [500, 'Something went wrong'],
  131005: [403, 'Access denied'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131030: [400, 'Recipient phone number not in allowed list'],
  131031: [403, 'Account has been locked'],
  131037: [400, 'Display name approval needed'],
  131042: [400, 'Business eligibility payment issue'],
  131045: [500, 'Incorrect certificate'],
  131047: [400, 'Re-engagement message'],
  131048: [400, 'Spam rate limit hit'],
  131049: [400, 'Meta chose not to deliver'],
  131050: [400, 'User stopped marketing messages'],
  131051: [400, 'Unsupported message type'],
  131052: [400, 'Media download error'],
  131053: [400, 'Media upload error'],
  131055: [400, 'Method not allowed'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Account in maintenance mode'],
  131061: [400, 'Max-price templates are not supported on this endpoint'],
  131062: [400, 'Business-scoped User ID (BSUID) recipients are not supported for this message.'],
  131063: [400, 'Marketing templates are turned off on Cloud API'],
  131064: [400, 'Limit after template misclassification'],
  131065: [400, 'Max price is not available in the country of the recipient'],
  131070: [400, 'Thread is owned by another responder'],
  2593107: [400, 'The data of the WhatsApp Business app was asked for already'],
  2593108: [400, 'The data of the WhatsApp Business app can be asked for within 24 hours'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Template Hydrated Text Too Long'],
  132007: [400, 'Template Format Character Policy Violated'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is Paused'],
  132016: [400, 'Template is Disabled'],
  132018: [400, 'Template validation error'],
  132021: [400, 'Template name is taken'],
  132068: [400, 'Flow is blocked'],
  132069: [400, 'Flow is throttled'],
  133000: [500, 'Incomplete Deregistration'],
  133004: [503, 'Server Temporarily Unavailable'],
  133005: [400, 'Two step verification PIN Mismatch'],
  133006: [400, 'Phone number re-verification needed'],
  133008: [400, 'Too many two step verification PIN guesses'],
  133009: [400, 'Two step verification PIN guessed too fast'],
  133010: [400, 'Account not registered'],
  2494191: [400, 'Thread cannot be taken'],
  133015: [400, 'Please wait a few minutes before attempting to register this phone number'],
  133016: [400, 'Account register or deregister rate limit exceeded'],
  134011: [400, 'Payments terms of service not accepted'],
  134100: [400, 'Only marketing messages supported'],
  134101: [400, 'Template is still being synchronised'],
  134102: [500, 'Account is not eligible for marketing messages'],
  135000: [400, 'Generic user error'],
  137000: [400, 'Identity key hash does not match'],
  138000: [400, 'Calling is not enabled for this number'],
  139100: [400, 'Failed to block/unblock users'],
  139101: [400, 'Blocklist limit reached'],
  139102: [400, 'Blocklist concurrent update'],
  200007: [403, 'Template insights are not enabled'],
  147001: [400, 'Username is not available'],
  147005: [400, 'Username is in use on another number of the business'],
}
