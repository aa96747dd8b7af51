import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSession } from '../store/accounts/sessions.ts'

export async function signOut(rt: Runtime, member: Member): Promise<void> {
  const { accountId, sessionId } = member
  await writeAudited(rt, entryBy(member, 'session.signed_out'), (unit) =>
    unit.add(deleteSession, { id: sessionId, account_id: accountId }),
  )
}
