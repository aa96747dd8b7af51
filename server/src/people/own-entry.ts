import type { AuditContext, AuditEntry } from '../audit/audit.ts'
import type { MemberRow } from '../store/accounts/users.ts'

/** Audit entry of a user's action on their own record, before or without a session. */
export function ownEntry(
  user: Pick<MemberRow, 'id' | 'name' | 'account_id'>,
  action: string,
  context: AuditContext,
): AuditEntry {
  const person = { type: 'user', id: user.id, name: user.name } as const
  return { accountId: user.account_id, action, actor: person, targets: [person], context }
}
