import type { IncomingHttpHeaders } from 'node:http'
import { type BodyReader, type Flow, type Outlet, targetOf } from './guarded-http-exchange.ts'
import { BLOCKED, ExchangeError, type Failure } from './guarded-http-failure.ts'

export type OpenRequest = {
  method: 'GET' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: () => AsyncIterable<Uint8Array>
  /** From the start of the request, its body included, to the end of the response headers. */
  headersMs: number
  /** For each next piece of the response body, from the moment it is asked for. */
  idleMs: number
}

export type OpenOutcome =
  | {
      kind: 'response'
      statusCode: number
      headers: IncomingHttpHeaders
      /** Throws when the body is incomplete. Returning early drops the connection. */
      body: AsyncIterable<Uint8Array>
    }
  | ({ kind: 'failure' } & Failure)

/** Bounded by `idleMs` and `unreadMsMax`: a large file may take a slow client long. */
const readingMsMax = 6 * 3_600_000
/** A body that nobody asks for, because the client it was for has gone, must not keep its connection. */
const unreadMsMax = 300_000

export async function open(outlet: Outlet, request: OpenRequest): Promise<OpenOutcome> {
  const { method, headers, body, headersMs, idleMs } = request
  const url = outlet.permitted(request.url)
  if (!url) return { kind: 'failure', ...BLOCKED }
  const reader = new PulledBody(idleMs)
  const exchange = { method, target: targetOf(url), headers, headersMs, totalMs: readingMsMax, bodyMs: readingMsMax }
  outlet.exchange(body ? { ...exchange, body } : exchange, reader).then(
    (result) => reader.settle(result.kind === 'failure' ? result.failure : null),
    (error: unknown) => reader.settle({ code: 'our_fault', message: String(error) }),
  )
  return reader.opened
}

/** A body that is read piece by piece: while nobody asks for the next one, nothing more is taken from the connection. */
class PulledBody implements BodyReader, AsyncIterableIterator<Uint8Array> {
  readonly bodyMatters = true
  readonly opened: Promise<OpenOutcome>
  readonly #idleMs: number
  readonly #open: (outcome: OpenOutcome) => void
  readonly #chunks: Buffer[] = []
  #flow: Flow | null = null
  #isPaused = false
  /** Undefined until the exchange is over; null when it ended well. */
  #end: Failure | null | undefined
  #wake: () => void = () => {}
  /** Either nobody reads, or the reader waits for the next piece. */
  #timer: NodeJS.Timeout | undefined

  constructor(idleMs: number) {
    const { promise, resolve } = Promise.withResolvers<OpenOutcome>()
    this.opened = promise
    this.#open = resolve
    this.#idleMs = idleMs
  }

  head(statusCode: number, headers: IncomingHttpHeaders, flow: Flow): void {
    this.#flow = flow
    this.#failAfter(unreadMsMax)
    this.#open({ kind: 'response', statusCode, headers, body: this })
  }

  data(chunk: Buffer, flow: Flow): void {
    // undici hands over an empty chunk after each resume; pausing for it would go round for ever.
    if (chunk.length === 0) return
    flow.pause()
    this.#isPaused = true
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(): null {
    return null
  }

  settle(failure: Failure | null): void {
    clearTimeout(this.#timer)
    this.#end = failure
    // Without effect once the headers are there.
    if (failure) this.#open({ kind: 'failure', ...failure })
    this.#wake()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#failAfter(this.#idleMs)
    while (this.#chunks.length === 0 && this.#end === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      // The next piece may come from within.
      this.#resume()
      await promise
    }
    const chunk = this.#chunks.shift()
    if (chunk) {
      this.#failAfter(unreadMsMax)
      return { value: chunk, done: false }
    }
    if (this.#end) throw new ExchangeError(this.#end.code, this.#end.message)
    return { value: undefined, done: true }
  }

  /** Not the work of a generator: one that was never begun forgets to let go. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks.length = 0
    if (this.#end === undefined) this.#flow?.enough()
    return { value: undefined, done: true }
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#flow?.resume()
  }

  #failAfter(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#end === undefined) this.#timer = setTimeout(() => this.#flow?.fail(tooSlow()), ms)
  }
}

function tooSlow(): ExchangeError {
  return new ExchangeError('timeout', 'The rest of the response did not come in time.')
}
