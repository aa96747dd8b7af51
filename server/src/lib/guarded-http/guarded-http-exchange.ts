import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Deadline, DeadlineWheel } from '../async/deadline-wheel.ts'
import type { Connection, ConnectionHandler } from './guarded-http-connector.ts'
import { ExchangeError, explainFailure, type Failure } from './guarded-http-failure.ts'

/** How to handle the body of a response. */
export type BodyReader = {
  /** True when an answer without its whole body is worth nothing; false when the status alone decides. */
  bodyMatters: boolean
  head(statusCode: number, headers: IncomingHttpHeaders, flow: Flow): void
  data(chunk: Buffer, flow: Flow): void
  /** Waits for what `data` started; null where that is nothing. */
  end(): Promise<void> | null
}

export type Flow = {
  pause(): void
  resume(): void
  /** Enough was read: the answer stands, the connection is dropped. */
  enough(): void
  fail(error: unknown): void
}

/** A URL as a request needs it. */
export type ExchangeTarget = { readonly origin: string; readonly path: string }

export function targetOf(url: URL): ExchangeTarget {
  return { origin: url.origin, path: url.pathname + url.search }
}

export type ExchangeRequest = {
  method: 'POST' | 'GET' | 'PUT' | 'DELETE'
  target: ExchangeTarget
  headers: Record<string, string>
  /** A function gives the bytes from their beginning, each time the request is sent. */
  body?: Uint8Array | (() => AsyncIterable<Uint8Array>)
  headersMs: number
  totalMs: number
  /** Time for the body after the headers. */
  bodyMs: number
}

export type ExchangeResult =
  | { kind: 'answer'; statusCode: number; headers: IncomingHttpHeaders; remoteIp: string; reused: boolean }
  /** `resend`: the peer had closed a kept connection and saw, for all we know, nothing of the request. */
  | { kind: 'failure'; failure: Failure; resend: boolean }

/** The parts of a request: the URL check and the exchange. */
export type Outlet = {
  /** The parsed URL, or null when it may not be called. */
  permitted(url: string, by?: { allowLoopback?: boolean; allowHttp?: boolean }): URL | null
  exchange(request: ExchangeRequest, reader: BodyReader): Promise<ExchangeResult>
}

/** Informational answers (1xx) a receiver may send before the real one. */
const INFORMATIONAL_MAX = 8

/** One request and its answer under our own deadlines. Never throws, never takes longer than `totalMs` plus a slot. */
export function runExchange(
  dispatcher: Dispatcher,
  wheel: DeadlineWheel,
  request: ExchangeRequest,
  reader: BodyReader,
): Promise<ExchangeResult> {
  const { promise, resolve } = Promise.withResolvers<ExchangeResult>()
  const handler = new ExchangeHandler(wheel, request, reader, resolve)
  const options: Dispatcher.DispatchOptions = {
    origin: request.target.origin,
    path: request.target.path,
    method: request.method,
    headers: request.headers,
    body: typeof request.body === 'function' ? Readable.from(request.body()) : (request.body ?? null),
  }
  try {
    dispatcher.dispatch(options, handler)
  } catch (error) {
    handler.settleFailed(error)
  }
  return promise
}

class ExchangeHandler implements ConnectionHandler, Flow {
  connection: Connection | null = null
  readonly #wheel: DeadlineWheel
  readonly #request: ExchangeRequest
  readonly #reader: BodyReader
  readonly #resolve: (result: ExchangeResult) => void
  readonly #expire: () => void
  /** One turn later the connection is free again, so that the caller's next request finds it instead of opening one. */
  readonly #succeedSoon = () => void setImmediate(succeed, this)
  readonly #total: Deadline
  /** For the headers, then for the body. */
  #phase: Deadline | null = null
  #controller: Dispatcher.DispatchController | null = null
  #answer: (ExchangeResult & { kind: 'answer' }) | null = null
  #informational = 0
  #started = false
  #reused = false
  #settled = false

  constructor(
    wheel: DeadlineWheel,
    request: ExchangeRequest,
    reader: BodyReader,
    resolve: (result: ExchangeResult) => void,
  ) {
    this.#wheel = wheel
    this.#request = request
    this.#reader = reader
    this.#resolve = resolve
    this.#expire = () => {
      if (this.#answer && !this.#reader.bodyMatters) this.enough()
      else this.fail(expired())
    }
    this.#total = wheel.start(request.totalMs, this.#expire)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline may have passed while the connection was made: then nothing is sent.
    if (this.#settled) {
      controller.abort(expired())
      return
    }
    this.#controller = controller
    if (this.connection) this.#reused = this.connection.requests++ > 0
    this.#phase = this.#wheel.start(this.#request.headersMs, this.#expire)
  }

  onResponseStarted(): void {
    this.#started = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) {
      this.#informational += 1
      if (this.#informational > INFORMATIONAL_MAX) this.fail(tooManyInformational())
      return
    }
    this.#answer = {
      kind: 'answer',
      statusCode,
      headers,
      remoteIp: this.connection?.remoteIp ?? '',
      reused: this.#reused,
    }
    this.#phase?.cancel()
    this.#phase = this.#wheel.start(this.#request.bodyMs, this.#expire)
    this.#reader.head(statusCode, headers, this)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#settled) this.#reader.data(chunk, this)
  }

  onResponseEnd(): void {
    const ended = this.#reader.end()
    if (ended) ended.then(this.#succeedSoon, (error: unknown) => this.settleFailed(error))
    else queueMicrotask(this.#succeedSoon)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#answer && !this.#reader.bodyMatters) this.succeed()
    else this.settleFailed(error)
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  enough(): void {
    this.succeed()
    this.#dropConnection()
  }

  fail(error: unknown): void {
    this.settleFailed(error)
    this.#dropConnection()
  }

  settleFailed(error: unknown): void {
    const failure = explainFailure(error)
    // A kept connection may also break between the choice of it and the start of the request.
    const reused = this.#controller ? this.#reused : (this.connection?.requests ?? 0) > 0
    const resend = reused && !this.#started && failure.code === 'connection_reset'
    this.#settle({ kind: 'failure', failure, resend })
  }

  succeed(): void {
    if (this.#answer) this.#settle(this.#answer)
  }

  /** Settled first: the abort comes back as an error of the request, which must not count any more. */
  #dropConnection(): void {
    this.#controller?.abort(new ExchangeError('timeout', 'The connection was dropped.'))
  }

  #settle(result: ExchangeResult): void {
    if (this.#settled) return
    this.#settled = true
    this.#total.cancel()
    this.#phase?.cancel()
    this.#resolve(result)
  }
}

function succeed(handler: ExchangeHandler): void {
  handler.succeed()
}

function expired(): ExchangeError {
  return new ExchangeError('timeout', 'The receiver did not respond in time.')
}

function tooManyInformational(): ExchangeError {
  return new ExchangeError(
    'protocol_error',
    `The receiver sent more than ${INFORMATIONAL_MAX} informational responses.`,
  )
}
