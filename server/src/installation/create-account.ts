import { type Actor, type AuditEntry, writeAudited } from '../audit/audit.ts'
import type { Plan } from '../contract/plans.ts'
import type { Runtime } from '../runtime.ts'
import { type AccountRow, insertAccount } from '../store/accounts/accounts.ts'
import { ensureQuota } from '../store/accounts/quotas.ts'
import { insertUser, type NewUserRow } from '../store/accounts/users.ts'
import type { Unit } from '../store/engine/unit.ts'
import { catalogDrafts } from '../templates/catalog/catalog-drafts.ts'
import { addNew } from '../templates/change-template.ts'
import type { StoredTemplate } from '../templates/stored-template.ts'

export type NewAccount = { name: string; plan: Plan; actor: Actor }
export type AccountDraft = { account: AccountRow; owner: NewUserRow; templates: StoredTemplate[] }

/** An account is never without its catalog and its owner record, which a person takes over through a one-time link. */
export async function createAccount(
  rt: Runtime,
  input: NewAccount,
  also: (unit: Unit, draft: AccountDraft) => void = () => {},
): Promise<AccountDraft> {
  const draft = draftAccount(rt, input)
  await writeAudited(rt, accountCreated(draft, input.actor), (unit) => {
    addAccount(unit, draft)
    also(unit, draft)
  })
  return draft
}

export function draftAccount(rt: Runtime, { name, plan }: Pick<NewAccount, 'name' | 'plan'>): AccountDraft {
  const now = rt.clock.now()
  const account = { id: rt.newId('acc'), name, plan, status: 'active', created_at: now, updated_at: now, revision: 1 }
  const owner = {
    id: rt.newId('usr'),
    account_id: account.id,
    email: null,
    name: 'Owner',
    role: 'owner',
    password_hash: null,
    created_at: now,
    updated_at: now,
  }
  return { account, owner, templates: catalogDrafts(rt, { accountId: account.id }) }
}

export function addAccount(unit: Unit, { account, owner, templates }: AccountDraft): void {
  unit.add(insertAccount, account)
  unit.add(insertUser, owner)
  unit.add(ensureQuota, { account_id: account.id })
  for (const template of templates) addNew(unit, template, 'catalog')
}

export function accountCreated({ account: { id, name, plan } }: AccountDraft, actor: Actor): AuditEntry {
  const targets = [{ type: 'account', id, name }]
  return { accountId: id, action: 'account.created', actor, targets, metadata: { plan } }
}
