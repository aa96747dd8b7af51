import type { FastifyError } from 'fastify'
import { AppError } from '../../contract/app-error.ts'
import { type ErrorCode, errorTable } from '../../contract/errors.ts'
import type { ChatPlatform } from '../../platform/chat-platform.ts'
import type { Dialect } from '../../platform/dialect.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { foreignBody, withAdvice } from '../foreign-request.ts'
import { tooLarge } from './body/read-body.ts'
import { toValidationError } from './body/validation.ts'

export type Problem = { status: number; headers: Record<string, string>; body: object }
type ProblemBody = {
  success: false
  data: null
  error: Record<string, unknown> & { code: ErrorCode; message: string }
}
type ProblemContext = { requestId: string; consoleUrl: string }

/** The answer to a refusal: status and advice come from the table, the sentence from where it was thrown. */
function toProblem(error: AppError, { requestId, consoleUrl }: ProblemContext): Problem & { body: ProblemBody } {
  const { status, type, retryable } = errorTable[error.code]
  const { details, retryAfterSeconds, requiredScope, limit, messageId, upstream, headers = {} } = error.extras
  return {
    status,
    headers: {
      ...headers,
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...challenge(error),
    },
    body: {
      success: false,
      data: null,
      error: {
        code: error.code,
        type,
        status,
        message: error.message,
        retryable,
        request_id: requestId,
        doc_url: `${consoleUrl}/docs/errors#${error.code}`,
        ...(details === undefined ? {} : { details }),
        ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
        ...(requiredScope === undefined ? {} : { required_scope: requiredScope }),
        ...(limit === undefined ? {} : { limit }),
        ...(messageId === undefined ? {} : { message_id: messageId }),
        ...(upstream === undefined ? {} : { upstream }),
      },
    },
  }
}

/** RFC 6750: a 401 says how to authenticate, a missing scope names the scope. */
function challenge({ code, message, extras }: AppError): Record<string, string> {
  const realm = 'Bearer realm="postern"'
  if (code === 'missing_credentials') return { 'www-authenticate': realm }
  if (code === 'insufficient_scope') {
    return { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${extras.requiredScope ?? ''}"` }
  }
  if (errorTable[code].status !== 401) return {}
  return {
    'www-authenticate': `${realm}, error="invalid_token", error_description="${message.replace(/[^\x20-\x7e]|["\\]/g, '')}"`,
  }
}

/** The facts about a body that error messages mention. */
export type RefusedBody = { bodyBytesMax: number; contentType: string | undefined; body: unknown }

/** Everything that can be thrown on the way through Fastify becomes one of our refusals. */
export function toAppError(thrown: unknown, request: RefusedBody): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof StoreUnavailable) {
    return new AppError('service_unavailable', 'The database is not available right now.', {
      retryAfterSeconds: 2,
      cause: thrown,
    })
  }
  const error = thrown as Partial<FastifyError>
  if (error.validation) {
    const part = error.validationContext ?? 'body'
    return toValidationError(error.validation, part, part === 'body' ? foreignBody(request.body) : null)
  }
  const translate = fastifyErrors[error.code ?? '']
  if (translate) return translate(request)
  return new AppError('internal_error', 'Something went wrong in the gateway. Search the log for the request id.', {
    cause: thrown,
  })
}

const fastifyErrors: Record<string, (request: RefusedBody) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyBytesMax }) => tooLarge(bodyBytesMax),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ contentType }) => wrongMediaType(contentType),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => new AppError('malformed_json', 'The body is empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('malformed_request', 'The Content-Length does not match the body.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new AppError('endpoint_not_found', 'A part of the path is longer than any id, so this address does not exist.'),
  FST_ERR_BAD_URL: () => new AppError('malformed_request', 'The path is not a valid URL.'),
}

/** curl and forms send a type of their own where none is given, so the one that came is named. */
export function wrongMediaType(contentType: string | undefined, advice: string | null = null): AppError {
  const [type = ''] = (contentType ?? '').split(';', 1)
  const came = /^[\w.+-]{1,40}(\/[\w.+-]{1,80})?$/.exec(type.trim().toLowerCase())?.[0]
  const shown = came ?? (contentType === undefined ? 'none' : 'another')
  return new AppError(
    'unsupported_media_type',
    withAdvice(`Add the header Content-Type: application/json; this request has ${shown}.`, advice),
  )
}

/** Whether the address, as it came, is one where clients of Meta's dialect look for Meta's errors. */
function isGraph(url: string): boolean {
  return /^\/graph(?:[/?]|$)/.test(url)
}

/** The same refusal in Meta's shape: clients look into it for a code, also in that of an overloaded process. */
export function toGraphProblem(dialect: Dialect, error: AppError, requestId: string): Problem & { code: number } {
  const { cause, retryAfterSeconds, headers } = error.extras
  const theirs = cause instanceof PlatformError && cause.answer ? dialect.passedRefusal(cause.answer) : null
  const { status, body } =
    theirs ?? dialect.refusal({ code: error.code, sentence: error.message, requestId, extras: error.extras })
  const wait = retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined)
  const waiting = wait === undefined ? {} : { 'retry-after': String(wait) }
  return { status, headers: { ...headers, ...waiting }, body, code: dialect.errorCode({ status, body }) ?? 0 }
}

/** The error format at this address. */
export function problemAt(
  { platform }: { platform: Pick<ChatPlatform, 'dialect'> },
  url: string,
  error: AppError,
  context: ProblemContext,
): Problem {
  return isGraph(url) ? toGraphProblem(platform.dialect, error, context.requestId) : toProblem(error, context)
}
