import { operator, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import type { UserRow } from '../store/accounts/users.ts'
import type { UserWithLink } from './create-user.ts'
import { addSetupLink } from './setup-link.ts'

/** By the operator at the machine: a link that signs a person in once, when passwords are off and the provider is away. */
export async function makeEntryLink(rt: Runtime, user: UserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'member.sign_in_link_made', actor: operator, targets }
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, entry, (unit) => {
    made = addSetupLink(rt, unit, user.id, 'enter')
  })
  return { user, ...made }
}
