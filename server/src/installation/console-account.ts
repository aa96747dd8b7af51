import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { allowedActions } from '../contract/console/roles.ts'
import type { Plan } from '../contract/plans.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type AccountRow, findAccount, updateAccount } from '../store/accounts/accounts.ts'
import { listOwnerNames } from '../store/accounts/console-members.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { version } from '../version.ts'

/** What every page of the console needs to know: who, where, and what may be done. */
export async function describeSession(rt: Runtime, member: Member) {
  return {
    id: member.sessionId,
    user: {
      id: member.userId,
      name: member.name,
      email: member.email,
      role: member.role,
      two_factor: member.twoFactor,
    },
    account: {
      id: member.accountId,
      name: member.accountName,
      plan: member.plan,
      status: member.accountStatus,
      sandbox: await sendsToSandbox(rt, member.accountId),
      two_factor_required: member.twoFactorRequired,
    },
    actions: [...allowedActions[member.role]],
    owners: await ownerNames(rt, member.accountId),
    ends_at: formatInstant(member.endsAt),
    extendable: member.extendable,
    base_url: rt.urls.base,
    version,
  }
}

/** Where messages go that name no number. An account without one goes nowhere, not to the sandbox. */
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
