import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { touchKeyEpoch } from '../../store/accounts/api-keys.ts'
import {
  type AccessRow,
  lockChain,
  readAccess,
  revokeChain,
  revokeDescendants,
  revokeToken as revokeOne,
} from '../../store/accounts/tokens.ts'
import { Unit } from '../../store/engine/unit.ts'
import { refreshableUntil, tooOld } from './refreshable-until.ts'
import type { TokenAuthority } from './token-authority.ts'

export type Revocation = { revoked: boolean; token_id: string | null; revoked_at: string | null }

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
