import { actorOf, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSession } from '../store/accounts/sessions.ts'

export async function signOut(rt: Runtime, member: Member): Promise<void> {
  const { accountId, context, userId, name, sessionId } = member
  const targets = [{ type: 'user', id: userId, name }]
  await writeAudited(
    rt,
    { accountId, action: 'session.signed_out', actor: actorOf(member), targets, context },
    (unit) => unit.add(deleteSession, { id: sessionId, account_id: accountId }),
  )
}
