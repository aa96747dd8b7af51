import { operator, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { clearPassword } from '../store/accounts/people.ts'
import { deleteSessionsOfPerson } from '../store/accounts/sessions.ts'
import { endResetLinks } from '../store/accounts/setup-links.ts'
import type { UserRow } from '../store/accounts/users.ts'
import type { UserWithLink } from './create-user.ts'
import { addSetupLink } from './setup-link.ts'

/** By the operator: the old password ends at once, with every session; the link lets the person choose a new one. */
export async function resetPassword(rt: Runtime, user: UserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'member.password_reset', actor: operator, targets }
  const now = rt.clock.now()
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, entry, (unit) => {
    unit.add(clearPassword, { id: user.person_id, now })
    unit.add(deleteSessionsOfPerson, { person_id: user.person_id, keep_id: '' })
    unit.add(endResetLinks, { person_id: user.person_id, now })
    made = addSetupLink(rt, unit, user.id, 'reset')
  })
  return { user, ...made }
}
