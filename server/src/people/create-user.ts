import { type AuditEntry, operator, writeAudited } from '../audit/audit.ts'
import { type AppError, invalidField } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import type { Runtime } from '../runtime.ts'
import { countMembers, findPersonByEmail } from '../store/accounts/people.ts'
import { insertMember, type MemberRow } from '../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import { addUser } from './add-user.ts'
import { addSetupLink } from './setup-link.ts'
import { normaliseEmail } from './sign-in.ts'

export type NewMember = { accountId: string; name: string; email: string; role: Role }
export type Invited = MemberRow & { email: string | null }
export type UserWithLink = { user: Invited; link: string; expiresAt: number }

/** A person who is created or removed by another request meanwhile. */
const triesMax = 3

/**
 * The person chooses the password behind the link, or gives the one they sign in with already. What the account gets back
 * is the same in both cases.
 */
export async function createUser(
  rt: Runtime,
  { accountId, name, email, role }: NewMember,
  author: Pick<AuditEntry, 'actor' | 'context'> = { actor: operator },
): Promise<UserWithLink> {
  const now = rt.clock.now()
  const address = normaliseEmail(email)
  const id = rt.newId('usr')
  const targets = [{ type: 'user', id, name: name.trim() }]
  const entry = { accountId, action: 'member.invited', ...author, targets, metadata: { role } }
  for (let tries = 1; ; tries++) {
    const [known] = await rt.store.read(findPersonByEmail, { email: address })
    const person_id = known?.id ?? rt.newId('per')
    const times = { created_at: now, updated_at: now }
    const member = { id, account_id: accountId, person_id, name: name.trim(), role, joined_at: null, ...times }
    let made = { link: '', expiresAt: 0 }
    try {
      await writeAudited(rt, entry, (unit) => {
        if (known) {
          unit.add(countMembers, { id: known.id, accounts: 1, joined: 0 })
          unit.add(insertMember, member)
        } else {
          addUser(unit, { ...member, email: address, password_hash: null })
        }
        made = addSetupLink(rt, unit, id, 'invite')
      })
      return { user: { ...member, email: address }, ...made }
    } catch (error) {
      if (error instanceof UniqueViolation && error.table === 'members') throw alreadyMember()
      const hasChanged =
        error instanceof ConditionFailed || (error instanceof UniqueViolation && error.table === 'people')
      if (!hasChanged || tries >= triesMax) throw error
    }
  }
}

/** Says nothing that the account does not know: its own members have this address. */
export function alreadyMember(): AppError {
  return invalidField('email', 'duplicate', 'A member of this account already has this email address.')
}
