import { type Actor, writeAudited } from '../audit/audit.ts'
import type { Plan } from '../contract/plans.ts'
import type { Runtime } from '../runtime.ts'
import { type AccountRow, findAccount, updateAccount } from '../store/accounts/accounts.ts'
import { touchAccountEpochs } from '../store/accounts/api-keys.ts'

export type AccountChange = { plan: Plan } | { status: 'active' | 'suspended' }

/** Effective at the next request on every node: the epochs of all keys change in the same unit. Counters stay. */
export async function changeAccount(
  rt: Runtime,
  accountId: string,
  change: AccountChange,
  actor: Actor,
): Promise<AccountRow | null> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  if (!account) return null
  const next = { ...account, ...change }
  const action =
    'plan' in change ? 'account.plan_changed' : `account.${change.status === 'active' ? 'resumed' : 'suspended'}`
  const targets = [{ type: 'account', id: account.id, name: account.name }]
  const metadata = {
    from: 'plan' in change ? account.plan : account.status,
    to: 'plan' in change ? change.plan : change.status,
  }
  await writeAudited(rt, { accountId, action, actor, targets, metadata }, (unit) => {
    unit.add(updateAccount, { ...next, now: rt.clock.now() })
    unit.add(touchAccountEpochs, { account_id: account.id })
  })
  return next
}
