import type { FastifyRequest } from 'fastify'
import type { KeyClaim } from '../../access/keys/prove-key.ts'
import { createRequestRecorder, type Exchange } from '../../access/request-log.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { maskCredentials, maskPhone, maskQuery } from '../../lib/text/mask.ts'
import { namesSecret, redactFields } from '../../observe/log-redaction.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'
import type { OnFinished } from './finished.ts'

const charactersMax = 64

/**
 * One row per API call for the console's request log: refusals and sends, all calls, or none. Calls of strangers belong
 * to no account and are in the server's log only. Nobody waits for the row.
 */
export function addRequestLog(app: App, rt: Runtime, onFinished: OnFinished): void {
  const { requestLog } = rt.config
  if (requestLog === 'off') return
  const recorder = createRequestRecorder(rt)
  app.addHook('onClose', () => recorder.close())
  rememberAnswers(app)
  onFinished((request, reply, status) => {
    const route = request.routeOptions.config.documentedUrl ?? request.routeOptions.url ?? ''
    const owner = ownerOf(request, status)
    if (!owner || !route.startsWith('/v1/')) return
    if (requestLog === 'refused' && !isRefused(status) && !isSend(request, route)) return
    const row = {
      id: request.requestId,
      account_id: owner.accountId,
      key_id: owner.keyId,
      at: request.startedAt,
      method: request.method,
      route,
      status,
      code: request.problemCode,
      duration_ms: Math.round(reply.elapsedTime),
      body: isRefused(status) ? redactedBody(request.body) : null,
      path: null,
      answer: null,
    }
    recorder.record(row, () => exchangeOf(request), isSend(request, route) ? numberIn(request.body) : null)
  })
}

/**
 * Who reads of the call: the caller, or the owner of the key that asked for a token, also with a wrong secret. Not once
 * the guessing is slowed down (429), nor of calls that were broken off: an attacker who knows a public key could otherwise
 * push everything else out of the log.
 */
function ownerOf({ caller, claim }: FastifyRequest, status: number): KeyClaim | null {
  return caller ?? (!isRefused(status) || status === 401 || status === 403 ? claim : null)
}

function isRefused(status: number): boolean {
  return status >= 400
}

function isSend({ method }: FastifyRequest, route: string): boolean {
  return method === 'POST' && route.startsWith('/v1/chat/messages/')
}

function numberIn(body: unknown): string | null {
  const { from } = (body ?? {}) as { from?: unknown }
  return typeof from === 'string' ? from : null
}

/** Names, states and addresses of our own making; every other text may be a customer's, under whatever name it came. */
const readable = new Set([
  'category',
  'events',
  'format',
  'language',
  'media_id',
  'order',
  'parameter_format',
  'status',
  'sub_type',
  'template',
  'type',
])
const people = new Set(['customer', 'from', 'phone', 'phone_number', 'recipient', 'to'])

/**
 * What was sent, without texts, secrets and people: enough to see which field was wrong. Of a text that is not known to
 * be harmless only the length is kept.
 */
function redactedBody(body: unknown): string | null {
  if (!isRecord(body) || Buffer.isBuffer(body)) return null
  return cutToKept(JSON.stringify(outlineOf('', redactFields(body))))
}

function outlineOf(name: string, value: unknown): unknown {
  if (typeof value === 'string') return outlineOfText(name, value)
  // A phone number whose quotes were forgotten.
  if (typeof value === 'number') return Math.abs(value) < 1e6 ? value : '[number]'
  if (Array.isArray(value)) return value.map((entry) => outlineOf(name, entry))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, outlineOf(key, entry)]))
}

function outlineOfText(name: string, text: string): string {
  const isShort = text.length <= charactersMax
  if (readable.has(name) && isShort) return text
  if (people.has(name) && /^\+\d+•+\d+$/.test(text)) return text
  const parsed = people.has(name) ? parseRecipient(text) : null
  return parsed?.ok ? maskPhone(parsed.value) : `[${text.length} characters]`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The answer as it left; null for files and streams. */
    answerText: string | null
  }
}

const bytesMax = 2_048
/** Longer answers are not read for the sake of their beginning. */
const answerCharactersMax = 65_536

function rememberAnswers(app: App): void {
  app.decorateRequest('answerText', null)
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.answerText = typeof payload === 'string' ? payload : null
    done(null, payload)
  })
}

/** A call and its answer as they were, but for secrets. */
function exchangeOf(request: FastifyRequest): Exchange {
  return { path: cutToKept(maskCredentials(request.url)), body: bodyOf(request), answer: answerOf(request.answerText) }
}

/** Empty where there was none; null where it could not be read, or is a file. */
function bodyOf({ body, headers }: FastifyRequest): string | null {
  if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) return withoutSecrets(body)
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  return isEmpty ? '' : null
}

function answerOf(text: string | null): string | null {
  if (text === null || text.length > answerCharactersMax) return null
  try {
    return withoutSecrets(JSON.parse(text))
  } catch {
    return null
  }
}

function withoutSecrets(value: unknown): string {
  const text = JSON.stringify(value, (name, entry: unknown) => {
    if (typeof entry !== 'string') return entry
    if (namesSecret(name)) return '[secret]'
    return maskCredentials(name === 'url' ? maskQuery(entry) : entry)
  })
  return cutToKept(text)
}

/** At most 2 KiB; an ellipsis says that something is missing. */
function cutToKept(text: string): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  // A cut may fall into a character; the replacement sign it leaves goes too.
  const cut = Buffer.from(text)
    .subarray(0, bytesMax - 3)
    .toString('utf8')
  return `${cut.replace(/\uFFFD+$/, '')}…`
}
