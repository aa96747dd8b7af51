import { operator } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import type { AttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { listApiKeys } from '../../store/accounts/api-keys.ts'
import { closeOldestChains, insertChain, insertToken, type tokenColumns } from '../../store/accounts/tokens.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { Unit } from '../../store/engine/unit.ts'
import { createKey, type KeyProof, proveKey } from '../keys/create-key.ts'
import type { TokenAuthority } from './token-codec.ts'

type TokenRequest = KeyProof & { scopes: readonly Scope[] | null }
type IssuedToken = { access_token: string; token_type: 'Bearer'; expires_in: number; keyId: string }

const refreshableMax = 1_000

/** A token for key and secret. */
export async function issueToken(
  rt: Runtime,
  authority: TokenAuthority,
  limit: AttemptLimit,
  request: TokenRequest,
): Promise<IssuedToken> {
  const key = await proveKey(rt, limit, request)
  const scopes = narrowed(JSON.parse(key.scopes) as Scope[], request.scopes)
  await limit.succeeded(key.id)
  return { ...(await mintToken(rt, authority, key, scopes)), keyId: key.id }
}

/** The first token of a new chain, for a key that was proved. */
async function mintToken(
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

type NewToken = {
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

const keyName = 'Command line on this machine'

/**
 * A token for a process that may open the control socket, and could make any key there. It belongs to a key of the account that
 * is made when first needed; nobody has its secret, and revoking it ends the tokens.
 */
export async function issueLocalToken(
  rt: Runtime,
  authority: TokenAuthority,
  { accountId, createdBy }: { accountId: string; createdBy: string },
) {
  const keys = await rt.store.read(listApiKeys, { account_id: accountId })
  const known = keys.find(({ kind, name, status }) => kind === 'key' && name === keyName && status === 'active')
  const key = known ?? (await createKey(rt, { accountId, name: keyName, scopes, createdBy, actor: operator })).row
  return mintToken(rt, authority, key, JSON.parse(key.scopes) as Scope[])
}
