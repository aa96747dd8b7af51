import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { inShortList } from '../../lib/async/with-timeout.ts'

export type ExchangeRequest = {
  /** Scheme, host and port. */
  origin: string
  path: string
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body: Uint8Array | string | Readable | null
  /** From the call to the last byte of the answer, waiting for a free connection included. */
  timeoutMs: number
  bytesMax: number
}

export type ExchangeAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

/** No complete answer. `written` says whether the request can have reached the other side. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure'
  readonly written: boolean

  constructor(reason: string, written: boolean, cause?: unknown) {
    super(`No complete response: ${reason}.`, cause === undefined ? undefined : { cause })
    this.written = written
  }
}

/**
 * One request, one bounded answer, no redirects. Below undici's `request` on purpose: its handler tells the moment at
 * which the request is put on an open connection, and everything before that moment is certain to have had no effect.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new AnswerCollector(request.bytesMax, resolve, reject)
    const timer = setTimeout(() => handler.giveUp('timeout'), inShortList(request.timeoutMs))
    handler.whenSettled = () => clearTimeout(timer)
    try {
      dispatcher.dispatch(dispatchOptions(request), handler)
    } catch (error) {
      handler.onResponseError(null, error)
    }
  })
}

/** undici's own timers are off: they count in steps of half a second, and one deadline is easier to reason about. */
function dispatchOptions({ origin, path, method, headers, body }: ExchangeRequest): Dispatcher.DispatchOptions {
  return { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }
}

class AnswerCollector implements Dispatcher.DispatchHandler {
  whenSettled: () => void = () => {}
  readonly #bytesMax: number
  readonly #resolve: (answer: ExchangeAnswer) => void
  readonly #reject: (failure: ExchangeFailure) => void
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #written = false
  #settled = false
  #controller: Dispatcher.DispatchController | null = null

  constructor(bytesMax: number, resolve: (answer: ExchangeAnswer) => void, reject: (failure: ExchangeFailure) => void) {
    this.#bytesMax = bytesMax
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Called with an open connection in hand, directly before the first byte is written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('The request was given up before it was written.'))
      return
    }
    this.#controller = controller
    this.#written = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes <= this.#bytesMax) this.#chunks.push(chunk)
    else this.giveUp('the response is too large')
  }

  onResponseEnd(): void {
    if (!this.#settle()) return
    const text = Buffer.concat(this.#chunks).toString('utf8')
    this.#resolve({ status: this.#status, headers: this.#headers, text })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (!this.#settle()) return
    this.#reject(new ExchangeFailure('the connection failed', this.#written, error))
  }

  giveUp(reason: string): void {
    if (!this.#settle()) return
    const failure = new ExchangeFailure(reason, this.#written)
    this.#reject(failure)
    this.#controller?.abort(failure)
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    this.whenSettled()
    return true
  }
}
