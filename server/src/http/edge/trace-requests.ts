import { finished } from 'node:stream'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'

/**
 * A span for every request, continuing the caller's trace if it sent one. Everything that happens for the request lies
 * inside it. Without a collector there is no hook at all.
 */
export function addRequestTracing(app: App, { tracer }: Pick<Runtime, 'tracer'>): void {
  if (!tracer.isOn) return
  app.addHook('onRequest', (request, reply, next) => {
    const { method, headers, protocol, hostname } = request
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'url.scheme': protocol,
      'server.address': hostname,
    }
    const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
    void tracer.span(
      `${method} ${route}`,
      attributes,
      async (span) => {
        const answered = new Promise((resolve) => finished(reply.raw, resolve))
        next()
        await answered
        span.set({ 'http.response.status_code': reply.statusCode })
        if (request.problemCode) span.set({ 'error.type': request.problemCode })
      },
      { kind: 'server', traceparent },
    )
  })
}
