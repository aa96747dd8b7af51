import { authorOf, type Member } from '../access/console-member.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { listUsers, type UserRow } from '../store/accounts/users.ts'
import { createUser, type Invited } from './create-user.ts'

export type Invitation = { name: string; email: string; role: Role }

/** The link is handed to the inviter: the gateway sends no mail. */
export async function inviteMember(rt: Runtime, member: Member, invitation: Invitation) {
  const sentence = 'Your account invited many people in a short time. Wait, then try again.'
  await requireWithinLimit(rt, 'invitation', member.accountId, sentence)
  const invited = { accountId: member.accountId, ...invitation }
  const { user, link, expiresAt } = await createUser(rt, invited, authorOf(member))
  return { member: toMember(user), link, expires_at: formatInstant(expiresAt) }
}

export async function listMembers(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(listUsers, { account_id: accountId })
  return rows.map(toMember)
}

/** Of a person who has yet to join, an account sees what it wrote itself. */
export function toMember(row: Invited & Partial<Pick<UserRow, 'two_factor_since'>>) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    status: row.joined_at === null ? ('invited' as const) : ('active' as const),
    two_factor: row.joined_at !== null && (row.two_factor_since ?? null) !== null,
    created_at: formatInstant(row.created_at),
  }
}
