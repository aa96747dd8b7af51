import { finished } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { KeyClaim } from '../../access/keys/create-key.ts'
import { createRequestRecorder, type Exchange } from '../../access/request-log.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { maskCredentials, maskPhone, maskQuery } from '../../lib/text/mask.ts'
import { namesSecret, redactFields, redactQuery } from '../../observe/log-redaction.ts'
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
    const isOfTool = route.startsWith('/graph/')
    if (!owner || !(isOfTool || route.startsWith('/v1/'))) return
    // What a tool asks is looked at while it is set up, and nothing else tells.
    if (requestLog === 'refused' && !isRefused(status) && !isSend(request, route) && !isOfTool) return
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
  const path = maskCredentials(redactQuery(request.url))
  return { path: cutToKept(path), body: bodyOf(request), answer: answerOf(request.answerText) }
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
    return maskCredentials(/^https?:\/\/\S+$/i.test(entry) ? maskQuery(entry) : entry)
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

const quietRoutes = ['/livez', '/readyz', '/healthz', '/metrics']

/** One wide line per request, and the counters beside it. Routes are patterns, so that no id becomes a label. */
export function addAccessLog(app: App, rt: Runtime, onFinished: OnFinished): void {
  const { metrics, log, clock } = rt
  let inFlight = 0
  metrics.onRender(() => metrics.httpRequestsInFlight.set({}, inFlight))
  app.addHook('onRequest', (_request, _reply, done) => {
    inFlight++
    done()
  })
  onFinished((request, reply, status) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    inFlight--
    metrics.httpRequests.inc({ method, route, status: String(status) })
    metrics.httpRequestDuration.observe({ method, route }, reply.elapsedTime / 1_000)
    metrics.httpRequestSize.observe({ route }, Number(request.headers['content-length'] ?? 0))
    metrics.httpResponseSize.observe({ route }, Number(reply.getHeader('content-length') ?? 0))
    if (request.problemCode) metrics.apiErrors.inc({ code: request.problemCode, route })
    // Without a route, so that it is there from the start and an alert sees the first one.
    if (request.problemCode === 'channel_auth_failed') metrics.channelAuthFailed.inc({})
    if (quietRoutes.includes(route)) return
    log.info(
      {
        request_id: request.requestId || request.id,
        client_request_id: clientRequestId(request.headers['x-client-request-id']),
        method,
        route,
        status,
        code: request.problemCode,
        account_id: request.caller?.accountId,
        key_id: request.caller?.keyId,
        duration_ms: clock.now() - request.startedAt,
        remote_ip: request.ip,
      },
      'request.finished',
    )
  })
}

/** Stored only when it is 1 to 128 visible ASCII characters; anything else is not an id. */
function clientRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}

/**
 * A span for every request, continuing the caller's trace if it sent one. Everything that happens for the request lies
 * inside it. Without a collector there is no hook at all.
 */
export function addRequestTracing(app: App, { tracer }: Pick<Runtime, 'tracer'>): void {
  if (!tracer.isOn) return
  app.addHook('onRequest', (request, reply, next) => {
    const { method, headers, protocol, hostname } = request
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': protocol,
      'server.address': hostname,
    }
    const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
    void tracer.span(
      `${method} ${route}`,
      attributes,
      async (span) => {
        const answered = new Promise((resolve) => finished(reply.raw, resolve))
        next()
        await answered
        span.set({ 'http.response.status_code': reply.statusCode })
        if (request.problemCode) span.set({ 'error.type': request.problemCode })
      },
      { kind: 'server', traceparent },
    )
  })
}
