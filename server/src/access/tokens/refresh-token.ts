import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import {
  type AccessRow,
  closeOldestTokens,
  insertRefreshedToken,
  lockChain,
  readAccess,
} from '../../store/accounts/tokens.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import type { AttemptLimit } from '../attempt-limit.ts'
import { signed, toTokenRow } from './issue-token.ts'
import { refreshableUntil, tooOld } from './refreshable-until.ts'
import type { TokenAuthority } from './token-authority.ts'

export type Refreshed = { access_token: string; token_type: 'Bearer'; expires_in: number }
type Tools = { authority: TokenAuthority; limit: AttemptLimit }

/** Tokens of one chain that can be refreshed. More than any fleet of workers holds, few enough to revoke at once. */
const refreshableMax = 100

/**
 * A new token for an old one, as often as anybody asks until the refresh time of the old one ends. It revokes nothing:
 * workers that share a token refresh it independently, and an answer that got lost is simply asked for again.
 */
export async function refreshToken(rt: Runtime, tools: Tools, row: AccessRow, ip: string | null): Promise<Refreshed> {
  try {
    requireRefreshable(rt, row)
    return await addDescendant(rt, tools, row)
  } catch (error) {
    // A client that keeps trying with a token that is over is slowed down like one that guesses.
    if (error instanceof AppError && error.code !== 'too_many_attempts') {
      throw await tools.limit.failed(row.key_id, ip, error)
    }
    throw error
  }
}

async function addDescendant(rt: Runtime, tools: Tools, parent: AccessRow): Promise<Refreshed> {
  await tools.limit.succeeded(parent.key_id)
  const keyScopes = JSON.parse(parent.key_scopes) as string[]
  const now = rt.clock.now()
  const token = {
    id: rt.newId('tok'),
    keyId: parent.key_id,
    accountId: parent.account_id,
    chainId: parent.chain_id,
    scopes: (JSON.parse(parent.scopes) as string[]).filter((scope) => keyScopes.includes(scope)),
    issuedAt: now,
  }
  const row = toTokenRow(rt, token)
  const unit = new Unit()
  unit.add(lockChain, { id: parent.chain_id })
  unit.add(insertRefreshedToken, { ...row, parent_id: parent.id })
  unit.add(closeOldestTokens, { chain_id: parent.chain_id, keep: refreshableMax, now })
  try {
    await rt.store.write(unit)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw await changedMeanwhile(rt, parent.id)
  }
  rt.metrics.authTokensIssued.inc({ kind: 'refresh' })
  return signed(rt, tools.authority, token, row.expires_at)
}

/** The parent was revoked or lost its refresh after this request had read it. */
async function changedMeanwhile(rt: Runtime, tokenId: string): Promise<AppError> {
  const [row] = await rt.store.read(readAccess, { id: tokenId })
  if (row && row.revoked_at === null && row.chain_revoked_at === null) return refreshClosed()
  return new AppError('token_revoked', 'The access token was revoked.')
}

function requireRefreshable(rt: Runtime, row: AccessRow): void {
  if (rt.clock.now() > refreshableUntil(rt, row)) throw tooOld()
  if (row.refresh_closed_at !== null || row.chain_refresh_closed_at !== null) throw refreshClosed()
}

function refreshClosed(): AppError {
  return new AppError(
    'token_refresh_window_closed',
    'This token was replaced by newer ones: it works until it expires, but cannot be refreshed. Get a new one with the API key at POST /v1/auth/token.',
  )
}
