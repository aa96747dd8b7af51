import { describeCaller } from '../../access/describe-caller.ts'
import type { KeyClaim } from '../../access/keys/create-key.ts'
import { issueToken } from '../../access/tokens/issue-token.ts'
import { refreshToken, revokeToken } from '../../access/tokens/token-chain.ts'
import { channelReadiness } from '../../channels/check/readiness.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import {
  AccessToken,
  CurrentUser,
  RefreshRequest,
  Revocation,
  RevokeRequest,
  TokenRequest,
} from '../../contract/auth.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { bodyProblem, type FieldProblem, furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'

const route = routesOf('Authentication')

/** The way in: token, refresh, revoke, me. The first three never count against the plan. */
export function addAuthRoutes(app: App, rt: Runtime): void {
  const { access } = app

  app.post(
    '/v1/auth/token',
    route({
      config: { access: 'public' },
      operationId: 'createToken',
      summary: 'Create an access token',
      description: 'Exchanges an API key and its secret for an access token.',
      // Without a body nothing is wrong with its form, and what is missing is told as 401.
      body: optionalBody(ref(TokenRequest)),
      response: { 200: answer(ref(AccessToken)) },
    }),
    async (request) => {
      const { api_key: apiKey, api_secret: apiSecret, scopes } = request.body ?? {}
      requireCredentials(apiKey, apiSecret, request.headers.authorization !== undefined)
      const { ip, addressKnown } = request
      const credentials = {
        apiKey: apiKey ?? '',
        apiSecret: apiSecret ?? '',
        scopes: scopes ?? null,
        ip,
        addressKnown,
      }
      const onKey = (claim: KeyClaim) => {
        request.claim = claim
      }
      const { keyId, ...token } = await issueToken(rt, access.authority, access.limit, { ...credentials, onKey })
      access.keyUse.seen(keyId, ip)
      return ok(token)
    },
  )
  addTokenChanges(app, rt)
  addCurrentUser(app, rt)
}

/** Refreshing and revoking take a token instead of a key; an expired one is enough. */
function addTokenChanges(app: App, rt: Runtime): void {
  const { access } = app
  app.post(
    '/v1/auth/refresh',
    route({
      config: { access: 'token', counted: false, bearerOnly: true, allowExpired: true },
      operationId: 'refreshToken',
      summary: 'Refresh an access token',
      description:
        'Exchanges an access token, also a recently expired one, for a new one. May be repeated: each call gives a new token and revokes none. A token can be refreshed until 24 hours after it expires, its chain until 30 days after the first token. The newest 100 tokens of a chain can be refreshed; older ones work until they expire.',
      body: optionalBody(ref(RefreshRequest)),
      ...furtherChecks('access_token'),
      response: { 200: answer(ref(AccessToken)) },
    }),
    async (request) => {
      const given = request.body?.access_token
      if (given && `Bearer ${given}`.toLowerCase() !== (request.headers.authorization ?? '').toLowerCase()) {
        throw invalidField('access_token', 'invalid_value', 'Leave it out, or repeat the bearer token.')
      }
      const token = request.checked?.token
      if (!token)
        throw new AppError('missing_credentials', 'Send the token to refresh as Authorization: Bearer <access token>.')
      return ok(await refreshToken(rt, access, token, request.addressKnown ? request.ip : null))
    },
  )

  app.post(
    '/v1/auth/revoke',
    route({
      config: { access: 'token', counted: false, bearerOnly: true, allowExpired: true, allowRevoked: true },
      operationId: 'revokeToken',
      summary: 'Revoke an access token',
      description: 'Also revokes every token refreshed from it.',
      body: optionalBody(ref(RevokeRequest)),
      response: { 200: answer(ref(Revocation)) },
    }),
    async (request) => {
      const body = request.body ?? {}
      const bearer = request.checked?.token
      if (!bearer)
        throw new AppError('missing_credentials', 'Send an access token, as Authorization: Bearer <access token>.')
      const options = { token: body.token ?? body.access_token ?? null, chain: body.chain ?? false }
      return ok(await revokeToken(rt, access.authority, bearer, options))
    },
  )
}

function addCurrentUser(app: App, rt: Runtime): void {
  app.get(
    '/v1/auth/me',
    route({
      config: { access: 'token' },
      operationId: 'getCurrentUser',
      summary: 'Get the current account and API key',
      description:
        'The account, the API key with its scopes, the remaining quota of the plan, and the state of the channel.',
      response: { 200: answer(ref(CurrentUser)) },
    }),
    async (request) => {
      const { checked } = request
      if (!checked)
        throw new AppError('missing_credentials', 'Send an access token, as Authorization: Bearer <access token>.')
      const channel = await channelReadiness(rt, callerOf(request).accountId)
      return ok(await describeCaller(rt, callerOf(request), { token: checked.token, quota: checked.quota, channel }))
    },
  )
}

type Given = string | null | undefined

/** Clients that exchange credentials elsewhere often send them as a header; here it would be passed over in silence. */
function requireCredentials(apiKey: Given, apiSecret: Given, hasHeader: boolean): void {
  const missing = [...(apiKey ? [] : ['api_key']), ...(apiSecret ? [] : ['api_secret'])]
  if (missing.length === 0) return
  const details = missing.map((field): FieldProblem => bodyProblem(field, 'required', `Give ${field} as text.`))
  const advice = hasHeader
    ? ' The Authorization header is not read here; with Basic credentials no token is needed.'
    : ''
  throw new AppError('missing_credentials', `The body needs ${missing.join(' and ')}.${advice}`, { details })
}
