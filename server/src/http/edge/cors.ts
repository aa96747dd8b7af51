import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'

const methods = 'GET, POST, PUT, DELETE'
const headers = 'Authorization, Content-Type, Idempotency-Key, X-Client-Request-Id'
const exposed =
  'RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Idempotent-Replayed'
const preflightSeconds = 600

/**
 * Browsers may call the API only from origins the operator has listed, character by character. None by default: API
 * secrets do not belong in browsers. Credentials are never allowed: the API takes no cookie.
 */
export function addCors(app: App, { config }: Runtime): void {
  const origins = new Set(config.corsOrigins)
  if (origins.size === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/v1/')) return
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.has(origin)) return
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed)
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    return reply
      .code(200)
      .header('access-control-allow-methods', methods)
      .header('access-control-allow-headers', headers)
      .header('access-control-max-age', preflightSeconds)
      .send()
  })
}
