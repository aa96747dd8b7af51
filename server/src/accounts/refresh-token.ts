import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { touchKeyEpoch } from '../store/api-keys.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { type AccessRow, closeChain, readAccess, replaceToken, revokeOthersOfChain } from '../store/tokens.ts'
import { Unit } from '../store/unit.ts'
import { gateway, writeAudited } from './audit.ts'
import { addToken, signed } from './issue-token.ts'
import type { TokenAuthority } from './token-authority.ts'

export type Refreshed = { access_token: string; token_type: 'Bearer'; expires_in: number }

const repeatWithinMs = 60_000

/**
 * A new token for an old one, once. The old token keeps working until its own end, because other workers share it. A
 * repeat within 60 s gets the same successor: its first answer may have been lost. A later repeat means that two parties
 * hold the token: the successors are cut off and nobody refreshes this chain again.
 */
export async function refreshToken(rt: Runtime, authority: TokenAuthority, row: AccessRow): Promise<Refreshed> {
  requireRefreshable(rt, row)
  if (row.successor_id !== null) return repeat(rt, authority, row, row.successor_id)
  const keyScopes = JSON.parse(row.key_scopes) as string[]
  const token = {
    id: rt.newId('tok'),
    keyId: row.key_id,
    accountId: row.account_id,
    chainId: row.chain_id,
    scopes: (JSON.parse(row.scopes) as string[]).filter((scope) => keyScopes.includes(scope)),
    issuedAt: rt.clock.now(),
  }
  const unit = new Unit()
  unit.add(replaceToken, { id: row.id, successor_id: token.id, now: token.issuedAt })
  const expiresAt = addToken(rt, unit, token)
  unit.add(touchKeyEpoch, { id: row.key_id })
  try {
    await rt.store.write(unit)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    // Another request refreshed it in this very moment: both get the same successor.
    const [now] = await rt.store.read(readAccess, { id: row.id })
    if (!now?.successor_id) throw error
    return repeat(rt, authority, now, now.successor_id)
  }
  rt.metrics.authTokensIssued.inc({ kind: 'refresh' })
  return signed(rt, authority, token, expiresAt)
}

function requireRefreshable(rt: Runtime, row: AccessRow): void {
  const now = rt.clock.now()
  const { tokenRefreshGraceSeconds, tokenChainMaxAgeSeconds } = rt.config
  const graceOver = now > row.expires_at + tokenRefreshGraceSeconds * 1_000
  const chainOver = now > row.chain_created_at + tokenChainMaxAgeSeconds * 1_000
  if (graceOver || chainOver || (row.chain_refresh_closed_at !== null && row.successor_id === null)) {
    const why = graceOver ? 'It expired too long ago.' : 'Its chain can no longer be refreshed.'
    throw new AppError('token_refresh_window_closed', `${why} Get a new token with the API key at POST /v1/auth/token.`)
  }
}

async function repeat(rt: Runtime, authority: TokenAuthority, row: AccessRow, successorId: string): Promise<Refreshed> {
  const [successor] = await rt.store.read(readAccess, { id: successorId })
  const late = rt.clock.now() > (row.replaced_at ?? 0) + repeatWithinMs
  if (late || row.chain_refresh_closed_at !== null || !successor) throw await reuseDetected(rt, row)
  const token = {
    id: successor.id,
    keyId: successor.key_id,
    accountId: successor.account_id,
    chainId: successor.chain_id,
    scopes: JSON.parse(successor.scopes) as string[],
    issuedAt: successor.issued_at,
  }
  return signed(rt, authority, token, successor.expires_at)
}

async function reuseDetected(rt: Runtime, row: AccessRow): Promise<AppError> {
  const now = rt.clock.now()
  const targets = [{ type: 'token', id: row.id, name: row.id }]
  const entry = { accountId: row.account_id, action: 'auth.token_reuse_detected', actor: gateway, targets }
  await writeAudited(rt, { ...entry, metadata: { key_id: row.key_id } }, (unit) => {
    unit.add(closeChain, { id: row.chain_id, now })
    unit.add(revokeOthersOfChain, { chain_id: row.chain_id, spared_token_id: row.id, now })
    unit.add(touchKeyEpoch, { id: row.key_id })
  })
  rt.metrics.authTokenReuse.inc({})
  rt.log.warn({ account_id: row.account_id, key_id: row.key_id, token_id: row.id }, 'auth.token_reuse_detected')
  return new AppError(
    'token_reused',
    'This token was already exchanged for a newer one. Every newer token of its chain is revoked; get a new one with the API key.',
  )
}
