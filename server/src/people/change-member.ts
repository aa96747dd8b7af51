import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { mayDo, type Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import type { SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { deleteIdentityIfNowhere } from '../store/accounts/identities.ts'
import { deleteAlertChoice } from '../store/accounts/mails.ts'
import {
  changePasswordHash,
  clearIfNowhere,
  countMembers,
  deleteIfAlone,
  renamePerson,
} from '../store/accounts/people.ts'
import { deleteSessionsOfMember, deleteSessionsOfPerson, endSetupLinks } from '../store/accounts/setup-links.ts'
import { deleteRecoveryCodesIfOff } from '../store/accounts/two-factor.ts'
import { changeMemberRole, deleteMember, findUser, suspendMember, type UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { unassignAll } from '../store/messages/conversations.ts'
import { addInvitationMail, toMember } from './create-user.ts'
import { mayMail } from './mail.ts'
import { hashPassword, requireUncommonPassword } from './passwords.ts'
import { addSetupLink } from './setup-link.ts'
import { requirePassword } from './sign-in.ts'

/** The person signs in again: a session never outlives the role it began with. */
export async function changeRole(rt: Runtime, member: Member, userId: string, role: Role) {
  const user = await findColleague(rt, member, userId)
  const now = rt.clock.now()
  const entry = entryAbout(member, user, 'member.role_changed', { from: user.role, to: role })
  await unlessLastOwner(
    user,
    writeAudited(rt, entry, (unit) => {
      unit.add(changeMemberRole, { id: user.id, account_id: user.account_id, role, now })
      unit.add(deleteSessionsOfMember, { user_id: user.id })
      if (!mayDo(role, 'conversations:write')) unit.add(unassignAll, { account_id: user.account_id, user_id: user.id })
    }),
  )
  return toMember({ ...user, role })
}

/** A person who is a member of no account any more is deleted. */
export async function removeMember(rt: Runtime, member: Member, userId: string): Promise<void> {
  const user = await findColleague(rt, member, userId)
  const { id, account_id, person_id } = user
  const joined = user.joined_at === null ? 0 : 1
  await unlessLastOwner(
    user,
    writeAudited(rt, entryAbout(member, user, 'member.removed', { role: user.role }), (unit: Unit) => {
      unit.add(deleteMember, { id, account_id, was_joined: joined })
      unit.add(countMembers, { id: person_id, accounts: -1, joined: joined === 0 ? 0 : -1 })
      unit.add(unassignAll, { account_id, user_id: id })
      addForget(rt, unit, user)
      unit.add(deleteIfAlone, { id: person_id })
    }),
  )
}

/**
 * A new link for a person who lost theirs, the password, or the second factor. One who has joined has to join anew. Whether
 * the link then sets a new password, or asks for the one that opens other accounts too, is told to nobody but the person.
 */
export async function renewLink(rt: Runtime, member: Member, userId: string) {
  const user = await findColleague(rt, member, userId)
  if (user.id === member.userId) {
    throw new AppError('insufficient_role', 'Change your own password under Settings, Security.')
  }
  const hasJoined = user.joined_at !== null
  const now = rt.clock.now()
  let made = { link: '', expiresAt: 0 }
  const mailed = await mayMail(rt, user.email)
  await unlessLastOwner(
    user,
    writeAudited(rt, entryAbout(member, user, 'member.link_renewed', { rejoins: hasJoined }), (unit) => {
      if (hasJoined) {
        unit.add(suspendMember, { id: user.id, name: user.name, now })
        unit.add(countMembers, { id: user.person_id, accounts: 0, joined: -1 })
        addForget(rt, unit, user)
      }
      made = addSetupLink(rt, unit, user.id, user.email === null ? 'owner' : 'invite')
      if (mailed) addInvitationMail(rt, unit, user, made)
    }),
  )
  const invited = toMember({ ...user, joined_at: null })
  return { member: invited, link: made.link, mailed, expires_at: formatInstant(made.expiresAt) }
}

/** The rows a removed member leaves in the account, and the person's own rows if this was their only account. */
function addForget(rt: Runtime, unit: Unit, { id, person_id }: UserRow): void {
  const now = rt.clock.now()
  unit.add(deleteSessionsOfMember, { user_id: id })
  unit.add(endSetupLinks, { user_id: id, now })
  unit.add(clearIfNowhere, { id: person_id, now })
  unit.add(deleteRecoveryCodesIfOff, { person_id })
  unit.add(deleteIdentityIfNowhere, { person_id })
  unit.add(deleteAlertChoice, { user_id: id })
}

export async function renameSelf(rt: Runtime, member: Member, name: string): Promise<void> {
  const user = await findColleague(rt, member, member.userId)
  await writeAudited(rt, entryAbout(member, user, 'member.renamed', {}), (unit) =>
    unit.add(renamePerson, { id: user.person_id, name: name.trim(), now: rt.clock.now() }),
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
    id: user.person_id,
    password_hash: await hashPassword(rt, next),
    hash_before: user.password_hash ?? '',
    now: rt.clock.now(),
  }
  try {
    await writeAudited(rt, entryAbout(member, user, 'member.password_changed', {}), (unit) => {
      unit.add(changePasswordHash, change)
      unit.add(deleteSessionsOfPerson, { person_id: user.person_id, keep_id: member.sessionId })
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('invalid_credentials', 'The password was just changed or reset. Sign in again.')
  }
}

/** A user of another account does not exist for this one. */
async function findColleague(rt: Runtime, member: Member, userId: string): Promise<UserRow> {
  const [user] = await rt.store.read(findUser, { id: userId })
  if (!user || user.account_id !== member.accountId) {
    throw new AppError('member_not_found', 'This member does not exist.')
  }
  return user
}

async function unlessLastOwner({ role }: UserRow, change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    if (role !== 'owner')
      throw new AppError('concurrent_change', 'The member has just been changed. Reload the page, then try again.')
    throw new AppError('last_owner', 'An account needs an owner who can sign in. Make another member an owner first.')
  }
}

function entryAbout(member: Member, { id, name }: UserRow, action: string, metadata: Record<string, unknown>) {
  return { ...entryBy(member, action, { type: 'user', id, name }), metadata }
}
