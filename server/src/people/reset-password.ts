import { operator, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSessionsOfUser } from '../store/accounts/sessions.ts'
import { clearPassword, type NewUserRow } from '../store/accounts/users.ts'
import type { UserWithLink } from './create-user.ts'
import { addSetupLink } from './setup-owner.ts'

/** By the operator: the old password ends at once, with every session; the link lets the person choose a new one. */
export async function resetPassword(rt: Runtime, user: NewUserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'member.password_reset', actor: operator, targets }
  const now = rt.clock.now()
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, entry, (unit) => {
    unit.add(clearPassword, { id: user.id, account_id: user.account_id, now })
    unit.add(deleteSessionsOfUser, { user_id: user.id, keep_id: '' })
    made = addSetupLink(rt, unit, user.id, 'reset')
  })
  return { user: { ...user, password_hash: null, updated_at: now }, ...made }
}
