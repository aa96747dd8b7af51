import { minuteMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { installationId } from '../installation.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createTokenCodec, type TokenClaims, type TokenCodec } from './token-codec.ts'

export type TokenAuthority = {
  sign(claims: TokenClaims): Promise<string>
  verify(token: string): Promise<TokenClaims | null>
}

const reloadEveryMs = 1_000
const refreshEveryMs = minuteMs

/**
 * Signs and checks tokens with the keys of the database. They are read again once a minute, and at once when a token
 * names a key this process has not seen: another node has rotated.
 */
export function createTokenAuthority(rt: Runtime): TokenAuthority {
  let codec: TokenCodec | null = null
  let loadedAt = 0

  async function current(staleAfterMs: number): Promise<TokenCodec> {
    if (codec && rt.clock.now() - loadedAt < staleAfterMs) return codec
    const [keys, issuer] = await Promise.all([loadSigningKeys(rt), installationId(rt)])
    loadedAt = rt.clock.now()
    codec = createTokenCodec(keys, issuer)
    return codec
  }

  return {
    async sign(claims) {
      return (await current(refreshEveryMs)).sign(claims)
    },
    async verify(token) {
      const claims = (await current(refreshEveryMs)).verify(token)
      return claims ?? (await current(reloadEveryMs)).verify(token)
    },
  }
}
