import { createSigner, createVerifier } from 'fast-jwt'
import type { SigningKey } from './signing-keys.ts'

/** What a token says. Documented as opaque: nobody outside may read it. */
export type TokenClaims = {
  sub: string
  acc: string
  scope: string
  jti: string
  fam: string
  iat: number
  exp: number
}

export type TokenCodec = {
  sign(claims: TokenClaims): string
  /** The claims of a token we signed, whether or not it has expired; null for anything else. */
  verify(token: string): TokenClaims | null
}

const audience = 'postern'
const headerType = 'at+jwt'

/**
 * HS256 with one algorithm per key. The key id is looked up in a map, never used as a path or in a statement; the
 * algorithm of a token is not believed, it must be the one of its key. The issuer is the installation, so a token of
 * another gateway is not one of ours even if the secret were.
 */
export function createTokenCodec(keys: readonly SigningKey[], issuer: string): TokenCodec {
  const active = keys.find((key) => key.active)
  if (!active) throw new Error('There is no active signing key.')
  const header = { alg: 'HS256', typ: headerType, kid: active.kid } as const
  const sign = createSigner({ algorithm: 'HS256', key: active.secret, header })
  const verifiers = new Map(
    keys.map(({ kid, secret }) => [
      kid,
      createVerifier({
        key: secret,
        algorithms: ['HS256'],
        allowedIss: issuer,
        allowedAud: audience,
        checkTyp: headerType,
        requiredClaims: ['iss', 'aud'],
        ignoreExpiration: true,
        cache: false,
      }),
    ]),
  )
  return {
    sign: (claims) => sign({ iss: issuer, aud: audience, ...claims }),
    verify(token) {
      const kid = keyIdOf(token)
      const verifier = kid === null ? undefined : verifiers.get(kid)
      if (!verifier) return null
      try {
        const claims: unknown = verifier(token)
        return areClaims(claims) ? claims : null
      } catch {
        return null
      }
    },
  }
}

const textClaims = ['sub', 'acc', 'scope', 'jti', 'fam'] as const
const numberClaims = ['iat', 'exp'] as const

/** The library checks that claims are there, not what they are. */
function areClaims(value: unknown): value is TokenClaims {
  if (typeof value !== 'object' || value === null) return false
  const claims = value as Record<string, unknown>
  return (
    textClaims.every((name) => typeof claims[name] === 'string') &&
    numberClaims.every((name) => typeof claims[name] === 'number')
  )
}

function keyIdOf(token: string): string | null {
  if (token.length > 2_048) return null
  try {
    const header = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString()) as { kid?: unknown }
    return typeof header.kid === 'string' ? header.kid : null
  } catch {
    return null
  }
}
