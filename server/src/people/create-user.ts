import { type AuditEntry, operator, writeAudited } from '../audit/audit.ts'
import { type AppError, invalidField } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { countMembers, findPersonByEmail, insertPerson } from '../store/accounts/people.ts'
import { insertMember, type MemberRow } from '../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { addMail, mayMail } from './mail.ts'
import { addSetupLink } from './setup-link.ts'
import { normaliseEmail } from './sign-in.ts'

type NewMember = { accountId: string; name: string; email: string; role: Role }
export type Invited = MemberRow & { email: string | null }
export type UserWithLink = { user: Invited; link: string; expiresAt: number; mailed?: boolean }

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
  const mailed = await mayMail(rt, address)
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
        if (mailed) addInvitationMail(rt, unit, { ...member, email: address }, made)
      })
      return { user: { ...member, email: address }, ...made, mailed }
    } catch (error) {
      if (error instanceof UniqueViolation && error.table === 'members') throw alreadyMember()
      const hasChanged =
        error instanceof ConditionFailed || (error instanceof UniqueViolation && error.table === 'people')
      if (!hasChanged || tries >= triesMax) throw error
    }
  }
}

type Link = { link: string; expiresAt: number }

export function addInvitationMail(rt: Runtime, unit: Unit, { id, account_id, email }: Invited, made: Link): void {
  if (email === null) return
  addMail(rt, unit, {
    ...{ accountId: account_id, userId: id, kind: 'invite', to: email },
    subject: 'You are invited to Postern',
    lines: [
      'You are invited to reply to customers, or to work with their messages, in Postern.',
      `Open this link to join. It works once, until ${formatInstant(made.expiresAt)}:`,
      made.link,
      'If you do not expect this mail, ignore it: nothing happens without the link.',
    ],
  })
}

/** Says nothing that the account does not know: its own members have this address. */
export function alreadyMember(): AppError {
  return invalidField('email', 'duplicate', 'A member of this account already has this email address.')
}

/** A member of an account, and the person who may become it through a link. */
export type NewUser = MemberRow & { email: string | null; password_hash: string | null }

/** A person nobody has met yet, as a member of one account. */
export function addUser(
  unit: Unit,
  { email, password_hash, ...member }: NewUser,
  operator: 'first' | null = null,
): void {
  const { person_id: id, name, joined_at, created_at, updated_at } = member
  const joined = joined_at === null ? 0 : 1
  unit.add(insertPerson, { id, email, name, password_hash, accounts: 1, joined, operator, created_at, updated_at })
  unit.add(insertMember, member)
}
