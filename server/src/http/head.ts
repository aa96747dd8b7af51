import { Readable } from 'node:stream'
import type { App } from './edge/context.ts'

/** Methods that change nothing. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Fastify answers HEAD from the GET route and reads a stream to its end to drop it. A file is not worth reading for its
 * headers, and a stream of events has no end.
 */
export function dropHeadStreams(app: App): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    payload.on('error', () => {}).destroy()
    done(null, Readable.from([]))
  })
}
