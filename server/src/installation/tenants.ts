import type { Member } from '../access/console-member.ts'
import type { Actor } from '../audit/audit.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { addSetupLink } from '../people/setup-link.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { listTenants } from '../store/accounts/tenants.ts'
import type { RowOf } from '../store/engine/operation.ts'
import { type AccountChange, changeAccount, createAccount } from './account.ts'
import { planDeletion } from './delete-account.ts'

const page = 100

/** The accounts of the installation, oldest first. `after`: the id of the last one shown. */
export async function describeTenants(rt: Runtime, after: string) {
  const rows = await rt.store.read(listTenants, { after, count: page + 1, day_start: startOfDay(rt) })
  return { accounts: rows.slice(0, page).map(toTenant), more: rows.length > page }
}

/** Every account: what is wrong is looked for in all of them. */
export async function allTenants(rt: Runtime) {
  const all: ReturnType<typeof toTenant>[] = []
  for (let after = ''; ; ) {
    const { accounts, more } = await describeTenants(rt, after)
    all.push(...accounts)
    if (!more) return all
    after = accounts.at(-1)?.id ?? ''
  }
}

function toTenant(row: RowOf<(typeof listTenants)['returns']>) {
  const { id, name, status, requests_today, media_bytes, members, channels_failing, webhooks_failing } = row
  const plan = row.plan as Plan
  const lastActive = Math.max(row.last_seen_at ?? 0, row.last_used_at ?? 0)
  return {
    ...{ id, name, plan, status, requests_today, media_bytes, members, channels_failing, webhooks_failing },
    requests_quota: plans[plan].day,
    media_quota: plans[plan].mediaBytes,
    has_owner: row.has_owner === 1,
    delete_at: formatInstant(row.delete_at),
    created_at: formatInstant(row.created_at),
    last_active_at: lastActive === 0 ? null : formatInstant(lastActive),
  }
}

/** An account and the link for its owner, who is the only one to see it from inside. */
export async function createTenant(rt: Runtime, member: Member, { name, plan }: { name: string; plan: Plan }) {
  let link = { link: '', expiresAt: 0 }
  const { account } = await createAccount(rt, { name: name.trim(), plan, actor: asOperator(member) }, (unit, draft) => {
    link = addSetupLink(rt, unit, draft.owner.id, 'owner')
  })
  return { id: account.id, name: account.name, link: link.link, expires_at: formatInstant(link.expiresAt) }
}

export async function changeTenant(rt: Runtime, member: Member, accountId: string, change: AccountChange) {
  const changed = await changeAccount(rt, accountId, change, asOperator(member))
  if (!changed) throw noSuchAccount()
}

/** The name of the account is typed first: seven days later all of it is gone. */
export async function planTenantDeletion(rt: Runtime, member: Member, accountId: string, confirm: string) {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  if (!account) throw noSuchAccount()
  if (account.name.trim() !== confirm.trim()) {
    throw invalidField('confirm', 'invalid_value', 'Type the name of the account, as shown above.')
  }
  const planned = await planDeletion(rt, accountId, asOperator(member))
  if (!planned) throw noSuchAccount()
  return { delete_at: formatInstant(planned.delete_at ?? 0) }
}

const noSuchAccount = () => new AppError('account_not_found', 'This account does not exist.')

/** In the log of an account an operator is called so: the id is one of another account. */
function asOperator({ name }: Member): Actor {
  return { type: 'operator', id: null, name }
}

export function startOfDay({ clock }: Pick<Runtime, 'clock'>): number {
  const now = clock.now()
  return now - (now % dayMs)
}
