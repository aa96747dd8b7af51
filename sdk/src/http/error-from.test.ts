import { expect, test } from 'vitest'
import * as errors from '../errors.ts'
import { errorFromWire } from './error-from.ts'

test.each([
  ['invalid_request', errors.InvalidRequestError],
  ['authentication', errors.AuthenticationError],
  ['permission', errors.PermissionError],
  ['not_found', errors.NotFoundError],
  ['rate_limit', errors.RateLimitError],
  ['channel', errors.ChannelError],
  ['server', errors.ServerError],
])('an error of type %s has its own class, and is a PosternError', (type, Class) => {
  const error = errorFromWire({ code: 'x', type, message: 'm', retryable: false }, { status: 400 })
  expect(error).toBeInstanceOf(Class)
  expect(error).toBeInstanceOf(errors.PosternError)
  expect(error.name).toBe(Class.prototype.name)
})

test.each([
  [400, errors.InvalidRequestError],
  [401, errors.AuthenticationError],
  [403, errors.PermissionError],
  [404, errors.NotFoundError],
  [429, errors.RateLimitError],
  [500, errors.ServerError],
])('a type of a newer gateway falls back to the status %i', (status, Class) => {
  const error = errorFromWire({ code: 'x', type: 'brand_new', message: 'm', retryable: false }, { status })
  expect(error).toBeInstanceOf(Class)
  expect(error.type).toBe('brand_new')
})

test('every fact of the error body arrives', () => {
  const error = errorFromWire(
    {
      code: 'channel_rejected',
      type: 'channel',
      status: 400,
      message: 'The platform refused.',
      retryable: false,
      request_id: 'req_9',
      doc_url: 'https://console.example.test/docs/errors#channel_rejected',
      retry_after: 5,
      required_scope: 'messages:send',
      message_id: 'out_1',
      upstream: { code: 100, title: 't', detail: 'd', trace_id: 'tr' },
      limit: { policy: 'hour', quota: 100, used: 100, window_seconds: 3600, resets_at: '2026-01-01T00:00:00.000Z' },
    },
    { status: 400, requestId: 'req_header', retryAfter: 9, idempotencyKey: 'k1' },
  )
  expect(error).toMatchObject({
    message: 'The platform refused.',
    requestId: 'req_9',
    retryAfter: 5,
    requiredScope: 'messages:send',
    messageId: 'out_1',
    upstream: { traceId: 'tr' },
    limit: { windowSeconds: 3600 },
    idempotencyKey: 'k1',
    details: [],
  })
  expect(error.docUrl).toContain('channel_rejected')
})
