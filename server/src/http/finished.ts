import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './context.ts'

/** What a request came to: answered, or left by the client before its answer was out. */
export type Finish = (request: FastifyRequest, reply: FastifyReply, how: 'answered' | 'left') => void

/**
 * Calls once for every request that came in, whatever became of it. Fastify's own hook says nothing about clients that go
 * away before the answer, and those are the ones that time out.
 */
export function onFinished(app: App, finish: Finish): void {
  const open = new WeakSet<FastifyRequest>()
  const once: Finish = (request, reply, how) => {
    if (open.delete(request)) finish(request, reply, how)
  }
  app.addHook('onRequest', async (request, reply) => {
    open.add(request)
    reply.raw.once('close', () => once(request, reply, reply.raw.writableFinished ? 'answered' : 'left'))
  })
  app.addHook('onResponse', async (request, reply) => once(request, reply, 'answered'))
}
