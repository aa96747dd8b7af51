import { authorOf, type Member } from '../access/console-member.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { listLastMails } from '../store/accounts/mails.ts'
import { listUsers, type UserRow } from '../store/accounts/users.ts'
import { createUser, type Invited } from './create-user.ts'

export type Invitation = { name: string; email: string; role: Role }

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
