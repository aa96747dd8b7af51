import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Action } from '../contract/console/roles.ts'
import type { Runtime } from '../runtime.ts'

/** A member tried to change what their role may not: the owners should be able to see it. */
export async function noteRefusal(rt: Runtime, member: Member, action: Action, route: string): Promise<void> {
  const metadata = { role: member.role, needed: action, route }
  await writeAudited(rt, { ...entryBy(member, 'console.refused'), metadata }, () => {})
}
