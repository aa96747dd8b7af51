import type { FastifyReply, FastifyRequest } from 'fastify'
import { Admission, type Checked } from '../../access/caller.ts'
import type { KeyKind } from '../../access/keys/api-key.ts'
import { createKeyCheck, type KeyCheck } from '../../access/keys/check-key.ts'
import type { KeyClaim } from '../../access/keys/create-key.ts'
import { createKeyUse, type KeyUse, readConnectionToken } from '../../access/keys/credentials.ts'
import { createTokenCheck, type TokenCheck } from '../../access/tokens/check-token.ts'
import { createTokenAuthority, type TokenAuthority } from '../../access/tokens/token-codec.ts'
import { AppError } from '../../contract/app-error.ts'
import { allows } from '../../contract/scopes.ts'
import type { Gate, QuotaState } from '../../limits/quota.ts'
import { createGate } from '../../limits/quota-shared.ts'
import { type AttemptLimit, createAttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, step } from './context.ts'
import { requireQuota, setQuotaHeaders } from './headers.ts'

/** State of authentication between requests; one per process. */
type Access = {
  readonly authority: TokenAuthority
  readonly gate: Gate
  readonly check: TokenCheck
  readonly checkKey: KeyCheck
  readonly limit: AttemptLimit
  readonly keyUse: KeyUse
}

declare module 'fastify' {
  interface FastifyInstance {
    access: Access
  }
  interface FastifyRequest {
    /** The checked credentials behind `caller`. */
    checked: Checked | null
    /** Set where key and quota may be decided with the first write. */
    admission: Admission | null
  }
}

export function createAccess(rt: Runtime): Access {
  const authority = createTokenAuthority(rt)
  const gate = createGate(rt)
  const limit = createAttemptLimit(rt)
  const check = createTokenCheck(rt, authority, gate)
  return { authority, gate, check, checkKey: createKeyCheck(rt, { gate, limit }), limit, keyUse: createKeyUse(rt) }
}

/**
 * Steps 2 to 5 of the fixed order of checks: bearer, account and key, quota, scope. They run before any body is read.
 * A route of /v1 that does not say who may reach it does not start.
 */
export function addAccessHooks(app: App, rt: Runtime, access: Access): void {
  const { keyUse } = access
  app.decorate('access', access)
  app.decorateRequest('checked', null).decorateRequest('admission', null).decorateRequest('formToken', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/v1/') && config?.access === undefined) throw new Error(`${url} does not say who may reach it.`)
  })
  const enterAs = (request: FastifyRequest, reply: FastifyReply) => {
    const { access: rule, counted = true } = request.routeOptions.config
    if (rule === undefined || rule === 'public') return
    const decide = async () => {
      const checked = await checkCredentials(access, request, counted)
      enter(request, checked)
      keyUse.seen(checked.caller.keyId, request.ip)
      requireQuota(rt, reply, checked.caller.plan, checked.quota)
      if (typeof rule === 'object' && !allows(checked.caller.scopes, rule.scope))
        throw missingScope(checked, rule.scope)
      keyUse.note(checked.caller, request.ip)
      return { caller: checked.caller, epoch: checked.epoch }
    }
    const known = recall(access, request)
    if (!known) return decide()
    const { gate } = access
    const { caller, epoch } = known
    enter(request, { ...known, quota: null })
    const granted = (quota: QuotaState) => {
      enter(request, { ...known, quota })
      setQuotaHeaders(reply, quota, rt.clock.now())
      keyUse.note(caller, request.ip)
    }
    request.admission = new Admission({ gate, caller, epoch, decide, granted })
    return
  }
  app.addHook(
    'onRequest',
    step((request, reply) => (mayHaveFormToken(request) ? undefined : enterAs(request, reply))),
  )
  app.addHook(
    'preValidation',
    step((request, reply) => (mayHaveFormToken(request) ? enterAs(request, reply) : undefined)),
  )
  app.addHook('onResponse', (request, reply, done) => {
    refundFailure(access, request, reply)
    done()
  })
  app.addHook('onClose', () => Promise.all([access.gate.close(), keyUse.close()]))
}

/** The one place of a token that is known only after the body: a tool that has none anywhere else sends it there. */
function mayHaveFormToken(request: FastifyRequest): boolean {
  const { connectionToken } = request.routeOptions.config
  if (!connectionToken || request.checked) return false
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers['content-type'] ?? '',
  )
  return isForm && (request.formToken !== null || connectionToken(request) === null)
}

function enter(request: FastifyRequest, checked: Checked): void {
  request.checked = checked
  request.caller = checked.caller
}

/** The caller of a send as this process remembers it, where its first write can decide about it; null elsewhere. */
function recall({ gate, check, checkKey }: Access, request: FastifyRequest) {
  const { access: rule, decidedByWrite = false } = request.routeOptions.config
  if (!decidedByWrite) return null
  const { ip } = request
  const basic = keyCredentials(request)
  const known = basic ? checkKey.recall({ ...basic, ip }) : check.recall(bearerOf(request), ip)
  if (!known || (typeof rule === 'object' && !allows(known.caller.scopes, rule.scope))) return null
  const { accountId, plan } = known.caller
  return gate.hasRoom(accountId, plan) ? known : null
}

/** Whom the credentials of a request belong to: an access token as bearer, or key and secret as Basic. */
export async function checkCredentials(access: Access, request: FastifyRequest, counted: boolean): Promise<Checked> {
  const { allowExpired = false, allowRevoked = false, bearerOnly = false } = request.routeOptions.config
  const basic = keyCredentials(request)
  if (!basic) return access.check(bearerOf(request), { ip: request.ip, counted, allowExpired, allowRevoked })
  if (bearerOnly) {
    throw new AppError('missing_credentials', 'This call needs an access token: send it as Authorization: Bearer.')
  }
  const { ip, addressKnown } = request
  const onKey = (claim: KeyClaim) => {
    request.claim = claim
  }
  return access.checkKey({ ...basic, ip, addressKnown, onKey, counted })
}

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (!header) {
    throw new AppError(
      'missing_credentials',
      'Send the header Authorization: Bearer <access token>, with a token of POST /v1/auth/token, or Authorization: Basic base64(api_key:api_secret).',
    )
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(header) ?? []
  if (/^bearer *$/i.test(header)) {
    throw new AppError('invalid_token', 'The access token after Bearer is missing. Check that its variable is set.')
  }
  if (token === undefined) {
    throw new AppError(
      'invalid_token',
      'The Authorization header must be "Bearer" and one access token, or "Basic" and base64(api_key:api_secret).',
    )
  }
  return token
}

/** A token can be narrower than its key, and older than a scope that the key was given since. */
function missingScope(checked: Pick<Checked, 'token'> | null, scope: string): AppError {
  const sentence = checked?.token
    ? `The access token lacks the scope ${scope}. Get a new token if its API key has the scope; otherwise add the scope to the key first.`
    : `The API key lacks the scope ${scope}.`
  return new AppError('insufficient_scope', sentence, { requiredScope: scope })
}

/** Server errors don't count against the quota. */
function refundFailure(access: Access, { checked }: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode >= 500 && checked?.quota?.granted)
    access.gate.refund(checked.caller.accountId, checked.caller.plan, checked.quota)
}

type KeyCredentials = { kind: KeyKind; apiKey: string; apiSecret: string }

/**
 * Key and secret of `Authorization: Basic base64(api_key:api_secret)`, or the token of a connection; null for any other
 * scheme.
 */
function keyCredentials(request: FastifyRequest): KeyCredentials | null {
  const { connectionToken } = request.routeOptions.config
  if (connectionToken) return connectionCredentials(connectionToken(request))
  const [, encoded] = /^basic +(\S*) *$/i.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return null
  requireNoOtherSite(request)
  const decoded = Buffer.from(encoded, 'base64').toString('latin1')
  const [, apiKey, apiSecret] = /^([\x21-\x39\x3b-\x7e]{0,255}):([\x21-\x7e]{0,255})$/.exec(decoded) ?? []
  if (apiKey === undefined || apiSecret === undefined) {
    throw new AppError('invalid_credentials', 'Basic credentials are base64(api_key:api_secret).')
  }
  if (apiKey === '' || apiSecret === '') throw new AppError('invalid_credentials', emptySentence(apiKey, apiSecret))
  return { kind: 'key', apiKey, apiSecret }
}

function connectionCredentials(token: string | null): KeyCredentials {
  if (token === null)
    throw new AppError('missing_credentials', 'Send the token of the connection as Authorization: Bearer.')
  const known = readConnectionToken(token)
  if (!known) {
    throw new AppError(
      'invalid_token',
      'This is not a connection token. Connection tokens begin with ptg_; copy the complete token.',
    )
  }
  return { kind: 'connection', apiKey: known.publicKey, apiSecret: known.secret }
}

/** The usual reason is a variable of the shell that is not set. */
function emptySentence(apiKey: string, apiSecret: string): string {
  const empty = [...(apiKey === '' ? ['api_key'] : []), ...(apiSecret === '' ? ['api_secret'] : [])]
  const verb = empty.length === 1 ? 'is' : 'are'
  return `${empty.join(' and ')} ${verb} empty in the Basic credentials. Check that the variables they come from are set.`
}

/** A browser that once got such credentials for this host would add them to what any page makes it send. */
function requireNoOtherSite({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'none' || site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'Basic credentials are not accepted from pages of other sites. Send the header Authorization: Bearer <access token>.',
  )
}
