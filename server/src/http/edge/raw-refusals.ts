import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type Problem, problemAt } from './problem.ts'

/**
 * Refusals below Fastify: what Node's own parser and server would answer by themselves with 408, 417 or 431 answers with
 * a status of our table and our body instead.
 */
type RawRefusals = {
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void
  attach(server: Server): void
}

const sentences: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB.',
  HPE_INVALID_METHOD: 'The method is not an HTTP method.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

export function rawRefusals(rt: RefusalTools): RawRefusals {
  const refuse = (message: string, url: string): { problem: Problem; requestId: string } => {
    const context = { requestId: rt.newId('req'), consoleUrl: rt.urls.console }
    const error = new AppError('malformed_request', message)
    return { requestId: context.requestId, problem: problemAt(rt, url, error, context) }
  }

  return {
    onClientError(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const { problem, requestId } = refuse(
        sentences[error.code ?? ''] ?? 'The request is not valid HTTP.',
        targetIn(error.rawPacket),
      )
      socket.end(rawAnswer(problem, requestId))
    },
    attach(server) {
      server.on('checkExpectation', ({ url = '' }: IncomingMessage, response: ServerResponse) => {
        const { problem, requestId } = refuse('The Expect header may only say 100-continue.', url)
        answer(response, problem, { ...rawHeaders(requestId), connection: 'close' })
      })
      server.on('connect', (_request, socket: Duplex) => socket.destroy())
    },
  }
}

type RefusalTools = Pick<Runtime, 'newId'> & {
  urls: Pick<Runtime['urls'], 'console'>
  platform: Pick<Runtime['platform'], 'dialect'>
}

/** The address in bytes that are no whole request, where they begin with one. */
function targetIn(packet: Buffer | undefined): string {
  const [, target = ''] = /^\S+ (\S+)/.exec(packet?.subarray(0, 64).toString('latin1') ?? '') ?? []
  return target
}

/**
 * Requests for which `refusalOf` has a refusal never reach Fastify, whose hooks cost more than some answers: a flood must
 * not slow others down by being refused. They are counted without a route and have no line in the log.
 */
export function refuseBelowFastify(
  server: Server,
  rt: RefusalTools & Pick<Runtime, 'metrics'>,
  refusalOf: (request: IncomingMessage) => AppError | null,
): void {
  const pass = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const error = refusalOf(request)
    if (!error) {
      for (const listener of pass) listener.call(server, request, response)
      return
    }
    const requestId = rt.newId('req')
    const context = { requestId, consoleUrl: rt.urls.console }
    const problem = problemAt(rt, request.url ?? '', error, context)
    answer(response, problem, rawHeaders(requestId))
    rt.metrics.httpRequests.inc({ method: request.method ?? '', route: 'unknown', status: String(problem.status) })
    rt.metrics.apiErrors.inc({ code: error.code, route: 'unknown' })
  })
}

function answer(response: ServerResponse, problem: Problem, headers: Record<string, string>): void {
  const text = JSON.stringify(problem.body)
  response.writeHead(problem.status, { ...headers, ...problem.headers, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** Also used where a request fails before its hooks ran. */
export function rawHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
}

function rawAnswer({ status, body }: Problem, requestId: string): string {
  const text = JSON.stringify(body)
  const headers = { ...rawHeaders(requestId), connection: 'close', 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n${text}`
}

/** Headers of which there is one. A proxy may go by another of two than we do, so neither is to be trusted. */
const single = ['Host', 'Authorization']

/** The name of a header that came twice, or null. Node would keep the first and drop the others without a word. */
export function repeatedHeader({ rawHeaders }: IncomingMessage): string | null {
  for (const name of single) {
    let seen = false
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const given = rawHeaders[index] ?? ''
      if (given.length !== name.length || given.toLowerCase() !== name.toLowerCase()) continue
      if (seen) return name
      seen = true
    }
  }
  return null
}
