import { createHmac } from 'node:crypto'
import { graphError, unknownNode } from '../http/errors.ts'
import { type Call, headerOf, ok, type Reply } from '../http/http.ts'
import { text } from '../http/json.ts'
import type { Platform } from '../platform.ts'
import { type App, PERMISSIONS, type Permission, type Token } from '../world.ts'
import { isOver, redeemCode, renewToken } from './signup.ts'

/** The caller's token, or the platform's refusal. */
export function authenticate(platform: Platform, call: Call): Token {
  return authorize(platform, presentedToken(call), call.query.get('appsecret_proof') ?? undefined)
}

export function authorize(platform: Platform, value: string | null, proof?: string): Token {
  if (value === null) {
    throw graphError(190, undefined, { message: 'Invalid OAuth access token - Cannot parse access token' })
  }
  const token = platform.world.tokens.get(value) ?? appToken(platform, value)
  if (token === undefined) {
    throw graphError(190, undefined, { message: 'Invalid OAuth access token - Cannot parse access token' })
  }
  if (isOver(platform, token)) throw expiredToken()
  checkProof(platform, token, proof)
  return token
}

/** Refuses a token that was made without the permission; so users of other projects met it. */
export function requirePermission({ permissions }: Token, permission: Permission): void {
  if (permissions === undefined || permissions.includes(permission)) return
  throw graphError(200, undefined, {
    message: `(#200) You do not have the necessary permissions (${permission}) for this WhatsApp Business Account`,
  })
}

/** A proof that is given must be right, wanted or not; a token of the app itself holds the secret already. */
function checkProof(platform: Platform, { value, appId }: Token, proof: string | undefined): void {
  const app = platform.world.apps.get(appId)
  if (app === undefined || value.includes('|')) return
  if (proof === undefined) {
    if (!app.requiresProof) return
    throw badProof('API calls from the server require an appsecret_proof argument')
  }
  if (createHmac('sha256', app.secret).update(value).digest('hex') !== proof) {
    throw badProof('Invalid appsecret_proof provided in the API argument')
  }
}

function badProof(message: string) {
  return graphError(100, undefined, { message, type: 'GraphMethodException' })
}

export function expiredToken() {
  return graphError(190, undefined, {
    subcode: 463,
    message: 'Error validating access token: Session has expired. The current time is later than the expiry time.',
  })
}

/** The token as the caller gave it: in the header, the query or the body. */
export function presentedToken(call: Call): string | null {
  const header = headerOf(call.req, 'authorization')
  if (header !== undefined) {
    if (header.startsWith('Bearer ')) return header.slice(7)
    return /^(?:bearer|oauth) +(.+)$/i.exec(header)?.[1]?.trim() ?? null
  }
  return call.query.get('access_token') ?? text(call.params.access_token) ?? null
}

/** An app speaks for itself with `<app id>|<app secret>`; such a token opens no business account. */
function appToken(platform: Platform, value: string): Token | undefined {
  const [id, secret] = value.split('|')
  const app = id === undefined ? undefined : platform.world.apps.get(id)
  if (app === undefined || app.secret !== secret) return undefined
  return { value, appId: app.id, wabaIds: [], expired: false, issuedAtMs: 0 }
}

export function debugToken(platform: Platform, call: Call): Reply {
  const caller = authenticate(platform, call)
  // Only the app itself, or one of its developers, may ask about its tokens; a system user is neither.
  if (!caller.value.includes('|')) {
    throw graphError(100, undefined, {
      message:
        '(#100) You must provide an app access token, or a user access token that is an owner or developer of the app',
    })
  }
  const token = platform.world.tokens.get(call.query.get('input_token') ?? '')
  if (token === undefined || token.appId !== caller.appId) {
    return ok({ data: { is_valid: false, scopes: [], error: { code: 190, message: 'Invalid OAuth access token.' } } })
  }
  const app = platform.world.apps.get(token.appId)
  const data = {
    app_id: token.appId,
    type: 'SYSTEM_USER',
    application: app?.name,
    is_valid: !isOver(platform, token),
    issued_at: Math.floor(token.issuedAtMs / 1000),
    expires_at: expiryOf(platform, token),
    data_access_expires_at: 0,
    scopes: token.permissions ?? [...PERMISSIONS],
    granular_scopes: (token.permissions ?? PERMISSIONS).map((scope) => ({ scope, target_ids: token.wabaIds })),
    user_id: `1${token.appId.slice(1)}`,
  }
  return ok({ data })
}

/** In seconds; 0 for a token that never ends. */
function expiryOf({ clock }: Platform, { expired, expiresAtMs }: Token): number {
  if (expiresAtMs !== undefined) return Math.floor(expiresAtMs / 1000)
  return expired ? Math.floor(clock.now() / 1000) - 60 : 0
}

/**
 * `GET` or `POST /oauth/access_token`, as query, form or JSON: an app trades its secret for an app token, a code for the
 * token of a business, or such a token for one that lives longer.
 */
export function exchangeToken(platform: Platform, call: Call): Reply {
  const id = String(call.params.client_id ?? '')
  const app: App | undefined = platform.world.apps.get(id)
  if (app === undefined) throw unknownNode(call.method, id)
  if (app.secret !== call.params.client_secret) {
    throw graphError(1, undefined, { message: 'Error validating client secret.' })
  }
  if (call.params.code !== undefined) return redeemCode(platform, app, call.params)
  if (call.params.grant_type === 'fb_exchange_token') return renewToken(platform, app, call.params.fb_exchange_token)
  return ok({ access_token: `${app.id}|${app.secret}`, token_type: 'bearer' })
}
