import type { Runtime } from '../../runtime.ts'
import { version } from '../../version.ts'
import type { App } from './context.ts'

/** What every answer of the API carries; pages and files set their own policy and keep it. */
export function addResponseHeaders(app: App, rt: Runtime): void {
  app.addHook('onSend', async (request, reply) => {
    const overTls = rt.urls.base.startsWith('https:')
    reply.header('x-request-id', request.requestId || request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('x-postern-version', version)
    if (overTls) reply.header('strict-transport-security', 'max-age=31536000')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    }
  })
}
