import {
  AuthenticationError,
  ChannelError,
  ConnectionError,
  type ErrorFacts,
  type ErrorType,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type PosternError,
  RateLimitError,
  ServerError,
} from '../errors.ts'
import { toCamel } from './case.ts'

const classByType = new Map<string, typeof PosternError>([
  ['invalid_request', InvalidRequestError],
  ['authentication', AuthenticationError],
  ['permission', PermissionError],
  ['not_found', NotFoundError],
  ['rate_limit', RateLimitError],
  ['channel', ChannelError],
  ['server', ServerError],
  ['connection', ConnectionError],
])

/** The error of the class its `type` names; a type this version does not know falls back to the HTTP status. */
export function errorFrom(facts: ErrorFacts): PosternError {
  const Class = classByType.get(facts.type) ?? classByType.get(typeForStatus(facts.status)) ?? ServerError
  return new Class(facts)
}

/** The error in the `error` member of an answer. */
export function errorFromWire(wire: object, answer: Partial<ErrorFacts>): PosternError {
  const error = toCamel(wire) as Partial<ErrorFacts>
  return errorFrom({
    ...error,
    code: error.code ?? 'unknown_error',
    type: error.type ?? typeForStatus(answer.status),
    message: error.message ?? 'The gateway gave no reason',
    retryable: error.retryable === true,
    status: answer.status,
    idempotencyKey: answer.idempotencyKey,
    requestId: error.requestId ?? answer.requestId,
    retryAfter: error.retryAfter ?? answer.retryAfter,
  })
}

/** The family an HTTP status stands for, when nothing better is known. */
export function typeForStatus(status: number | undefined): ErrorType {
  if (status === 401) return 'authentication'
  if (status === 403) return 'permission'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limit'
  return status !== undefined && status >= 400 && status < 500 ? 'invalid_request' : 'server'
}
