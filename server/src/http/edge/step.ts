import type { FastifyReply, FastifyRequest } from 'fastify'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => unknown

/**
 * A hook that has nothing to wait for in most requests, and makes no promise for these: a request passes ten of them. What
 * it returns is waited for.
 */
export function step(run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined): Hook {
  return (request, reply, done) => run(request, reply) ?? done()
}
