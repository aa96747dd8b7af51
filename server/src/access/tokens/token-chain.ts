import { AppError } from '../../contract/app-error.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { AttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { expireKeyCalls, touchKeyEpoch } from '../../store/accounts/api-keys.ts'
import { expireGuesses } from '../../store/accounts/guesses.ts'
import { expireUsage } from '../../store/accounts/quotas.ts'
import { expireSetupLinks } from '../../store/accounts/setup-links.ts'
import {
  type AccessRow,
  closeOldestTokens,
  deleteEmptyChain,
  expireTokens,
  insertRefreshedToken,
  listOldChains,
  lockChain,
  readAccess,
  revokeChain,
  revokeDescendants,
  revokeToken as revokeOne,
} from '../../store/accounts/tokens.ts'
import { deleteInBatches } from '../../store/engine/expire-before.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { signed, toTokenRow } from './issue-token.ts'
import type { TokenAuthority } from './token-codec.ts'

/** The last moment a token may be exchanged: some time after its own end, and never after the end of its chain. */
export function refreshableUntil(
  { config }: Pick<Runtime, 'config'>,
  row: Pick<AccessRow, 'expires_at' | 'chain_created_at'>,
): number {
  const graceEnd = row.expires_at + config.tokenRefreshGraceSeconds * 1_000
  return Math.min(graceEnd, row.chain_created_at + config.tokenChainMaxAgeSeconds * 1_000)
}

/** Of a token past that moment. */
export function tooOld(): AppError {
  return new AppError(
    'token_refresh_window_closed',
    'The token was issued or expired too long ago. Get a new one with the API key at POST /v1/auth/token.',
  )
}

type Refreshed = { access_token: string; token_type: 'Bearer'; expires_in: number }
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

type Revocation = { revoked: boolean; token_id: string | null; revoked_at: string | null }

const nothing: Revocation = { revoked: false, token_id: null, revoked_at: null }

/**
 * Revokes the bearer's own token, or another one of the same API key, and all tokens refreshed from it. A token of
 * another key, or garbage, is answered the same way as one that does not exist, so that the answer reveals nothing. A
 * bearer that is revoked itself changes nothing: it may repeat its call and gets the first answer.
 */
export async function revokeToken(
  rt: Runtime,
  authority: TokenAuthority,
  bearer: AccessRow,
  { token, chain }: { token: string | null; chain: boolean },
): Promise<Revocation> {
  const now = rt.clock.now()
  if (now > bearer.expires_at && now > refreshableUntil(rt, bearer)) throw tooOld()
  const target = token === null ? bearer : await findOwn(rt, authority, bearer, token)
  if (!target) return nothing
  if (revokedAtOf(bearer) !== null) return describe(target)
  const unit = new Unit()
  unit.add(lockChain, { id: target.chain_id })
  const call = unit.add(revokeOne, { id: target.id, now })
  unit.add(revokeDescendants, { id: target.id, now })
  if (chain) unit.add(revokeChain, { id: target.chain_id, now })
  unit.add(touchKeyEpoch, { id: target.key_id })
  const revokedAt = (await rt.store.write(unit)).first(call)?.revoked_at ?? now
  return { revoked: true, token_id: target.id, revoked_at: formatInstant(revokedAt) }
}

function describe(row: AccessRow): Revocation {
  const at = revokedAtOf(row)
  return at === null ? nothing : { revoked: true, token_id: row.id, revoked_at: formatInstant(at) }
}

function revokedAtOf({ revoked_at, chain_revoked_at }: AccessRow): number | null {
  return revoked_at ?? chain_revoked_at
}

async function findOwn(
  rt: Runtime,
  authority: TokenAuthority,
  bearer: AccessRow,
  token: string,
): Promise<AccessRow | null> {
  const claims = await authority.verify(token)
  if (!claims || claims.sub !== bearer.key_id) return null
  return (await rt.store.read(readAccess, { id: claims.jti }))[0] ?? null
}

const usageKeptMs = 40 * dayMs
const callsKeptMs = 2 * dayMs
const page = 1_000

/** Forgets what can no longer be used: tokens past their refresh grace, empty chains, spent links, old counts. */
export async function expireOldTokens(rt: Runtime): Promise<'done'> {
  const now = rt.clock.now()
  // An hour more than the grace, so that a refresh that comes too late is still told so.
  const before = now - rt.config.tokenRefreshGraceSeconds * 1_000 - hourMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireTokens, { before, count }))
  await deleteEmptyChains(rt, before)
  const links = { before: now - dayMs }
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireSetupLinks, { ...links, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireUsage, { before: now - usageKeptMs, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireKeyCalls, { before: now - callsKeptMs, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireGuesses, { before: now - hourMs, count }))
  return 'done'
}

/** Chains that are refreshed for weeks are looked at in every run, but by the reader, and none of them is written. */
async function deleteEmptyChains(rt: Runtime, before: number): Promise<void> {
  for (let after = { after_at: 0, after_id: '' }; ; ) {
    const chains = await rt.store.read(listOldChains, { before, ...after, count: page })
    const empty = chains.filter(({ tokens }) => tokens === 0)
    const unit = new Unit()
    if (empty.length > 0) unit.add(deleteEmptyChain, ...empty.map(({ id }) => ({ id })))
    if (empty.length > 0) await rt.store.writeApart(unit)
    const last = chains.at(-1)
    if (!last || chains.length < page) return
    after = { after_at: last.created_at, after_id: last.id }
  }
}
