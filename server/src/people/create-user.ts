import { authorOf, type Member } from '../access/console-member.ts'
import { type AuditEntry, operator, writeAudited } from '../audit/audit.ts'
import { type AppError, invalidField } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { listLastMails } from '../store/accounts/mails.ts'
import { countMembers, findPersonByEmail, insertPerson } from '../store/accounts/people.ts'
import { insertMember, listUsers, type MemberRow, type UserRow } from '../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { addMail, mayMail } from './mail.ts'
import { addSetupLink } from './setup-link.ts'
import { normaliseEmail } from './sign-in.ts'

type NewMember = { accountId: string; name: string; email: string; role: Role }
type Invited = MemberRow & { email: string | null }
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

type Invitation = { name: string; email: string; role: Role }

/** The link is handed to the inviter, and mailed where a mail server is set. */
export async function inviteMember(rt: Runtime, member: Member, invitation: Invitation) {
  const sentence = 'Your account invited many people in a short time. Wait, then try again.'
  await requireWithinLimit(rt, 'invitation', member.accountId, sentence)
  const invited = { accountId: member.accountId, ...invitation }
  const { user, link, expiresAt, mailed = false } = await createUser(rt, invited, authorOf(member))
  return { member: toMember(user), link, mailed, expires_at: formatInstant(expiresAt) }
}

export async function listMembers(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(listUsers, { account_id: accountId })
  const mails = rt.mailer ? await rt.store.read(listLastMails, { account_id: accountId, kind: 'invite' }) : []
  return rows.map((row) => {
    const mail = row.joined_at === null ? mails.find((one) => one.user_id === row.id) : undefined
    return { ...toMember(row), mail: mail ? { status: mail.status as MailStatus, error: mail.error } : null }
  })
}

type MailStatus = 'waiting' | 'sent' | 'failed'

/** Of a person who has yet to join, an account sees what it wrote itself. */
export function toMember(row: Invited & Partial<Pick<UserRow, 'two_factor_since'>>) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    status: row.joined_at === null ? ('invited' as const) : ('active' as const),
    two_factor: row.joined_at !== null && (row.two_factor_since ?? null) !== null,
    mail: null,
    created_at: formatInstant(row.created_at),
  }
}
