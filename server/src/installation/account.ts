import { entryBy, type Member } from '../access/console-member.ts'
import { type Actor, type AuditEntry, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { type Action, allowedActions, operatorAction, type Role } from '../contract/console/roles.ts'
import type { Plan } from '../contract/plans.ts'
import { formatInstant } from '../lib/instant.ts'
import { addUser, type NewUser } from '../people/create-user.ts'
import type { Runtime } from '../runtime.ts'
import {
  type AccountRow,
  findAccount,
  insertAccount,
  type NewAccountRow,
  updateAccount,
} from '../store/accounts/accounts.ts'
import { touchAccountEpochs } from '../store/accounts/api-keys.ts'
import { setDeletion } from '../store/accounts/deletion.ts'
import { findIdentityOf } from '../store/accounts/identities.ts'
import { findPerson } from '../store/accounts/people.ts'
import { ensureQuota } from '../store/accounts/quotas.ts'
import { listAccountsOf, listOwnerNames } from '../store/accounts/users.ts'
import { lookAgain } from '../store/broadcasts/broadcasts.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { catalogDrafts } from '../templates/catalog/seed-catalog.ts'
import { addNew } from '../templates/change-template.ts'
import type { StoredTemplate } from '../templates/stored-template.ts'
import { version } from '../version.ts'
import { keptByMail, unlessChanged } from './delete-account.ts'

type NewAccount = { name: string; plan: Plan; actor: Actor }
type AccountDraft = { account: NewAccountRow; owner: NewUser; templates: StoredTemplate[] }

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
    person_id: rt.newId('per'),
    email: null,
    name: 'Owner',
    role: 'owner',
    password_hash: null,
    joined_at: null,
    created_at: now,
    updated_at: now,
  }
  return { account, owner, templates: catalogDrafts(rt, { accountId: account.id }) }
}

export function addAccount(
  unit: Unit,
  { account, owner, templates }: AccountDraft,
  operator: 'first' | null = null,
): void {
  unit.add(insertAccount, account)
  addUser(unit, owner, operator)
  unit.add(ensureQuota, { account_id: account.id })
  for (const template of templates) addNew(unit, template, 'catalog')
}

export function accountCreated({ account: { id, name, plan } }: AccountDraft, actor: Actor): AuditEntry {
  const targets = [{ type: 'account', id, name }]
  return { accountId: id, action: 'account.created', actor, targets, metadata: { plan } }
}

const notPlanned = { delete_at: null, delete_asked_by: null }

export type AccountChange = { plan: Plan } | { status: 'active' | 'suspended' }

/**
 * Effective at the next request on every node: the epochs of all keys change in the same unit. Counters stay. A planned deletion
 * is taken back with the status, whichever it becomes.
 */
export async function changeAccount(
  rt: Runtime,
  accountId: string,
  change: AccountChange,
  actor: Actor,
): Promise<AccountRow | null> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  if (!account || account.deleting_at !== null) return null
  const isKept = 'status' in change && account.delete_at !== null
  const next = { ...account, ...change, ...(isKept ? notPlanned : {}) }
  const told = isKept ? await keptByMail(rt, account) : () => {}
  const targets = [{ type: 'account', id: account.id, name: account.name }]
  const metadata = {
    from: 'plan' in change ? account.plan : account.status,
    to: 'plan' in change ? change.plan : change.status,
  }
  const entry = { accountId, action: actionOf(change, isKept), actor, targets, metadata }
  await unlessChanged(
    writeAudited(rt, entry, (unit) => {
      unit.add(updateAccount, { ...next, now: rt.clock.now() })
      if ('plan' in change) unit.add(lookAgain, { account_id: account.id, reason: 'quota', now: rt.clock.now() })
      unit.add(touchAccountEpochs, { account_id: account.id })
      if (isKept) unit.add(setDeletion, { id: accountId, ...notPlanned })
      told(unit)
    }),
  )
  return next
}

function actionOf(change: AccountChange, isKept: boolean): string {
  if ('plan' in change) return 'account.plan_changed'
  if (isKept) return 'account.deletion_canceled'
  return change.status === 'active' ? 'account.resumed' : 'account.suspended'
}

/** The context of every console page: person, account and permissions. */
export async function describeSession(rt: Runtime, member: Member) {
  return {
    id: member.sessionId,
    user: {
      id: member.userId,
      name: member.name,
      email: member.email,
      role: member.role,
      two_factor: member.twoFactor,
      ...(await waysOf(rt, member)),
    },
    account: {
      id: member.accountId,
      name: member.accountName,
      plan: member.plan,
      status: member.accountStatus,
      delete_at: formatInstant((await findOwnAccount(rt, member)).delete_at),
      sandbox: await sendsToSandbox(rt, member.accountId),
      two_factor_required: member.twoFactorRequired,
    },
    accounts: await accountsOf(rt, member),
    operator: member.operator,
    actions: actionsOf(member),
    owners: await ownerNames(rt, member.accountId),
    ends_at: formatInstant(member.endsAt),
    extendable: member.extendable,
    provider: rt.oidc === null ? null : new URL(rt.oidc.issuer).host,
    base_url: rt.urls.base,
    version,
  }
}

async function waysOf(rt: Runtime, { personId }: Member) {
  const [[person], [identity]] = await Promise.all([
    rt.store.read(findPerson, { id: personId }),
    rt.store.read(findIdentityOf, { person_id: personId }),
  ])
  return {
    password: rt.config.passwordSignIn && (person?.password_hash ?? null) !== null,
    provider: identity ? new URL(identity.issuer).host : null,
  }
}

function actionsOf({ role, operator }: Member): Action[] {
  return [...allowedActions[role], ...(operator ? ([operatorAction] as const) : [])]
}

async function accountsOf(rt: Runtime, { personId }: Member) {
  const rows = await rt.store.read(listAccountsOf, { person_id: personId })
  return rows.map(({ account_id: id, name, role, status }) => ({ id, name, role: role as Role, status }))
}

/** The default number for messages without `from`. An account without numbers has none, not the sandbox's. */
async function sendsToSandbox(rt: Runtime, accountId: string): Promise<boolean> {
  const [preferred] = await rt.store.read(connectedNumbers, { account_id: accountId })
  return preferred?.kind === 'sandbox'
}

export async function ownerNames(rt: Runtime, accountId: string): Promise<string[]> {
  const rows = await rt.store.read(listOwnerNames, { account_id: accountId })
  return rows.map(({ name }) => name)
}

export async function describeAccount(rt: Runtime, member: Member) {
  const account = await findOwnAccount(rt, member)
  const { retentionContentDays, retentionMetadataDays, retentionDeliveriesDays } = rt.config
  return {
    id: account.id,
    name: account.name,
    plan: account.plan as Plan,
    status: account.status,
    created_at: formatInstant(account.created_at),
    retention: {
      content_days: retentionContentDays,
      metadata_days: retentionMetadataDays,
      deliveries_days: retentionDeliveriesDays,
    },
  }
}

export async function renameAccount(rt: Runtime, member: Member, name: string) {
  const account = await findOwnAccount(rt, member)
  const renamed = { type: 'account', id: account.id, name: name.trim() }
  const entry = { ...entryBy(member, 'account.renamed', renamed), metadata: { from: account.name } }
  try {
    await writeAudited(rt, entry, (unit) =>
      unit.add(updateAccount, { ...account, name: renamed.name, now: rt.clock.now() }),
    )
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError(
      'concurrent_change',
      'The account has just been changed by someone else. Reload it, then try again.',
    )
  }
  return describeAccount(rt, member)
}

async function findOwnAccount(rt: Runtime, member: Member): Promise<AccountRow> {
  const [account] = await rt.store.read(findAccount, { id: member.accountId })
  if (!account) throw new Error('A session without account.')
  return account
}
