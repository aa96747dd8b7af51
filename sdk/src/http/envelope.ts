import type { PosternError } from '../errors.ts'
import type { AnswerFacts } from './api-promise.ts'
import { toCamel } from './case.ts'
import { errorFrom, errorFromWire, typeForStatus } from './error-from.ts'
import { rateLimitFrom } from './rate-limit.ts'
import { retryAfterSeconds } from './retry.ts'

/** A finished exchange: both outcomes are ordinary here, the caller decides what to repeat and what to throw. */
export type Outcome =
  | { ok: true; data: unknown; response: AnswerFacts }
  | { ok: false; error: PosternError; response?: AnswerFacts }

/** What must be known of a call to read its answer. */
export interface ReadContext {
  expect: 'json' | 'response'
  idempotencyKey: string | undefined
  nowMs: () => number
}

/** Reads an answer: the data of the envelope, or the error it carries, or what a proxy put in its place. */
export async function readOutcome(response: Response, context: ReadContext): Promise<Outcome> {
  const { expect, idempotencyKey, nowMs } = context
  const facts = answerFacts(response)
  if (expect === 'response' && response.ok) return { ok: true, data: response, response: facts }
  const envelope = parseObject(await response.text())
  if (response.ok && envelope?.success === true) return { ok: true, data: toCamel(envelope.data), response: facts }
  const answer = {
    status: response.status,
    requestId: facts.requestId,
    retryAfter: retryAfterSeconds(response.headers.get('retry-after'), nowMs()),
    idempotencyKey,
  }
  const error = isObject(envelope?.error) ? errorFromWire(envelope.error, answer) : notFromGateway(response, answer)
  return { ok: false, error, response: facts }
}

function answerFacts({ status, headers }: Response): AnswerFacts {
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: rateLimitFrom(headers),
    idempotentReplayed: headers.get('idempotent-replayed') === 'true',
  }
}

/**
 * The parser's own complaint is dropped on purpose: it quotes the body, and the body can hold a token or a message.
 */
function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** 408, 429 and every 5xx of a proxy are passing states; a 2xx or 3xx that is no envelope is a wrong `baseUrl`. */
function notFromGateway(response: Response, answer: { status: number; requestId: string | undefined }): PosternError {
  const { status } = answer
  const contentType = response.headers.get('content-type') ?? 'no content type'
  const hint = status < 400 ? ' Does baseUrl point at the gateway itself?' : ''
  return errorFrom({
    ...answer,
    code: 'unexpected_response',
    type: typeForStatus(status),
    message: `The answer (${status}, ${contentType}) did not come from the gateway.${hint}`,
    retryable: status === 408 || status === 429 || status >= 500,
  })
}
