import type { Runtime } from '../runtime.ts'
import { deleteSession } from '../store/sessions.ts'
import { writeAudited } from './audit.ts'
import { actorOf, type Member } from './console-member.ts'

export async function signOut(rt: Runtime, member: Member): Promise<void> {
  const { accountId, context, userId, name, sessionId } = member
  const targets = [{ type: 'user', id: userId, name }]
  await writeAudited(
    rt,
    { accountId, action: 'session.signed_out', actor: actorOf(member), targets, context },
    (unit) => unit.add(deleteSession, { id: sessionId, account_id: accountId }),
  )
}
