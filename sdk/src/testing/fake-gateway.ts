import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type PosternOptions, TimedPostern } from '../client.ts'
import type { Clock } from '../clock.ts'

/** A request as the fake gateway saw it. */
export interface SeenRequest {
  method: string
  /** Undecoded path with the query. */
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
  json: unknown
}

/** What to answer: an envelope, raw text, nothing ever (`hang`), or a cut connection (`reset`). */
export type Reply =
  | { data: unknown; status?: number; headers?: Record<string, string> }
  | { error: Record<string, unknown> & { code: string; status: number }; headers?: Record<string, string> }
  | { text: string | Uint8Array; status: number; headers?: Record<string, string> }
  | 'hang'
  | 'reset'

type Handler = (request: SeenRequest) => Reply | Promise<Reply>

export const credentials = { apiKey: 'ptk_test0000000000000000', apiSecret: 'pts_do-not-print-this-secret' }

/**
 * A gateway on a real socket that plays what the test tells it to. The token endpoint works by itself and hands out
 * `token-1`, `token-2`, …; everything else goes to the handler.
 */
export class FakeGateway implements AsyncDisposable {
  /** Requests other than for tokens. */
  readonly seen: SeenRequest[] = []
  readonly tokenRequests: SeenRequest[] = []
  /** Replaces the working token endpoint. */
  onToken: Handler = () => ({
    data: { access_token: `token-${this.tokenRequests.length}`, token_type: 'Bearer', expires_in: 3600 },
  })
  readonly #handler: Handler
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  constructor(handler: Handler) {
    this.#handler = handler
  }

  static async start(handler: Handler): Promise<FakeGateway> {
    const gateway = new FakeGateway(handler)
    gateway.#server.listen(0, '127.0.0.1')
    await once(gateway.#server, 'listening')
    return gateway
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  client(options: PosternOptions = {}, clock: Clock = new WoundClock()): TimedPostern {
    return new TimedPostern({ baseUrl: this.baseUrl, ...credentials, ...options }, clock)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const isJson = request.headers['content-type'] === 'application/json'
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body, json: isJson ? JSON.parse(body.toString()) : undefined }
    const isToken = url === '/v1/auth/token'
    const log = isToken ? this.tokenRequests : this.seen
    log.push(seen)
    write(response, await (isToken ? this.onToken(seen) : this.#handler(seen)))
  }
}

function write(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') return void response.socket?.destroy()
  if ('text' in reply) return void response.writeHead(reply.status, reply.headers).end(reply.text)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1', ...reply.headers }
  if ('error' in reply) {
    const error = { type: 'server', message: 'It failed.', retryable: false, request_id: 'req_1', ...reply.error }
    response.writeHead(error.status, headers).end(JSON.stringify({ success: false, data: null, error }))
    return
  }
  response.writeHead(reply.status ?? 200, headers).end(JSON.stringify({ success: true, data: reply.data }))
}

/** A clock that never waits: sleeping moves it on and is remembered. Chance is a constant. */
export class WoundClock implements Clock {
  nowMs = Date.parse('2026-01-01T00:00:00Z')
  readonly sleptMs: number[] = []
  readonly now = (): number => this.nowMs
  readonly random = (): number => 0.5
  readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    this.sleptMs.push(ms)
    this.nowMs += ms
  }
}

/** The value a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('The call was expected to fail')
    },
    (reason: unknown) => reason,
  )
}
