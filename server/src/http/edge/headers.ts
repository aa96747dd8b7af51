import type { FastifyReply } from 'fastify'
import type { Plan } from '../../contract/plans.ts'
import { type QuotaState, quotaExceeded, secondsUntil, type Window } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { version } from '../../version.ts'
import type { App } from './context.ts'

/** Headers of every API response; pages and files set their own policy. */
export function addResponseHeaders(app: App, rt: Runtime): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const overTls = rt.urls.base.startsWith('https:')
    reply.header('x-request-id', request.requestId || request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('x-postern-version', version)
    if (overTls) reply.header('strict-transport-security', 'max-age=31536000')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (!reply.hasHeader('content-security-policy')) {
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    }
    done(null, payload)
  })
}

/** Tells what is left of the plan, and refuses a request that nothing was left for. */
export function requireQuota(rt: Runtime, reply: FastifyReply, plan: Plan, quota: QuotaState): void {
  const now = rt.clock.now()
  setQuotaHeaders(reply, quota, now)
  if (!quota || quota.granted) return
  const refusal = quotaExceeded(plan, quota.windows, now)
  rt.metrics.rateLimited.inc({ policy: refusal.extras.limit?.policy ?? 'hour', plan })
  throw refusal
}

/** Both policies in the standard form, and the tighter one in the older form that many clients know. */
export function setQuotaHeaders(reply: FastifyReply, quota: QuotaState, now: number): void {
  if (!quota) return
  const { windows } = quota
  const tightest = windows.reduce((a, b) => (share(b) < share(a) ? b : a))
  reply.headers({
    'ratelimit-policy': windows
      .map(({ policy, quota: q, windowMs }) => `"${policy}";q=${q};w=${windowMs / 1_000}`)
      .join(', '),
    ratelimit: windows
      .map((window) => `"${window.policy}";r=${left(window)};t=${secondsUntil(window.resetsAt, now)}`)
      .join(', '),
    'x-ratelimit-limit': String(tightest.quota),
    'x-ratelimit-remaining': String(left(tightest)),
    'x-ratelimit-reset': String(Math.ceil(tightest.resetsAt / 1_000)),
    'x-ratelimit-policy': tightest.policy,
  })
}

const left = ({ quota, used }: Window): number => Math.max(0, quota - used)
const share = (window: Window): number => left(window) / window.quota

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

/** The policy: at least 12 months between the headers and the end, and never inside this version of the API. */
const noticeMsMin = 365 * 86_400_000
const replacementPage = '/docs/api'

/**
 * A route declared `deprecated` says so in every answer, refusals included, and in the API document: Deprecation
 * (RFC 9745), Sunset (RFC 8594) and a link to the reference, which names what to use instead.
 */
export function addDeprecation(app: App): void {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.deprecated) return
    const { since, sunset } = config.deprecated
    const noticeMs = Date.parse(sunset) - Date.parse(since)
    if (!(noticeMs >= noticeMsMin)) {
      throw new Error(`${method} ${url} is deprecated on ${since} and ends on ${sunset}: that is less than 12 months.`)
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { deprecated } = request.routeOptions.config
    if (!deprecated) return done(null, payload)
    reply.header('deprecation', `@${Date.parse(deprecated.since) / 1_000}`)
    reply.header('sunset', new Date(deprecated.sunset).toUTCString())
    reply.header('link', `<${replacementPage}>; rel="deprecation"; type="text/html"`)
    done(null, payload)
  })
}
