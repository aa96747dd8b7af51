import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { createTurnEnd } from '../../lib/async/batcher.ts'
import { createDeadlineWheel } from '../../lib/async/deadline-wheel.ts'
import { type Outlet, runExchange } from '../../lib/guarded-http/guarded-http-exchange.ts'
import { fetchStream, type StreamOutcome, type StreamRequest } from '../../lib/guarded-http/guarded-http-stream.ts'
import type { AppCredentials, NumberCredentials } from '../chat-platform.ts'
import type { WireAnswer } from '../dialect.ts'
import { PlatformError } from '../platform-error.ts'
import { classifyAnswer, classifyTransport, type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { rejected } from './failure-table.ts'
import { type ExchangeAnswer, ExchangeFailure, exchange } from './http-exchange.ts'
import { type JsonObject, objectOf, parseObject } from './lenient-json.ts'

export type CloudLimits = {
  /** Kept to about half a second: undici counts it in coarse steps. */
  connectMs: number
  /** One JSON call from start to end, for a send its repeat included. */
  totalMs: number
  /** One upload or download of a file; 100 MB must fit. */
  transferMs: number
  /** Pause before the one repeat of a send. */
  repeatPauseMs: number
  /** Sent with every call: the platform's media host refuses requests without one. */
  userAgent: string
}

const defaultLimits: CloudLimits = {
  connectMs: 3_000,
  totalMs: 15_000,
  transferMs: 300_000,
  repeatPauseMs: 200,
  userAgent: 'Postern',
}

export type CloudRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the version, already encoded: `/106540352242922/messages`. */
  path: string
  query?: Record<string, string>
  json?: JsonObject
  file?: { content: Uint8Array | AsyncIterable<Uint8Array>; bytes: number; contentType: string }
  headers?: Record<string, string>
  context: FailureContext
  /** An error whose body says what was done all the same, and counts as an answer. */
  accepts?: (body: JsonObject) => boolean
  /** Goes without any token: what is asked names who asks. */
  anonymous?: true
  /** Speaks as the app itself, with the token as a parameter, as the platform's pages do. */
  asApp?: AppCredentials | undefined
  timeoutMs?: number
  /** Of the answer. */
  bytesMax?: number
}

/** Answers are small; a template list page of 100 stays below 400 KiB. */
const answerBytesMax = 1_048_576

/** Speaks to the platform's HTTP interface: one connection pool, one deadline per call, failures already classified. */
export class CloudCaller {
  readonly limits: CloudLimits
  /** Knows no guard, so it stays in here: every address it is given begins with a channel's base URL. */
  readonly #dispatcher: Dispatcher
  readonly #wheel = createDeadlineWheel()
  readonly #turnEnd = createTurnEnd()
  readonly #proofOf = createAppSecretProofs()
  readonly #baseOf = createBaseUrls()

  constructor(limits: Partial<CloudLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits }
    this.#dispatcher = new Agent({
      connect: { timeout: this.limits.connectMs },
      // No limit of connections: callers bound what each number has in flight (see concurrency.ts), and a pool smaller
      // than the sum would let one number queue behind another.
      // One request per connection at a time: a broken connection then says something about that request alone.
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4_000,
    })
  }

  /** The answer's JSON object, or a PlatformError. */
  async call(number: NumberCredentials, request: CloudRequest): Promise<JsonObject> {
    const context = { ...request.context, secrets: secretsOf(number, request) }
    const answer = await this.#exchange(number, request, context)
    // Many calls are under way, and their answers come together.
    await this.#turnEnd()
    const body = parseObject(answer.text)
    const failed = answer.status < 200 || answer.status > 299 || objectOf(body?.error)
    if (failed && !(body && request.accepts?.(body))) throw classifyAnswer(answer, context)
    if (!body) throw unreadableAnswer(context)
    return body
  }

  /** The answer as it came, whatever it says; a PlatformError only where there is none. */
  async pass(number: NumberCredentials, request: CloudRequest): Promise<WireAnswer> {
    const { status, text } = await this.#exchange(number, request, request.context)
    const body = parseObject(text)
    if (!body) throw unreadableAnswer(request.context)
    return { status, body }
  }

  /** A call that answers `{"success": true}`; an explicit false is a refusal even with status 200. */
  async command(number: NumberCredentials, request: CloudRequest): Promise<void> {
    const answer = await this.call(number, request)
    if (answer.success === false) throw new PlatformError(rejected)
  }

  /** A body of unknown size from the channel's own origin, the one an operator set, and from nowhere else. */
  fetchStream(number: NumberCredentials, request: StreamRequest): Promise<StreamOutcome> {
    const { origin } = new URL(number.baseUrl)
    const permitted = (text: string) => {
      const url = URL.parse(text)
      return url?.origin === origin ? url : null
    }
    const exchange: Outlet['exchange'] = (hop, reader) => runExchange(this.#dispatcher, this.#wheel, hop, reader)
    return fetchStream({ permitted, exchange }, request)
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy()
    this.#wheel.close()
  }

  /** Strings only: an object for the URL of every call costs more than to put it together. */
  #addressOf(number: NumberCredentials, request: CloudRequest): { origin: string; path: string } {
    const { origin, path } = this.#baseOf(number.baseUrl)
    const search = searchOf(request, request.asApp || request.anonymous ? null : this.#proofOf(number))
    return { origin, path: `${path}/${number.graphVersion}${request.path}${search}` }
  }

  async #exchange(number: NumberCredentials, request: CloudRequest, context: FailureContext): Promise<ExchangeAnswer> {
    const source = new LocalSource(request.file?.content)
    try {
      return await exchange(this.#dispatcher, {
        ...this.#addressOf(number, request),
        method: request.method,
        headers: { 'user-agent': this.limits.userAgent, ...headersOf(number, request) },
        body: request.json ? JSON.stringify(request.json) : source.body,
        timeoutMs: request.timeoutMs ?? this.limits.totalMs,
        bytesMax: request.bytesMax ?? answerBytesMax,
      })
    } catch (error) {
      if (source.failure) throw source.failure.error
      if (error instanceof ExchangeFailure) throw classifyTransport({ written: error.written, cause: error }, context)
      throw error
    } finally {
      source.close()
    }
  }
}

/** A caller's stream on its way out; a failure of its own is told apart from a failure of the connection. */
class LocalSource {
  readonly body: Uint8Array | Readable | null
  failure: { error: unknown } | null = null

  constructor(content: Uint8Array | AsyncIterable<Uint8Array> | undefined) {
    this.body = content === undefined || content instanceof Uint8Array ? (content ?? null) : this.#watched(content)
  }

  close(): void {
    if (this.body instanceof Readable) this.body.destroy()
  }

  #watched(content: AsyncIterable<Uint8Array>): Readable {
    const note = (error: unknown): void => {
      this.failure = { error }
    }
    async function* chunks() {
      try {
        yield* content
      } catch (error) {
        note(error)
        throw error
      }
    }
    return Readable.from(chunks(), { objectMode: false }).on('error', () => {})
  }
}

/** The path of one object. An id that came in a callback must not climb out of the version it is asked below. */
export function nodePath(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new PlatformError(rejected)
  return `/${encodeURIComponent(id)}`
}

function secretsOf({ accessToken, appSecret }: NumberCredentials, { asApp, context }: CloudRequest): string[] {
  return [accessToken, appSecret ?? '', asApp?.appSecret ?? '', ...(context.secrets ?? [])]
}

/** A proof is written in hex, and needs no encoding. */
function searchOf({ query, asApp }: CloudRequest, proof: string | null): string {
  const parameters = { ...query, ...(asApp && { access_token: `${asApp.appId}|${asApp.appSecret}` }) }
  const parts = [
    ...(query || asApp ? [String(new URLSearchParams(parameters))] : []),
    ...(proof === null ? [] : [`appsecret_proof=${proof}`]),
  ].filter((part) => part !== '')
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

const basesMax = 1_000

/** Origin and path of a channel's base URL. There are few of them, and each is read once. */
function createBaseUrls(): (baseUrl: string) => { readonly origin: string; readonly path: string } {
  const known = new Map<string, { readonly origin: string; readonly path: string }>()
  return (baseUrl) => {
    const last = known.get(baseUrl)
    if (last) return last
    const { origin, pathname } = new URL(baseUrl)
    const base = { origin, path: pathname.replace(/\/+$/, '') }
    if (known.size >= basesMax) known.clear()
    known.set(baseUrl, base)
    return base
  }
}

function headersOf(
  number: NumberCredentials,
  { json, file, headers, asApp, anonymous }: CloudRequest,
): Record<string, string> {
  return {
    ...(!asApp && !anonymous && { authorization: `Bearer ${number.accessToken}` }),
    accept: 'application/json',
    ...(json && { 'content-type': 'application/json' }),
    ...(file && { 'content-type': file.contentType, 'content-length': String(file.bytes) }),
    ...headers,
  }
}

type Secrets = Pick<NumberCredentials, 'accessToken' | 'appSecret'>

const knownMax = 10_000

/**
 * Proof to the platform that a call comes from the app: one with "Require App Secret" refuses calls without it. The same
 * for every call of a channel, so it is made once.
 */
export function createAppSecretProofs(): (secrets: Secrets) => string | null {
  const known = new Map<string, { readonly appSecret: string; readonly proof: string }>()
  return ({ accessToken, appSecret }) => {
    if (!appSecret) return null
    const last = known.get(accessToken)
    if (last?.appSecret === appSecret) return last.proof
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')
    if (known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    known.set(accessToken, { appSecret, proof })
    return proof
  }
}
