import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../contract/app-error.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKeyByPublicKey } from '../../store/accounts/api-keys.ts'
import { closeOldestChains, insertChain, insertToken, type tokenColumns } from '../../store/accounts/tokens.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { AttemptLimit } from '../attempt-limit.ts'
import { secretMac } from '../keys/api-key.ts'
import { toAddressList } from '../keys/create-key.ts'
import { includes } from './check-token.ts'
import type { TokenAuthority } from './token-authority.ts'

export type TokenRequest = {
  apiKey: string
  apiSecret: string
  scopes: readonly Scope[] | null
  ip: string
  /** False behind a proxy nobody configured: the address is the proxy's. */
  addressKnown?: boolean
  /** Told whose key was named before anything is proved: a refusal belongs into the log of its owner. */
  onKey?: (claim: KeyClaim) => void
}
export type KeyClaim = { accountId: string; keyId: string }
export type IssuedToken = { access_token: string; token_type: 'Bearer'; expires_in: number; keyId: string }

const refreshableMax = 1_000
const nobody = Buffer.alloc(32).toString('base64url')

/** Key and secret for a token. Unknown key and wrong secret take the same steps and get the same answer. */
export async function issueToken(
  rt: Runtime,
  authority: TokenAuthority,
  limit: AttemptLimit,
  request: TokenRequest,
): Promise<IssuedToken> {
  const [key] = await rt.store.read(findApiKeyByPublicKey, { public_key: request.apiKey })
  if (key) request.onKey?.({ accountId: key.account_id, keyId: key.id })
  const now = rt.clock.now()
  const given = await secretMac(rt, request.apiSecret)
  const previous = key?.previous_secret_until && key.previous_secret_until > now ? key.previous_secret_mac : null
  const right = [same(given, key?.secret_mac ?? nobody), same(given, previous ?? nobody)].includes(true)
  if (!key || !right) {
    const wrong = new AppError('invalid_credentials', 'The API key is unknown or the secret is wrong.')
    const refusal = limit.failed(request.apiKey, request.addressKnown === false ? null : request.ip, wrong)
    rt.metrics.authFailures.inc({ code: refusal.code })
    throw refusal
  }
  if (key.status !== 'active' || (key.expires_at !== null && key.expires_at <= now)) {
    throw new AppError('api_key_inactive', 'The API key was revoked or has expired.')
  }
  if (key.account_status !== 'active') throw new AppError('account_suspended', 'The account is suspended.')
  if (key.allowed_ips !== null && !includes(toAddressList(JSON.parse(key.allowed_ips) as string[]), request.ip)) {
    throw new AppError('ip_not_allowed', 'The API key may not be used from this address.')
  }
  const scopes = narrowed(JSON.parse(key.scopes) as Scope[], request.scopes)
  limit.succeeded(key.id)
  return { ...(await mintToken(rt, authority, key, scopes)), keyId: key.id }
}

/** The first token of a new chain, for a key that was proved. */
export async function mintToken(
  rt: Runtime,
  authority: TokenAuthority,
  key: { id: string; account_id: string },
  scopes: readonly Scope[],
) {
  const now = rt.clock.now()
  const chainId = rt.newId('fam')
  const token = { id: rt.newId('tok'), keyId: key.id, accountId: key.account_id, chainId, scopes, issuedAt: now }
  const unit = new Unit()
  unit.add(insertChain, { id: chainId, account_id: key.account_id, key_id: key.id, created_at: now })
  const row = toTokenRow(rt, token)
  unit.add(insertToken, row)
  unit.add(closeOldestChains, { key_id: key.id, keep: refreshableMax, now })
  await rt.store.write(unit)
  rt.metrics.authTokensIssued.inc({ kind: 'token' })
  return signed(rt, authority, token, row.expires_at)
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A token may be narrower than its key, never wider. */
function narrowed(granted: Scope[], wanted: readonly Scope[] | null): Scope[] {
  if (wanted === null) return granted
  const missing = wanted.find((scope) => !granted.includes(scope))
  if (missing) {
    throw new AppError('insufficient_scope', `The API key does not have the scope ${missing}.`, {
      requiredScope: missing,
    })
  }
  return [...wanted]
}

export type NewToken = {
  id: string
  keyId: string
  accountId: string
  chainId: string
  scopes: readonly string[]
  issuedAt: number
}

/** The token as it is stored. */
export function toTokenRow(rt: Runtime, token: NewToken): RowOf<typeof tokenColumns> {
  return {
    id: token.id,
    chain_id: token.chainId,
    key_id: token.keyId,
    account_id: token.accountId,
    scopes: JSON.stringify(token.scopes),
    issued_at: token.issuedAt,
    expires_at: token.issuedAt + rt.config.tokenTtlSeconds * 1_000,
  }
}

export async function signed(
  rt: Runtime,
  authority: TokenAuthority,
  token: NewToken,
  expiresAt: number,
): Promise<{ access_token: string; token_type: 'Bearer'; expires_in: number }> {
  const accessToken = await authority.sign({
    sub: token.keyId,
    acc: token.accountId,
    scope: token.scopes.join(' '),
    jti: token.id,
    fam: token.chainId,
    iat: Math.floor(token.issuedAt / 1_000),
    exp: Math.floor(expiresAt / 1_000),
  })
  const expiresIn = Math.max(0, Math.round((expiresAt - rt.clock.now()) / 1_000))
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresIn }
}
