import type { Clock } from '../clock.ts'
import { ConnectionError, type PosternError } from '../errors.ts'
import { ApiPromise, type WithResponse } from './api-promise.ts'
import { type ApiRequest, type Call, prepareCall, type RequestOptions } from './call.ts'
import { type Outcome, readOutcome } from './envelope.ts'
import { type Hooks, notify } from './hooks.ts'
import { retryDelayMs } from './retry.ts'
import { type TokenGrant, TokenSource } from './token.ts'

/** What the transport is made of; the client fills in the defaults. */
export interface TransportSettings extends Hooks {
  baseUrl: string
  apiKey: string
  apiSecret: string
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
  clock: Clock
}

/**
 * The only place that decides about HTTP: credentials, idempotency keys, time limits, retries.
 *
 * A failed call is repeated when the gateway says `retryable` or no answer arrived at all. That is safe for a POST
 * because each one carries an `Idempotency-Key` that stays the same on every attempt. A refused access token is
 * replaced once per call, and does not count as a retry.
 */
export class Transport {
  readonly #settings: TransportSettings
  readonly #tokens: TokenSource

  constructor(settings: TransportSettings) {
    this.#settings = settings
    this.#tokens = new TokenSource(() => this.#fetchGrant(), settings.clock)
  }

  /** The clock the calls run on. */
  get clock(): Clock {
    return this.#settings.clock
  }

  /** Starts a call. */
  send<T>(request: ApiRequest, options: RequestOptions = {}): ApiPromise<T> {
    const call = prepareCall(request, options, this.#settings)
    return new ApiPromise(this.#run(call, this.#tokens) as Promise<WithResponse<T>>)
  }

  /** Makes the next call fetch a new access token. */
  forgetToken(): void {
    this.#tokens.discard()
  }

  async #fetchGrant(): Promise<TokenGrant> {
    const { apiKey, apiSecret } = this.#settings
    const call = prepareCall(
      { method: 'POST', path: '/v1/auth/token', body: { apiKey, apiSecret } },
      {},
      this.#settings,
    )
    return (await this.#run(call, undefined)).data as TokenGrant
  }

  /** Attempts, waits and a new token share one time limit: a caller waits no longer than it said. */
  async #run(call: Call, tokens: TokenSource | undefined): Promise<WithResponse<unknown>> {
    const { clock } = this.#settings
    const endsAtMs = clock.now() + call.timeoutMs
    let tokenReplaced = false
    for (let attempt = 1, failures = 0; ; attempt += 1) {
      const leftMs = Math.max(0, endsAtMs - clock.now())
      const token = await this.#token(call, tokens, leftMs)
      const outcome = await this.#exchange(call, token, attempt, Math.max(0, endsAtMs - clock.now()))
      if (outcome.ok) return { data: outcome.data, response: outcome.response }
      if (token !== undefined && !tokenReplaced && isStaleToken(outcome.error)) {
        tokenReplaced = true
        tokens?.discard(token)
        continue
      }
      failures += 1
      const random = () => clock.random()
      const waitMs = retryDelayMs(outcome.error, { failures, maxRetries: call.maxRetries, random })
      const timeIsUp = outcome.error.code === 'timeout' || clock.now() + (waitMs ?? 0) >= endsAtMs
      if (waitMs === undefined || timeIsUp) throw outcome.error
      await clock.sleep(waitMs, call.signal)
    }
  }

  /** Others may wait for the same token, so a call that runs out of time stops waiting and cancels nothing. */
  async #token(call: Call, tokens: TokenSource | undefined, leftMs: number): Promise<string | undefined> {
    if (tokens === undefined) return undefined
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(noAnswer(call, true, undefined)), leftMs)
    try {
      return await tokens.get(call.signal ? AbortSignal.any([call.signal, deadline.signal]) : deadline.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  async #exchange(call: Call, token: string | undefined, attempt: number, timeoutMs: number): Promise<Outcome> {
    const { clock, onRequest, onResponse } = this.#settings
    const { method, path, idempotencyKey } = call
    const startedAtMs = clock.now()
    notify(onRequest, { method, path, attempt, idempotencyKey })
    const outcome = await this.#fetch(call, token, timeoutMs)
    notify(onResponse, {
      method,
      path,
      attempt,
      idempotencyKey,
      status: outcome.ok ? outcome.response.status : outcome.error.status,
      errorCode: outcome.ok ? undefined : outcome.error.code,
      requestId: outcome.ok ? outcome.response.requestId : outcome.error.requestId,
      durationMs: clock.now() - startedAtMs,
      rateLimit: outcome.response?.rateLimit,
    })
    return outcome
  }

  async #fetch(call: Call, token: string | undefined, timeoutMs: number): Promise<Outcome> {
    const headers = new Headers(call.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    const signal = call.signal === undefined ? deadline.signal : AbortSignal.any([call.signal, deadline.signal])
    try {
      const { method, body, url } = call
      // Redirects are not followed: a 307 would carry the API secret of a token request to another host.
      const init = { method, headers, signal, redirect: 'manual' as const }
      // A stream goes out before the answer comes, which fetch has to be told.
      const sent =
        body === undefined
          ? init
          : { ...init, body, ...(body instanceof ReadableStream && { duplex: 'half' as const }) }
      const response = await this.#settings.fetch(url, sent)
      return await readOutcome(response, call)
    } catch (cause) {
      if (call.signal?.aborted) throw call.signal.reason
      return { ok: false, error: noAnswer(call, deadline.signal.aborted, cause) }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A repeat with a new token can help; `invalid_token` is what a client sees whose signing key was replaced. */
function isStaleToken(error: PosternError): boolean {
  return ['token_expired', 'token_revoked', 'invalid_token'].includes(error.code)
}

const checkAddress = 'Check that the gateway is running and that the base URL is right.'
const reasons: Record<string, string> = {
  ECONNREFUSED: `connection refused. ${checkAddress}`,
  ENOTFOUND: `host name not found. ${checkAddress}`,
  EAI_AGAIN: 'host name lookup failed.',
  ECONNRESET: 'the connection was closed.',
  UND_ERR_SOCKET: 'the connection was closed.',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out.',
}

/** What fetch itself hides behind "fetch failed". A code it has no words for, such as one of TLS, is shown as it is. */
function reasonOf(cause: unknown): string {
  const { code } = ((cause as { cause?: unknown } | null)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? `: ${reasons[code] ?? code}` : ''
}

function noAnswer(call: Call, timedOut: boolean, cause: unknown): ConnectionError {
  const { host } = new URL(call.url)
  return new ConnectionError({
    code: timedOut ? 'timeout' : 'connection_failed',
    type: 'connection',
    message: timedOut
      ? `${call.method} ${call.path} had no answer from ${host} after ${call.timeoutMs} ms`
      : `${call.method} ${call.path} got no response from ${host}${reasonOf(cause)}`,
    retryable: true,
    idempotencyKey: call.idempotencyKey,
    cause,
  })
}
