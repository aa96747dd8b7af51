import { actorOf, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { insertUser, listUsers, type NewUserRow, type UserRow } from '../store/accounts/users.ts'
import { UniqueViolation } from '../store/engine/store-error.ts'
import { addSetupLink, emailTaken } from './setup-owner.ts'
import { normaliseEmail } from './sign-in.ts'

export type Invitation = { name: string; email: string; role: Role }

/** The link is handed to the inviter: the gateway sends no mail. */
export async function inviteMember(rt: Runtime, member: Member, { name, email, role }: Invitation) {
  const now = rt.clock.now()
  const user: NewUserRow = {
    id: rt.newId('usr'),
    account_id: member.accountId,
    email: normaliseEmail(email),
    name: name.trim(),
    role,
    password_hash: null,
    created_at: now,
    updated_at: now,
  }
  const entry = {
    accountId: member.accountId,
    action: 'member.invited',
    actor: actorOf(member),
    targets: [{ type: 'user', id: user.id, name: user.name }],
    context: member.context,
    metadata: { role },
  }
  let made = { link: '', expiresAt: 0 }
  try {
    await writeAudited(rt, entry, (unit) => {
      unit.add(insertUser, user)
      made = addSetupLink(rt, unit, user.id, 'invite')
    })
  } catch (error) {
    if (error instanceof UniqueViolation && error.table === 'users') throw emailTaken()
    throw error
  }
  return { member: toMember(user), link: made.link, expires_at: formatInstant(made.expiresAt) }
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
