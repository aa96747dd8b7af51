import { authorOf, type Member } from '../access/console-member.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { listUsers, type NewUserRow, type UserRow } from '../store/accounts/users.ts'
import { createUser } from './create-user.ts'

export type Invitation = { name: string; email: string; role: Role }

/** The link is handed to the inviter: the gateway sends no mail. */
export async function inviteMember(rt: Runtime, member: Member, invitation: Invitation) {
  const sentence = 'Your account invited many people in a short time. Wait, then try again.'
  requireWithinLimit(rt.throttles.invitations, member.accountId, rt.clock.now(), sentence)
  const invited = { accountId: member.accountId, ...invitation }
  const { user, link, expiresAt } = await createUser(rt, invited, authorOf(member))
  return { member: toMember(user), link, expires_at: formatInstant(expiresAt) }
}

export async function listMembers(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(listUsers, { account_id: accountId })
  return rows.map(toMember)
}

export function toMember(row: NewUserRow & Partial<Pick<UserRow, 'two_factor_since'>>) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    status: row.password_hash === null ? ('invited' as const) : ('active' as const),
    two_factor: (row.two_factor_since ?? null) !== null,
    created_at: formatInstant(row.created_at),
  }
}
