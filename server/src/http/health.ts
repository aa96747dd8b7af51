import { isIP } from 'node:net'
import Fastify from 'fastify'
import { isRecord } from '../lib/is-record.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { App } from './edge/context.ts'
import { repeatedHeader } from './edge/raw-refusals.ts'

/** A `warning` is for people: the process is as ready as any other would be. */
export type Check = { name: string; status: 'ok' | 'warning' | 'failing'; duration_ms: number; detail?: string }

/** The readiness checks, chosen by composition. */
export type Readiness = {
  check(): Promise<Check[]>
}

type HealthOptions = {
  verbose?: boolean
  /** Of the database behind this listener. */
  installation?: string | undefined
}

/** Tells an operator which gateway an address leads to; no secret, as every token names it too. */
export const installationHeader = 'x-postern-installation'

/** Alive means the event loop answers; ready means traffic may come. Neither asks the platform: its outage is not ours. */
export function addHealthRoutes(app: App, readiness: Readiness, options: HealthOptions = {}): void {
  app.get('/livez', { schema: { hide: true } }, async (_request, reply) => {
    if (options.installation !== undefined) reply.header(installationHeader, options.installation)
    return { status: 'ok' }
  })
  for (const path of ['/readyz', '/healthz']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const checks = await readiness.check()
      const failing = checks.some(({ status }) => status === 'failing')
      const verbose = options.verbose && isRecord(request.query) && request.query.verbose !== undefined
      reply.code(failing ? 503 : 200)
      return {
        status: failing ? 'failing' : 'ok',
        ...(verbose || failing ? { checks: checks.map(verbose ? asIs : nameOnly) } : {}),
      }
    })
  }
}

const asIs = (check: Check): Check => check
const nameOnly = ({ name, status }: Check): Pick<Check, 'name' | 'status'> => ({ name, status })

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
