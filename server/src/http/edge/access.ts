import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AttemptLimit, createAttemptLimit } from '../../access/attempt-limit.ts'
import { createGate } from '../../access/create-gate.ts'
import type { Gate } from '../../access/gate.ts'
import { createKeyUse } from '../../access/keys/note-key-use.ts'
import { quotaExceeded } from '../../access/quota.ts'
import { type Checked, createTokenCheck, type TokenCheck } from '../../access/tokens/check-token.ts'
import { createTokenAuthority, type TokenAuthority } from '../../access/tokens/token-authority.ts'
import { AppError } from '../../contract/app-error.ts'
import { allows } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from './context.ts'
import { setQuotaHeaders } from './quota-headers.ts'

/** What the way in needs to remember between requests; one per process. */
export type Access = {
  readonly authority: TokenAuthority
  readonly gate: Gate
  readonly check: TokenCheck
  readonly limit: AttemptLimit
}

declare module 'fastify' {
  interface FastifyInstance {
    access: Access
  }
  interface FastifyRequest {
    /** The checked token behind `caller`. */
    checked: Checked | null
  }
}

export function createAccess(rt: Runtime): Access {
  const authority = createTokenAuthority(rt)
  const gate = createGate(rt)
  return { authority, gate, check: createTokenCheck(rt, authority, gate), limit: createAttemptLimit(rt) }
}

/**
 * Steps 2 to 5 of the fixed order of checks: bearer, account and key, quota, scope. They run before any body is read.
 * A route of /v1 that does not say who may reach it does not start.
 */
export function addAccessHooks(app: App, rt: Runtime, access: Access): void {
  const keyUse = createKeyUse(rt)
  app.decorate('access', access)
  app.decorateRequest('checked', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/v1/') && config?.access === undefined) throw new Error(`${url} does not say who may reach it.`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { access: rule, counted = true } = request.routeOptions.config
    if (rule === undefined || rule === 'public') return
    const checked = await admitBearer(access, request, counted)
    request.checked = checked
    request.caller = checked.caller
    setQuotaHeaders(reply, checked.quota, rt.clock.now())
    if (checked.quota && !checked.quota.granted) {
      const refusal = quotaExceeded(checked.caller.plan, checked.quota.windows, rt.clock.now())
      rt.metrics.rateLimited.inc({ policy: refusal.extras.limit?.policy ?? 'hour', plan: checked.caller.plan })
      throw refusal
    }
    if (typeof rule === 'object' && !allows(checked.caller.scopes, rule.scope)) throw missingScope(rule.scope)
    keyUse.note(checked.caller, request.ip)
  })
  app.addHook('onResponse', async (request, reply) => refundFailure(access, request, reply))
  app.addHook('onClose', () => Promise.all([access.gate.close(), keyUse.close()]))
}

async function admitBearer(access: Access, request: FastifyRequest, counted: boolean): Promise<Checked> {
  const { allowExpired = false, allowRevoked = false } = request.routeOptions.config
  return access.check(bearerOf(request), { ip: request.ip, counted, allowExpired, allowRevoked })
}

export function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (!header) {
    throw new AppError('missing_credentials', 'Send the header Authorization: Bearer <access token>.')
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? []
  if (token === undefined) {
    throw new AppError('invalid_token', 'The Authorization header must be "Bearer" and one access token.')
  }
  return token
}

function missingScope(scope: string): AppError {
  return new AppError('insufficient_scope', `The API key lacks the scope ${scope}.`, { requiredScope: scope })
}

/** What failed on our side is not charged. */
function refundFailure(access: Access, { checked }: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode >= 500 && checked?.quota?.granted)
    access.gate.refund(checked.caller.accountId, checked.caller.plan, checked.quota)
}
