import { type AuditEntry, operator, writeAudited } from '../audit/audit.ts'
import type { Role } from '../contract/console/roles.ts'
import type { Runtime } from '../runtime.ts'
import { insertUser, type NewUserRow } from '../store/accounts/users.ts'
import { UniqueViolation } from '../store/engine/store-error.ts'
import { addSetupLink, emailTaken } from './setup-owner.ts'
import { normaliseEmail } from './sign-in.ts'

export type NewUser = { accountId: string; name: string; email: string; role: Role }
export type UserWithLink = { user: NewUserRow; link: string; expiresAt: number }

/** The person chooses the password behind the link; nobody else ever knows it. */
export async function createUser(
  rt: Runtime,
  { accountId, name, email, role }: NewUser,
  author: Pick<AuditEntry, 'actor' | 'context'> = { actor: operator },
): Promise<UserWithLink> {
  const now = rt.clock.now()
  const user: NewUserRow = {
    id: rt.newId('usr'),
    account_id: accountId,
    email: normaliseEmail(email),
    name: name.trim(),
    role,
    password_hash: null,
    created_at: now,
    updated_at: now,
  }
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId, action: 'member.invited', ...author, targets, metadata: { role } }
  let made = { link: '', expiresAt: 0 }
  try {
    await writeAudited(rt, entry, (unit) => {
      unit.add(insertUser, user)
      made = addSetupLink(rt, unit, user.id, 'invite')
    })
  } catch (error) {
    throw error instanceof UniqueViolation && error.table === 'users' ? emailTaken() : error
  }
  return { user, ...made }
}
