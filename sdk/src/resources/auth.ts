import type { ApiPromise } from '../api-promise.ts'
import type { RequestOptions } from '../call.ts'
import type { Transport } from '../request.ts'

/** A permission of an API key. */
export type Scope =
  | 'messages:send'
  | 'messages:read'
  | 'templates:read'
  | 'templates:write'
  | 'media:write'
  | 'media:read'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'analytics:read'
  | (string & {})

/** How much of one quota is used. */
export interface LimitState {
  quota: number
  used: number
  remaining: number
  /** When the window starts anew. */
  resetsAt: string
}

/** One business number of the account. */
export interface PhoneNumber {
  id: string
  /** In international format. */
  phoneNumber: string
  displayName: string
  quality: 'high' | 'medium' | 'low' | 'unknown' | (string & {})
  /** True for the number that sends when a call names none. */
  default: boolean
}

/** Answer of `auth.me()`. */
export interface Me {
  account: {
    id: string
    name: string
    plan: 'free' | 'starter' | 'professional' | 'enterprise' | (string & {})
    status: 'active' | 'suspended' | (string & {})
    createdAt: string
  }
  /** The API key in use; `key` is shortened. */
  apiKey: {
    id: string
    name: string
    key: string
    createdAt: string
    expiresAt: string | null
    lastUsedAt: string | null
  }
  /** Who made the key. */
  user: { id: string; name: string; email: string | null }
  token: { id: string; issuedAt: string; expiresAt: string; refreshableUntil: string }
  scopes: Scope[]
  channel: { connected: boolean; businessVerified: boolean; phoneNumbers: PhoneNumber[] }
  /** Both are `null` on a plan without quotas. */
  limits: { hour: LimitState | null; day: LimitState | null }
}

/** What to revoke. */
export interface RevokeParams {
  /** Another access token of the same API key. Default: the one this client uses. */
  token?: string
  /** Also every token that descends from the same token request. Default: false. */
  chain?: boolean
}

/** Answer of `auth.revoke()`. */
export interface Revocation {
  /** False when the token was not one of this key. */
  revoked: boolean
  tokenId: string | null
  revokedAt: string | null
}

/** Identity and credentials. The client fetches and renews its access token by itself. */
export class Auth {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Who am I, what may I do, how much quota is left, is the channel ready. Needs no scope. */
  me(options?: RequestOptions): ApiPromise<Me> {
    return this.#transport.send({ method: 'GET', path: '/v1/auth/me' }, options)
  }

  /** Revokes an access token, by default the one in use; the next call then fetches a new one. */
  revoke(params: RevokeParams = {}, options?: RequestOptions): ApiPromise<Revocation> {
    return this.#transport
      .send<Revocation>({ method: 'POST', path: '/v1/auth/revoke', body: params }, options)
      .map((revocation) => {
        this.#transport.forgetToken()
        return revocation
      })
  }
}
