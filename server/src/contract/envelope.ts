import Type, { type TSchema } from 'typebox'
import { errorCodes } from './errors.ts'
import { boolean, fieldCodes, instant, integer, model, nullable, object, oneOf, part, ref, text } from './schema.ts'

/** `{success: true, data}`: the shape of every answer that is not a refusal. */
export function answer<S extends TSchema>(data: S) {
  return object({ success: Type.Literal(true, { description: 'Always true; false in an error.' }), data })
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

export const ErrorDetail = model('ErrorDetail', 'One wrong field of the request.', {
  field: text('Dotted path with indexes, for example components[1].parameters[0].text.'),
  location: oneOf(['body', 'query', 'path', 'header'], { description: 'The part of the request the field is in.' }),
  code: oneOf(fieldCodes, { description: 'What is wrong with the field.' }),
  message: text('How to write the field, in one sentence.'),
  received: Type.Optional(text('The value that was sent; only short values that are not secret.')),
  example: Type.Optional(Type.Unknown({ description: 'A correct value to copy.' })),
})

/** Meta's error, passed on for support. */
export const Upstream = part("Meta's error, when Meta rejected the call.", {
  code: nullable(integer("Meta's error code.")),
  title: nullable(text("Meta's title of the error.")),
  detail: nullable(text("Meta's explanation.")),
  trace_id: nullable(text("Id of the call at Meta, for Meta's support.")),
})

export const ApiError = model('ApiError', 'Why a request was rejected.', {
  code: oneOf(errorCodes, {
    description: 'Stable code of the error. New codes may be added; none is renamed within v1.',
  }),
  type: oneOf(errorTypes, { description: 'Group of the code, for clients that do not know the code itself.' }),
  status: integer('The HTTP status, repeated for logs that do not record it.'),
  message: text('Human-readable explanation; its wording may change.'),
  retryable: boolean('True when the identical request can succeed later; on POST only with the same Idempotency-Key.'),
  request_id: text('Id of the request, also in the `X-Request-Id` header. Quote it when you ask for help.'),
  doc_url: text('Page that explains the code.'),
  details: Type.Optional(
    Type.Array(ref(ErrorDetail), {
      description: 'Every wrong field; only with `validation_failed` and similar codes.',
    }),
  ),
  retry_after: Type.Optional(integer('Seconds; the same number as the Retry-After header.')),
  required_scope: Type.Optional(text('The scope the API key lacks.')),
  limit: Type.Optional(
    part('The limit of the plan that was reached; only with `rate_limit_exceeded`.', {
      policy: oneOf(['hour', 'day'], { description: 'Which limit of the plan was reached.' }),
      quota: integer('Requests the plan allows in the window.'),
      used: integer('Requests made in the window.'),
      window_seconds: integer('Length of the window in seconds.'),
      resets_at: instant({ description: 'When the window ends.' }),
    }),
  ),
  message_id: Type.Optional(text('Provisional id of the stored record.')),
  upstream: Type.Optional(Upstream),
})

export const ErrorAnswer = model('ErrorAnswer', 'The body of every error.', {
  success: Type.Literal(false, { description: 'Always false.' }),
  data: Type.Null({ description: 'Always null.' }),
  error: ref(ApiError),
})

/** The closed table of the specification; every operation documents it, by reference to one response per status. */
export const refusals = {
  400: { name: 'BadRequest', description: 'The request is not valid. `error.code` says why.' },
  401: { name: 'Unauthorized', description: 'The credentials are missing, wrong or no longer valid.' },
  403: { name: 'Forbidden', description: 'The credentials are valid, but do not allow this.' },
  404: { name: 'NotFound', description: 'The object or path does not exist in this account.' },
  429: { name: 'TooManyRequests', description: 'Too many requests. `Retry-After` says when to repeat the request.' },
  500: {
    name: 'ServerError',
    description: 'The gateway failed. `error.retryable` says whether to repeat the request.',
  },
} as const

export const errorStatuses = Object.keys(refusals).map(Number) as (keyof typeof refusals)[]

/** Documented on every route that honours the header; its value is judged by access/idempotency.ts. */
export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    text('A request that is repeated with the same key within 24 hours has one effect, and gets the same response.', {
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      examples: ['order-A-1001'],
    }),
  ),
})

export const Pagination = model('Pagination', 'Where the page is in the whole list.', {
  limit: integer('Entries per page, as requested.', { examples: [25] }),
  has_more: boolean('Whether another page follows; it can be empty.', { examples: [false] }),
  next_cursor: nullable(text('Send it as `cursor` to get the next page; null on the last page.', { examples: [null] })),
  searched_back_to: Type.Optional(
    instant({
      description:
        'Only on a page whose search ended before the page was full: entries up to this time were searched, and the next page continues there.',
    }),
  ),
})
