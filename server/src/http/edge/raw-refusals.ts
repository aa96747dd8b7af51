import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../../contract/app-error.ts'
import type { NewId } from '../../lib/ids.ts'
import { type Problem, toProblem } from './problem.ts'

/**
 * Refusals below Fastify: what Node's own parser and server would answer by themselves with 408, 417 or 431 answers with
 * a status of our table and our body instead.
 */
export type RawRefusals = {
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void
  attach(server: Server): void
}

const sentences: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 16 KiB.',
  HPE_INVALID_METHOD: 'The method is not one of HTTP.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

export function rawRefusals(newId: NewId, consoleUrl: () => string): RawRefusals {
  const refuse = (message: string): { problem: Problem; requestId: string } => {
    const requestId = newId('req')
    return {
      requestId,
      problem: toProblem(new AppError('malformed_request', message), { requestId, consoleUrl: consoleUrl() }),
    }
  }

  return {
    onClientError(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy()
        return
      }
      const { problem, requestId } = refuse(sentences[error.code ?? ''] ?? 'The request is not valid HTTP.')
      socket.end(rawAnswer(problem, requestId))
    },
    attach(server) {
      server.on('checkExpectation', (_request, response: ServerResponse) => {
        const { problem, requestId } = refuse('The Expect header may only say 100-continue.')
        const text = JSON.stringify(problem.body)
        response.writeHead(problem.status, {
          ...rawHeaders(requestId),
          connection: 'close',
          'content-length': Buffer.byteLength(text),
        })
        response.end(text)
      })
      server.on('connect', (_request, socket: Duplex) => socket.destroy())
    },
  }
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
