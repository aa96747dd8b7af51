import type { FastifyReply } from 'fastify'
import { type QuotaState, quotaExceeded, secondsUntil, type Window } from '../../access/quota.ts'
import type { Plan } from '../../contract/plans.ts'
import type { Runtime } from '../../runtime.ts'
import { version } from '../../version.ts'
import type { App } from './context.ts'

/** What every answer of the API carries; pages and files set their own policy and keep it. */
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
