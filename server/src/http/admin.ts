import { isIP } from 'node:net'
import Fastify from 'fastify'
import type { Metrics } from '../observe/metrics.ts'
import type { App } from './edge/context.ts'
import { repeatedHeader } from './edge/repeated-header.ts'
import { addHealthRoutes, type Readiness } from './health.ts'

/** Ends of names that nobody can register. */
const privateNames = /\.(localhost|local|internal|svc|cluster\.local|home\.arpa)$/

/**
 * The operator's listener: metrics and verbose health. Loopback by default, never behind the public address. It has no login,
 * so a web page must not reach it through a name of its own that points here: the Host is an address, a name of a private
 * network, or the one the listener was given.
 */
export function createAdminApp(
  metrics: Pick<Metrics, 'render' | 'contentType'>,
  readiness: Readiness,
  listen: { host: string },
): App {
  const app: App = Fastify({ logger: false, exposeHeadRoutes: true, forceCloseConnections: true }).withTypeProvider()
  app.addHook('onRequest', async (request, reply) => {
    if (repeatedHeader(request.raw) === null && isOwnHost(request.headers.host ?? '', listen.host)) return
    await reply
      .code(403)
      .type('text/plain; charset=utf-8')
      .send('Use an IP address, localhost, a private name, or the host of POSTERN_ADMIN_LISTEN.\n')
  })
  addHealthRoutes(app, readiness, { verbose: true })
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.render()
  })
  return app
}

function isOwnHost(header: string, listenHost: string): boolean {
  const host = header.toLowerCase().replace(/:\d*$/, '')
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0 || host === listenHost.toLowerCase()) return true
  // A name without a dot, as of a container, is one of the own network.
  return /^[a-z0-9_-]+$/.test(host) || privateNames.test(host)
}
