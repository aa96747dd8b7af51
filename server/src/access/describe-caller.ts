import type { Static } from 'typebox'
import type { CurrentUser } from '../contract/auth.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { formatInstant } from '../lib/instant.ts'
import type { QuotaState, Window } from '../limits/quota.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { findApiKey } from '../store/accounts/api-keys.ts'
import type { AccessRow } from '../store/accounts/tokens.ts'
import { findOwner, findUser } from '../store/accounts/users.ts'
import { findMediaUsage } from '../store/media/media.ts'
import type { Caller } from './caller.ts'
import { shortened } from './keys/credentials.ts'
import { refreshableUntil } from './tokens/token-chain.ts'

export type ChannelReadiness = Static<typeof CurrentUser>['channel']

/** Show the account, the API key, its scopes, what is left of the plan, and the state of the channel: in one call. */
export async function describeCaller(
  rt: Runtime,
  caller: Caller,
  { token, quota, channel }: { token: AccessRow | null; quota: QuotaState; channel: ChannelReadiness },
) {
  const [[account], [key], [usage]] = await Promise.all([
    rt.store.read(findAccount, { id: caller.accountId }),
    rt.store.read(findApiKey, { account_id: caller.accountId, id: caller.keyId }),
    rt.store.read(findMediaUsage, { account_id: caller.accountId }),
  ])
  if (!account || !key) throw new Error('A living token without account or key.')
  const [creator] = await rt.store.read(findUser, { id: key.created_by })
  const [user] = creator ? [creator] : await rt.store.read(findOwner, { account_id: account.id })
  if (!user) throw new Error('An account without owner.')
  const [hour = null, day = null] = quota?.windows ?? []
  return {
    account: {
      id: account.id,
      name: account.name,
      plan: account.plan as Plan,
      status: account.status,
      created_at: formatInstant(account.created_at),
    },
    api_key: {
      id: key.id,
      name: key.name,
      key: shortened(key.public_key),
      created_at: formatInstant(key.created_at),
      expires_at: formatInstant(key.expires_at),
      last_used_at: formatInstant(key.last_used_at),
    },
    user: { id: user.id, name: user.name, email: user.email },
    token: token && {
      id: token.id,
      issued_at: formatInstant(token.issued_at),
      expires_at: formatInstant(token.expires_at),
      refreshable_until: formatInstant(refreshableUntil(rt, token)),
    },
    scopes: [...caller.scopes],
    channel,
    limits: {
      hour: hour && toLimit(hour),
      day: day && toLimit(day),
      media_bytes: { quota: plans[account.plan as Plan].mediaBytes, used: usage?.bytes ?? 0 },
    },
  }
}

function toLimit({ quota, used, resetsAt }: Window) {
  return {
    quota,
    used: Math.min(used, quota),
    remaining: Math.max(0, quota - used),
    resets_at: formatInstant(resetsAt),
  }
}
