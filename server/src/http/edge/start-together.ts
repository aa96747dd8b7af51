import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createTurnEnd } from '../../lib/async/batcher.ts'

/**
 * Requests that arrive in the same turn of the event loop start together at its end, most of them with their whole body. One
 * whose client is gone by then never starts.
 */
export function startTogether(server: Server): void {
  const turnEnd = createTurnEnd()
  const listeners = server.listeners('request')
  const start = async (request: IncomingMessage, response: ServerResponse) => {
    await turnEnd()
    if (request.socket.destroyed) return
    for (const listener of listeners) listener.call(server, request, response)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => void start(request, response))
}
