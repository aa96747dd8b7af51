import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import type { SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSessionsOfUser } from '../store/accounts/sessions.ts'
import { deleteRecoveryCodes } from '../store/accounts/two-factor.ts'
import {
  changeMemberRole,
  changePasswordHash,
  deleteMember,
  endSetupLinks,
  findUser,
  renameUser,
  type UserRow,
} from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { toMember } from './invite-member.ts'
import { hashPassword, requireUncommonPassword } from './passwords.ts'
import { addSetupLink } from './setup-owner.ts'
import { requirePassword } from './sign-in.ts'

/** The person signs in again: a session never outlives the role it began with. */
export async function changeRole(rt: Runtime, member: Member, userId: string, role: Role) {
  const user = await findColleague(rt, member, userId)
  const now = rt.clock.now()
  const entry = entryAbout(member, user, 'member.role_changed', { from: user.role, to: role })
  await unlessLastOwner(
    writeAudited(rt, entry, (unit) => {
      unit.add(changeMemberRole, { id: user.id, account_id: user.account_id, role, now })
      unit.add(deleteSessionsOfUser, { user_id: user.id, keep_id: '' })
    }),
  )
  return toMember({ ...user, role })
}

export async function removeMember(rt: Runtime, member: Member, userId: string): Promise<void> {
  const user = await findColleague(rt, member, userId)
  await unlessLastOwner(
    writeAudited(rt, entryAbout(member, user, 'member.removed', { role: user.role }), (unit: Unit) => {
      unit.add(deleteMember, { id: user.id, account_id: user.account_id })
      unit.add(deleteRecoveryCodes, { user_id: user.id })
      unit.add(deleteSessionsOfUser, { user_id: user.id, keep_id: '' })
      unit.add(endSetupLinks, { user_id: user.id, now: rt.clock.now() })
    }),
  )
}

/** A new link for a person who lost theirs, or forgot the password. */
export async function renewLink(rt: Runtime, member: Member, userId: string) {
  const user = await findColleague(rt, member, userId)
  const purpose = user.password_hash === null ? 'invite' : 'reset'
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, entryAbout(member, user, 'member.link_renewed', { purpose }), (unit) => {
    made = addSetupLink(rt, unit, user.id, purpose)
  })
  return { member: toMember(user), link: made.link, expires_at: formatInstant(made.expiresAt) }
}

export async function renameSelf(rt: Runtime, member: Member, name: string): Promise<void> {
  const user = await findColleague(rt, member, member.userId)
  await writeAudited(rt, entryAbout(member, user, 'member.renamed', {}), (unit) =>
    unit.add(renameUser, { id: user.id, account_id: user.account_id, name: name.trim(), now: rt.clock.now() }),
  )
}

/** Every other session of the person ends: the old password opens nothing any more. */
export async function changePassword(
  rt: Runtime,
  limit: SignInLimit,
  member: Member,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const user = await requirePassword(rt, limit, member, current)
  requireUncommonPassword('new_password', next, user)
  const change = {
    id: user.id,
    account_id: user.account_id,
    password_hash: await hashPassword(rt, next),
    hash_before: user.password_hash ?? '',
    now: rt.clock.now(),
  }
  try {
    await writeAudited(rt, entryAbout(member, user, 'member.password_changed', {}), (unit) => {
      unit.add(changePasswordHash, change)
      unit.add(deleteSessionsOfUser, { user_id: user.id, keep_id: member.sessionId })
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('invalid_credentials', 'The password was just changed or reset. Sign in again.')
  }
}

/** A user of another account does not exist for this one. */
export async function findColleague(rt: Runtime, member: Member, userId: string): Promise<UserRow> {
  const [user] = await rt.store.read(findUser, { id: userId })
  if (!user || user.account_id !== member.accountId) {
    throw new AppError('member_not_found', 'This member does not exist.')
  }
  return user
}

async function unlessLastOwner(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('last_owner', 'An account needs an owner who can sign in. Make another member an owner first.')
  }
}

function entryAbout(member: Member, { id, name }: UserRow, action: string, metadata: Record<string, unknown>) {
  return { ...entryBy(member, action, { type: 'user', id, name }), metadata }
}
