import Fastify from 'fastify'
import type { Metrics } from '../observe/metrics.ts'
import type { App } from './edge/context.ts'
import { addHealthRoutes, type Readiness } from './health.ts'

/** The operator's listener: metrics and verbose health. Loopback by default, never behind the public address. */
export function createAdminApp(metrics: Pick<Metrics, 'render' | 'contentType'>, readiness: Readiness): App {
  const app: App = Fastify({ logger: false, exposeHeadRoutes: true, forceCloseConnections: true }).withTypeProvider()
  addHealthRoutes(app, readiness, { verbose: true })
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.render()
  })
  return app
}
