import type { Clock } from '../clock.ts'
import type { Answer } from './wire.ts'

/** The part of the token answer that matters here. */
export type TokenGrant = Pick<Answer<'AccessToken'>, 'accessToken' | 'expiresIn'>

interface HeldToken {
  value: string
  renewAtMs: number
  expiresAtMs: number
}

/** Renewing early leaves the last fifth of the life for clock differences and for a gateway that is restarting. */
const RENEW_AT_SHARE = 0.8

/**
 * Holds the access token of one client. However many calls need a token at once, one request fetches it. A caller
 * that gives up stops waiting, but does not cancel the fetch the others wait for.
 */
export class TokenSource {
  readonly #fetchGrant: () => Promise<TokenGrant>
  readonly #clock: Clock
  #held: HeldToken | undefined
  #pending: Promise<HeldToken> | undefined

  constructor(fetchGrant: () => Promise<TokenGrant>, clock: Clock) {
    this.#fetchGrant = fetchGrant
    this.#clock = clock
  }

  /** A token that is valid now. */
  async get(signal?: AbortSignal): Promise<string> {
    const held = this.#held
    if (held !== undefined && this.#clock.now() < held.renewAtMs) return held.value
    try {
      return (await abortable(this.#renew(), signal)).value
    } catch (error) {
      if (signal?.aborted || held === undefined || this.#clock.now() >= held.expiresAtMs) throw error
      // The early renewal failed, and the old token is still good: the call should not pay for it.
      return held.value
    }
  }

  /** Forgets a token the gateway refused, unless it has been replaced meanwhile; without one, whatever is held. */
  discard(token = this.#held?.value): void {
    if (this.#held?.value === token) this.#held = undefined
  }

  #renew(): Promise<HeldToken> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #fetch(): Promise<HeldToken> {
    const askedAtMs = this.#clock.now()
    const { accessToken, expiresIn } = await this.#fetchGrant()
    // A token with other characters would come back inside the message of the header it does not fit in.
    if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) {
      throw new TypeError('The token answer of the gateway has no usable access token')
    }
    const lifeMs = expiresIn * 1_000
    this.#held = {
      value: accessToken,
      renewAtMs: askedAtMs + lifeMs * RENEW_AT_SHARE,
      expiresAtMs: askedAtMs + lifeMs,
    }
    return this.#held
  }
}

/**
 * The promise, or the reason of the signal if that comes first. The handlers are attached in any case, so a fetch that
 * fails after its last caller gave up is not an unhandled rejection.
 */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason)
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
