import type { BlockList } from 'node:net'
import { AppError } from '../../contract/app-error.ts'
import type { Plan } from '../../contract/plans.ts'
import type { Scope } from '../../contract/scopes.ts'
import { rangesContain } from '../../lib/guarded-http/address-guard-ranges.ts'
import type { Gate } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { type AccessRow, readAccess } from '../../store/accounts/tokens.ts'
import type { Caller, Checked, Known } from '../caller.ts'
import { numberIdsOf } from '../keys/api-key.ts'
import { toAddressList } from '../keys/create-key.ts'
import { looksLikeCredential } from '../keys/credentials.ts'
import { tooOld } from './token-chain.ts'
import type { TokenAuthority, TokenClaims } from './token-codec.ts'

/** Cached facts about a token, valid until the epoch of its key changes. */
type Standing = {
  claims: TokenClaims
  row: AccessRow
  scopes: readonly Scope[]
  addresses: BlockList | null
  caller: Caller
}

export type CheckOptions = { ip: string; counted: boolean; allowExpired?: boolean; allowRevoked?: boolean }
export type TokenCheck = {
  (bearer: string, options: CheckOptions): Promise<Checked>
  /**
   * Who the bearer was when this process last looked; null where that is not known or would be refused. To be relied on
   * only by what names the epoch of the key in its own write.
   */
  recall(bearer: string, ip: string): Known | null
}

const leewayMs = 30_000
const standingsMax = 20_000

/**
 * Decides whether a bearer may come in. The signature is checked once per token and process; after that a request costs
 * one look at the epoch of its key, which changes with every revocation, rotation, suspension and plan change. So a
 * revocation counts from the next request on, on every node, without a read of its own.
 */
export function createTokenCheck(rt: Runtime, authority: TokenAuthority, gate: Gate): TokenCheck {
  const standings = new Map<string, Standing>()

  return Object.assign(check, { recall })

  async function check(bearer: string, options: CheckOptions): Promise<Checked> {
    try {
      return await decide(bearer, options)
    } catch (error) {
      if (error instanceof AppError) rt.metrics.authFailures.inc({ code: error.code })
      throw error
    }
  }

  function recall(bearer: string, ip: string): Known | null {
    const known = standings.get(bearer)
    if (!known) return null
    try {
      requirePassing(known, rt.clock.now(), { ip, counted: true })
      return { caller: known.caller, token: known.row, epoch: known.row.epoch }
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  async function decide(bearer: string, options: CheckOptions): Promise<Checked> {
    const known = standings.get(bearer)
    const standing = known ? await refreshed(bearer, known, options) : await introduced(bearer, options)
    const { row } = standing
    requirePassing(standing, rt.clock.now(), options)
    const quota = options.counted ? await gate.take(row.account_id, row.plan as Plan) : null
    return { caller: standing.caller, token: row, epoch: row.epoch, quota }
  }

  async function refreshed(bearer: string, known: Standing, options: CheckOptions): Promise<Standing> {
    const epoch = await gate.epoch(known.row.key_id)
    return epoch === known.row.epoch ? known : readStanding(bearer, known.claims, options)
  }

  async function introduced(bearer: string, options: CheckOptions): Promise<Standing> {
    const claims = await authority.verify(bearer)
    if (!claims) throw refuseBearer(bearer)
    return readStanding(bearer, claims, options)
  }

  async function readStanding(bearer: string, claims: TokenClaims, options: CheckOptions): Promise<Standing> {
    const [row] = await rt.store.read(readAccess, { id: claims.jti })
    if (!row) {
      standings.delete(bearer)
      throw forgotten(claims, rt.clock.now(), options)
    }
    const standing = toStanding(claims, row)
    if (standings.size >= standingsMax) standings.delete(standings.keys().next().value ?? '')
    standings.set(bearer, standing)
    return standing
  }
}

function requirePassing(standing: Standing, now: number, options: CheckOptions): void {
  requireLiving(standing.row, standing.claims, now, options)
  requireUsable(standing.row, now)
  requireAddress(standing, options.ip)
}

function toStanding(claims: TokenClaims, row: AccessRow): Standing {
  const keyScopes = JSON.parse(row.key_scopes) as Scope[]
  // A scope taken from the key is taken from its living tokens too.
  const scopes = (JSON.parse(row.scopes) as Scope[]).filter((scope) => keyScopes.includes(scope))
  const addresses = row.allowed_ips === null ? null : toAddressList(JSON.parse(row.allowed_ips) as string[])
  const caller: Caller = {
    accountId: row.account_id,
    keyId: row.key_id,
    scopes,
    plan: row.plan as Plan,
    phoneNumberIds: numberIdsOf(row),
  }
  return { claims, row, scopes, addresses, caller }
}

function refuseBearer(bearer: string): AppError {
  if (looksLikeCredential(bearer)) {
    if (bearer.startsWith('ptg_')) {
      return new AppError(
        'api_key_not_accepted',
        'This is a connection token, which works only under /graph. Under /v1, use an API key.',
      )
    }
    return new AppError(
      'api_key_not_accepted',
      'This is an API key or secret, not an access token. Exchange both at POST /v1/auth/token and send the token it returns, or send both as Authorization: Basic base64(api_key:api_secret).',
    )
  }
  return new AppError('invalid_token', 'The access token was not issued by this gateway.')
}

/** The row of a token goes some time after its last refresh was possible; what it was, its own claims still say. */
function forgotten(claims: TokenClaims, now: number, { allowExpired }: CheckOptions): AppError {
  if (!isExpired(claims, now)) return new AppError('invalid_token', 'The access token is unknown.')
  return allowExpired ? tooOld() : expired()
}

function isExpired({ exp }: TokenClaims, now: number): boolean {
  return now > exp * 1_000 + leewayMs
}

function expired(): AppError {
  return new AppError('token_expired', 'The access token expired.')
}

function requireLiving(row: AccessRow, claims: TokenClaims, now: number, options: CheckOptions): void {
  const revoked = row.revoked_at !== null || row.chain_revoked_at !== null
  if (revoked && !options.allowRevoked) throw new AppError('token_revoked', 'The access token was revoked.')
  if (isExpired(claims, now) && !options.allowExpired) throw expired()
}

function requireUsable(row: AccessRow, now: number): void {
  if (row.key_status !== 'active') throw new AppError('token_revoked', 'The API key of this token was revoked.')
  if (row.key_expires_at !== null && row.key_expires_at <= now) {
    throw new AppError('api_key_inactive', 'The API key of this token has expired.')
  }
  if (row.account_status !== 'active') throw new AppError('account_suspended', 'The account is suspended.')
}

function requireAddress({ addresses }: Standing, ip: string): void {
  if (addresses && !rangesContain(addresses, ip)) {
    throw new AppError('ip_not_allowed', 'The API key is not allowed from this address.')
  }
}
