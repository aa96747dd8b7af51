import { gateway, writeAudited } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { touchKeyEpoch } from '../../store/accounts/api-keys.ts'
import {
  type AccessRow,
  closeReusedChain,
  readAccess,
  replaceToken,
  revokeOthersOfChain,
} from '../../store/accounts/tokens.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { AttemptLimit } from '../attempt-limit.ts'
import { addToken, signed } from './issue-token.ts'
import { refreshableUntil, tooOld } from './refreshable-until.ts'
import type { TokenAuthority } from './token-authority.ts'

export type Refreshed = { access_token: string; token_type: 'Bearer'; expires_in: number }
type Tools = { authority: TokenAuthority; limit: AttemptLimit }

const repeatWithinMs = 60_000

/**
 * A new token for an old one, once. The old token keeps working until its own end, because other workers share it. A
 * repeat within 60 s gets the same successor: its first answer may have been lost. A later repeat means that two parties
 * hold the token: the successors are cut off and nobody refreshes this chain again.
 */
export async function refreshToken(rt: Runtime, tools: Tools, row: AccessRow, ip: string): Promise<Refreshed> {
  try {
    requireRefreshable(rt, row)
    return await (row.successor_id === null ? replace(rt, tools, row) : repeat(rt, tools, row, row.successor_id))
  } catch (error) {
    // Somebody who keeps trying with a token that is over is slowed down like one who guesses.
    if (error instanceof AppError && error.code !== 'too_many_attempts') {
      throw tools.limit.failed(row.key_id, ip, error)
    }
    throw error
  }
}

async function replace(rt: Runtime, tools: Tools, row: AccessRow): Promise<Refreshed> {
  tools.limit.succeeded(row.key_id)
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
    return afterAnother(rt, tools, row.id)
  }
  rt.metrics.authTokensIssued.inc({ kind: 'refresh' })
  return signed(rt, tools.authority, token, expiresAt)
}

/** Another request refreshed it in this very moment, and both get the same successor; or it was revoked meanwhile. */
async function afterAnother(rt: Runtime, tools: Tools, tokenId: string): Promise<Refreshed> {
  const [now] = await rt.store.read(readAccess, { id: tokenId })
  if (!now?.successor_id || now.revoked_at !== null) throw revoked()
  return repeat(rt, tools, now, now.successor_id)
}

function requireRefreshable(rt: Runtime, row: AccessRow): void {
  if (rt.clock.now() > refreshableUntil(rt, row)) throw tooOld()
  if (row.chain_refresh_closed_at !== null && row.successor_id === null) {
    throw new AppError(
      'token_refresh_window_closed',
      'The chain of this token can no longer be refreshed. Get a new one with the API key at POST /v1/auth/token.',
    )
  }
}

async function repeat(rt: Runtime, tools: Tools, row: AccessRow, successorId: string): Promise<Refreshed> {
  const [successor] = await rt.store.read(readAccess, { id: successorId })
  const late = rt.clock.now() > (row.replaced_at ?? 0) + repeatWithinMs
  if (late || !successor) throw await reuseDetected(rt, row, successor)
  if (successor.revoked_at !== null) throw revoked()
  tools.limit.succeeded(row.key_id)
  const token = {
    id: successor.id,
    keyId: successor.key_id,
    accountId: successor.account_id,
    chainId: successor.chain_id,
    scopes: JSON.parse(successor.scopes) as string[],
    issuedAt: successor.issued_at,
  }
  return signed(rt, tools.authority, token, successor.expires_at)
}

async function reuseDetected(rt: Runtime, row: AccessRow, successor: AccessRow | undefined): Promise<AppError> {
  const known = row.chain_refresh_closed_at !== null && successor?.revoked_at !== null
  if (!known && (await cutOff(rt, row))) {
    rt.metrics.authTokenReuse.inc({})
    rt.log.warn({ account_id: row.account_id, key_id: row.key_id, token_id: row.id }, 'auth.token_reuse_detected')
  }
  return new AppError(
    'token_reused',
    'This token was already exchanged for a newer one. Every newer token of its chain is revoked; get a new one with the API key.',
  )
}

/** False: somebody else did it already. A chain is cut off once, and leaves one line, however often it is tried. */
async function cutOff(rt: Runtime, row: AccessRow): Promise<boolean> {
  const now = rt.clock.now()
  const chain = { chain_id: row.chain_id, spared_token_id: row.id, now }
  const targets = [{ type: 'token', id: row.id, name: row.id }]
  const entry = { accountId: row.account_id, action: 'auth.token_reuse_detected', actor: gateway, targets }
  try {
    await writeAudited(rt, { ...entry, metadata: { key_id: row.key_id } }, (unit) => {
      unit.add(closeReusedChain, chain)
      unit.add(revokeOthersOfChain, chain)
      unit.add(touchKeyEpoch, { id: row.key_id })
    })
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

function revoked(): AppError {
  return new AppError('token_revoked', 'The access token was revoked.')
}
