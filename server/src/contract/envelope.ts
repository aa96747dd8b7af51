import Type, { type TSchema } from 'typebox'
import { errorCodes } from './errors.ts'
import { fieldCodes } from './field-codes.ts'
import { named, object, oneOf, ref } from './schema.ts'

/** `{success: true, data}`: the shape of every answer that is not a refusal. */
export function answer<S extends TSchema>(data: S) {
  return object({ success: Type.Literal(true), data })
}

export function ok<T>(data: T): { success: true; data: T } {
  return { success: true, data }
}

const errorTypes = [
  'invalid_request',
  'authentication',
  'permission',
  'not_found',
  'rate_limit',
  'channel',
  'server',
] as const

export const ErrorDetail = named(
  'ErrorDetail',
  object({
    field: Type.String({ description: 'Dotted path with indexes, for example components[1].parameters[0].text.' }),
    location: oneOf(['body', 'query', 'path', 'header']),
    code: oneOf(fieldCodes),
    message: Type.String(),
    received: Type.Optional(Type.String({ description: 'What was sent; only short values that are no secret.' })),
    example: Type.Optional(Type.Unknown({ description: 'A correct value to copy.' })),
  }),
)

export const ApiError = named(
  'ApiError',
  object({
    code: oneOf(errorCodes, { description: 'Stable; new ones may appear, none is renamed inside v1.' }),
    type: oneOf(errorTypes),
    status: Type.Integer({ description: 'The HTTP status, for logs that lose it.' }),
    message: Type.String({ description: 'One sentence for a developer; its wording may change.' }),
    retryable: Type.Boolean({
      description: 'True when the identical request can succeed later; on POST only with the same Idempotency-Key.',
    }),
    request_id: Type.String(),
    doc_url: Type.String(),
    details: Type.Optional(Type.Array(ref(ErrorDetail))),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds; the same number as the Retry-After header.' })),
    required_scope: Type.Optional(Type.String()),
    limit: Type.Optional(
      object({
        policy: oneOf(['hour', 'day']),
        quota: Type.Integer(),
        used: Type.Integer(),
        window_seconds: Type.Integer(),
        resets_at: Type.String({ format: 'date-time' }),
      }),
    ),
    message_id: Type.Optional(Type.String({ description: 'Provisional id of the stored record.' })),
    upstream: Type.Optional(
      object({
        code: Type.Union([Type.Integer(), Type.Null()]),
        title: Type.Union([Type.String(), Type.Null()]),
        detail: Type.Union([Type.String(), Type.Null()]),
        trace_id: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),
)

export const ErrorAnswer = named(
  'ErrorAnswer',
  object({ success: Type.Literal(false), data: Type.Null(), error: ref(ApiError) }),
)

/** The closed table of the specification; every operation documents it, by reference to one response per status. */
export const refusals = {
  400: { name: 'BadRequest', description: 'The request cannot be carried out as it is. `error.code` says why.' },
  401: { name: 'Unauthorized', description: 'The credentials are missing, wrong or no longer valid.' },
  403: { name: 'Forbidden', description: 'The credentials are valid, but do not allow this.' },
  404: { name: 'NotFound', description: 'What the request names does not exist in this account.' },
  429: { name: 'TooManyRequests', description: 'Too many requests. `Retry-After` says when to repeat the request.' },
  500: {
    name: 'ServerError',
    description: 'The gateway failed. `error.retryable` says whether to repeat the request.',
  },
} as const

export const errorStatuses = Object.keys(refusals).map(Number) as (keyof typeof refusals)[]

/** Documented on every route that honours the header; its value is judged by messages/idempotency.ts. */
export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      description: 'Repeating the request with the same key within 24 hours has one effect and gets the same answer.',
      examples: ['order-A-1001'],
    }),
  ),
})

export const Pagination = named(
  'Pagination',
  object({
    limit: Type.Integer(),
    has_more: Type.Boolean(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
)
