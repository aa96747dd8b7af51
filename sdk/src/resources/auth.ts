import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Input } from '../http/wire.ts'

/** Answer of `auth.me()`. */
export interface Me extends Answer<'CurrentUser'> {
  /** The API key in use; `key` is shortened. */
  apiKey: Answer<'CurrentUser'>['apiKey']
  /** Who made the key. */
  user: Answer<'CurrentUser'>['user']
  /** Both are `null` on a plan without quotas. */
  limits: Answer<'CurrentUser'>['limits']
}

/** A permission of an API key. */
export type Scope = Me['scopes'][number]

/** How much of one quota is used, and when its window starts anew. */
export type LimitState = NonNullable<Me['limits']['hour']>

/** One business number of the account; the default one sends when a call names none. */
export type PhoneNumber = Me['channel']['phoneNumbers'][number]

/** What to revoke. */
export interface RevokeParams extends Input<'RevokeRequest'> {
  /** Another access token of the same API key. Default: the one this client uses. */
  token?: string | null
  /** Also every other token that descends from the same token request. Default: false. */
  chain?: boolean | null
}

/** Answer of `auth.revoke()`. */
export interface Revocation extends Answer<'Revocation'> {
  /** False when the token was not one of this key. */
  revoked: boolean
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

  /** Revokes an access token, by default the one in use, and those refreshed from it; the next call fetches a new one. */
  revoke(params: RevokeParams = {}, options?: RequestOptions): ApiPromise<Revocation> {
    return this.#transport
      .send<Revocation>({ method: 'POST', path: '/v1/auth/revoke', body: params }, options)
      .map((revocation) => {
        this.#transport.forgetToken()
        return revocation
      })
  }
}
