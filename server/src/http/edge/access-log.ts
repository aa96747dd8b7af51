import { finished } from 'node:stream'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'
import type { OnFinished } from './finished.ts'

const quietRoutes = ['/livez', '/readyz', '/healthz', '/metrics']

/** One wide line per request, and the counters beside it. Routes are patterns, so that no id becomes a label. */
export function addAccessLog(app: App, rt: Runtime, onFinished: OnFinished): void {
  const { metrics, log, clock } = rt
  let inFlight = 0
  metrics.onRender(() => metrics.httpRequestsInFlight.set({}, inFlight))
  app.addHook('onRequest', (_request, _reply, done) => {
    inFlight++
    done()
  })
  onFinished((request, reply, status) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    inFlight--
    metrics.httpRequests.inc({ method, route, status: String(status) })
    metrics.httpRequestDuration.observe({ method, route }, reply.elapsedTime / 1_000)
    metrics.httpRequestSize.observe({ route }, Number(request.headers['content-length'] ?? 0))
    metrics.httpResponseSize.observe({ route }, Number(reply.getHeader('content-length') ?? 0))
    if (request.problemCode) metrics.apiErrors.inc({ code: request.problemCode, route })
    // Without a route, so that it is there from the start and an alert sees the first one.
    if (request.problemCode === 'channel_auth_failed') metrics.channelAuthFailed.inc({})
    if (quietRoutes.includes(route)) return
    log.info(
      {
        request_id: request.requestId || request.id,
        client_request_id: clientRequestId(request.headers['x-client-request-id']),
        method,
        route,
        status,
        code: request.problemCode,
        account_id: request.caller?.accountId,
        key_id: request.caller?.keyId,
        duration_ms: clock.now() - request.startedAt,
        remote_ip: request.ip,
      },
      'request.finished',
    )
  })
}

/** Stored only when it is 1 to 128 visible ASCII characters; anything else is not an id. */
function clientRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}

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
