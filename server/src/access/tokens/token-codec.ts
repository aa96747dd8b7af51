import { randomBytes } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'
import { dayMs, minuteMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import {
  deleteRetiredSigningKeys,
  insertFirstSigningKey,
  listSigningKeys,
  retireSigningKeys,
} from '../../store/accounts/tokens.ts'
import { Unit } from '../../store/engine/unit.ts'
import { installationId } from '../installation.ts'

/** The claims of a token. Documented as opaque to clients. */
export type TokenClaims = {
  sub: string
  acc: string
  scope: string
  jti: string
  fam: string
  iat: number
  exp: number
}

type TokenCodec = {
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
function createTokenCodec(keys: readonly SigningKey[], issuer: string): TokenCodec {
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

type SigningKey = { kid: string; secret: Buffer; active: boolean; createdAt: number }

const rotateAfterMs = 90 * dayMs

/** All keys that may have signed a living token; the first is the one that signs. Makes the first key of all. */
export async function loadSigningKeys(rt: Runtime): Promise<SigningKey[]> {
  const known = await readSigningKeys(rt)
  if (known.some((key) => key.active)) return known
  const unit = new Unit()
  addNewKey(rt, unit)
  await rt.store.write(unit)
  return readSigningKeys(rt)
}

/** The old key goes on verifying until the last token it signed can no longer be refreshed. */
export async function rotateSigningKey(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const { tokenTtlSeconds, tokenRefreshGraceSeconds } = rt.config
  const unit = new Unit()
  unit.add(retireSigningKeys, { now })
  addNewKey(rt, unit)
  unit.add(deleteRetiredSigningKeys, { before: now - (tokenTtlSeconds + tokenRefreshGraceSeconds + 3_600) * 1_000 })
  await rt.store.write(unit)
}

/** A regular job: every 90 days a new key. */
export async function rotateSigningKeyByAge(rt: Runtime): Promise<'done'> {
  const active = (await readSigningKeys(rt)).find((key) => key.active)
  if (active && rt.clock.now() - active.createdAt > rotateAfterMs) await rotateSigningKey(rt)
  return 'done'
}

/** Time of the next rotation, for operators who monitor it. */
export async function measureSigningKey(rt: Runtime): Promise<void> {
  const active = (await readSigningKeys(rt)).find((key) => key.active)
  if (active) rt.metrics.signingKeyExpiry.set({}, (active.createdAt + rotateAfterMs) / 1_000)
}

function addNewKey(rt: Runtime, unit: Unit): void {
  const kid = randomBytes(9).toString('base64url')
  const sealed = rt.secrets.seal('signing key', kid, randomBytes(32))
  unit.add(insertFirstSigningKey, { kid, sealed, created_at: rt.clock.now() })
}

async function readSigningKeys(rt: Runtime): Promise<SigningKey[]> {
  const rows = await rt.store.read(listSigningKeys, {})
  return rows.flatMap(({ kid, sealed, status, created_at }) => {
    const secret = openKey(rt, kid, sealed)
    return secret ? [{ kid, secret, active: status === 'active', createdAt: created_at }] : []
  })
}

/** Null: one that does not open, of another master key perhaps. It must not take the others along. */
function openKey(rt: Runtime, kid: string, sealed: string): Buffer | null {
  try {
    return rt.secrets.open('signing key', kid, sealed)
  } catch (error) {
    rt.log.error({ err: error, kid }, 'signing_key.unreadable')
    return null
  }
}
