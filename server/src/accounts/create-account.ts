import type { Plan } from '../contract/plans.ts'
import type { Runtime } from '../runtime.ts'
import { type AccountRow, insertAccount } from '../store/accounts.ts'
import { ensureQuota } from '../store/quotas.ts'
import { insertUser, type UserRow } from '../store/users.ts'
import { type Actor, writeAudited } from './audit.ts'

export type NewAccount = { name: string; plan: Plan; actor: Actor }

/** An account is never without its owner record; a person takes it over later through a one-time link. */
export async function createAccount(
  rt: Runtime,
  { name, plan, actor }: NewAccount,
): Promise<{ account: AccountRow; owner: UserRow }> {
  const now = rt.clock.now()
  const account: AccountRow = {
    id: rt.newId('acc'),
    name,
    plan,
    status: 'active',
    created_at: now,
    updated_at: now,
    revision: 1,
  }
  const owner: UserRow = {
    id: rt.newId('usr'),
    account_id: account.id,
    email: null,
    name: 'Owner',
    role: 'owner',
    password_hash: null,
    created_at: now,
    updated_at: now,
  }
  const targets = [{ type: 'account', id: account.id, name }]
  await writeAudited(
    rt,
    { accountId: account.id, action: 'account.created', actor, targets, metadata: { plan } },
    (unit) => {
      unit.add(insertAccount, account)
      unit.add(insertUser, owner)
      unit.add(ensureQuota, { account_id: account.id })
    },
  )
  return { account, owner }
}
