import { authorOf, type Member } from '../access/console-member.ts'
import { type Author, operator, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSessionsOfUser } from '../store/accounts/sessions.ts'
import type { UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { findColleague } from './change-member.ts'
import { toMember } from './invite-member.ts'
import { addSwitchOff, notOn } from './switch-two-factor.ts'

/** By an owner, for a member who lost phone and recovery codes. */
export async function resetMemberTwoFactor(rt: Runtime, member: Member, userId: string) {
  if (userId === member.userId) {
    const sentence = 'Turn off your own under Settings, Security: that needs your password and a code.'
    throw new AppError('two_factor_required', sentence)
  }
  const user = await findColleague(rt, member, userId)
  await resetTwoFactor(rt, user, authorOf(member))
  return toMember({ ...user, two_factor_since: null })
}

/** The password alone signs in again, everywhere anew: the lost phone may be signed in. */
export async function resetTwoFactor(rt: Runtime, user: UserRow, author: Partial<Author> = {}): Promise<void> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'two_factor.reset', actor: operator, targets, ...author }
  try {
    await writeAudited(rt, entry, (unit) => {
      addSwitchOff(rt, unit, user)
      unit.add(deleteSessionsOfUser, { user_id: user.id, keep_id: '' })
    })
  } catch (error) {
    throw error instanceof ConditionFailed ? notOn() : error
  }
}
