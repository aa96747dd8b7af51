import { WebhookVerificationError } from '../errors.ts'
import { toCamel } from '../http/case.ts'
import type { PosternEvent, WebhookChallenge } from '../resources/event-types.ts'
import { hmacSha256 } from './hmac-sha256.ts'
import { keyOfSecret } from './webhook-secret.ts'

/** Headers as any server hands them over: a `Headers` of whatever make, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** What `verify` needs. */
export interface VerifyInput {
  /** The body exactly as it arrived, before any JSON parser touched it. */
  body: string | Uint8Array | ArrayBuffer
  /** All headers of the request. */
  headers: WebhookHeaders
  /** The secret the webhook was registered with. */
  secret: string
  /** How far `webhook-timestamp` may be from now, in either direction. Default: 300. */
  toleranceSeconds?: number
}

/**
 * Checks that a webhook request comes from your gateway and returns its event. It is synchronous on every runtime, so
 * no request gets past it for want of an `await`.
 *
 * ```ts
 * const event = webhooks.verify({ body: rawBody, headers: request.headers, secret })
 * if (event.type === 'webhook.verification') return reply(200, event.challenge)
 * if (event.type === 'message.received') console.log(event.data.from)
 * ```
 *
 * Deliveries are repeated until you answer 2xx: remember `event.id` for three days and skip what you have seen. New
 * event types can appear when you subscribe to `*`; ignore the ones you do not know.
 *
 * @throws WebhookVerificationError with the `reason`: headers missing, timestamp too far from now, or no signature
 *   matches. TypeError when the secret or the body is not usable at all.
 */
export function verify(input: VerifyInput): PosternEvent | WebhookChallenge {
  const { headers, secret, toleranceSeconds = 300 } = input
  const key = keyOfSecret(secret)
  const body = bytesOf(input.body)
  const id = requireHeader(headers, 'webhook-id')
  const timestamp = requireHeader(headers, 'webhook-timestamp')
  const signatures = requireHeader(headers, 'webhook-signature')
  checkAge(timestamp, toleranceSeconds)
  const expected = signatureOf(key, id, timestamp, body)
  if (!signatures.split(' ').some((signature) => isSameText(signature, expected))) {
    throw new WebhookVerificationError(
      'no_signature_matches',
      'No signature matches: check the secret, and that the body is passed as it arrived, byte for byte',
    )
  }
  return parseEvent(body)
}

/** What `sign` needs. */
export interface SignInput {
  /** Value of `webhook-id`; the gateway uses the id of the event. */
  id: string
  /** When the delivery is made: a date, or seconds since the epoch. Default: now. */
  timestamp?: Date | number
  /** The body that will be sent, exactly. */
  body: string | Uint8Array | ArrayBuffer
  /** The secret of the webhook. */
  secret: string
}

/** The three headers of a signed delivery. */
export interface SignedHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Signs a body as the gateway does, to test your own receiver:
 *
 * ```ts
 * const body = JSON.stringify({ id: 'evt_1', type: 'message.read', api_version: 'v1', timestamp, data })
 * await fetch('http://localhost:3000/hooks', { method: 'POST', body, headers: webhooks.sign({ id: 'evt_1', body, secret }) })
 * ```
 */
export function sign({ id, timestamp = new Date(), body, secret }: SignInput): SignedHeaders & Record<string, string> {
  const seconds = String(Math.floor(timestamp instanceof Date ? timestamp.getTime() / 1_000 : timestamp))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatureOf(keyOfSecret(secret), id, seconds, bytesOf(body)),
  }
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new TypeError('body must be the raw request body (text or bytes), not a parsed object')
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name)
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError('missing_headers', `The header ${name} is missing`)
  }
  return value
}

function findHeader(headers: WebhookHeaders, name: string): unknown {
  const value: unknown = Object.entries(headers).find(([candidate]) => candidate.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value.join(' ') : value
}

/** Written so that a tolerance or a timestamp that is not a number refuses. */
function checkAge(timestamp: string, toleranceSeconds: number): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const distanceSeconds = Math.abs(Date.now() / 1_000 - seconds)
  if (distanceSeconds <= toleranceSeconds) return
  throw new WebhookVerificationError(
    'timestamp_outside_tolerance',
    Number.isNaN(seconds)
      ? 'webhook-timestamp is not a number of seconds'
      : `webhook-timestamp is ${Math.round(distanceSeconds)} s from now, ${toleranceSeconds} s are allowed`,
  )
}

function signatureOf(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(prefix.length + body.length)
  content.set(prefix)
  content.set(body, prefix.length)
  return `v1,${btoa(String.fromCharCode(...hmacSha256(key, content)))}`
}

/** Takes the same time wherever the texts differ, so the right signature cannot be guessed piece by piece. */
function isSameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let position = 0; position < expected.length; position += 1) {
    difference |= given.charCodeAt(position) ^ expected.charCodeAt(position)
  }
  return difference === 0
}

/** The parser's own complaint would quote the body, and with it a customer's words. */
function parseEvent(body: Uint8Array): PosternEvent | WebhookChallenge {
  try {
    return toCamel(JSON.parse(new TextDecoder().decode(body))) as PosternEvent | WebhookChallenge
  } catch {
    throw new TypeError('The signature matches, but the body is not JSON')
  }
}
