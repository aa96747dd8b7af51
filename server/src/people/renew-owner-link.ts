import { operator, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import type { UserRow } from '../store/accounts/users.ts'
import type { UserWithLink } from './create-user.ts'
import { addSetupLink } from './setup-link.ts'

/** A new link for an owner record that nobody has taken over yet; the one before stops working. */
export async function renewOwnerLink(rt: Runtime, owner: UserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: owner.id, name: owner.name }]
  const entry = { accountId: owner.account_id, action: 'member.link_renewed', actor: operator, targets }
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, { ...entry, metadata: { purpose: 'owner' } }, (unit) => {
    made = addSetupLink(rt, unit, owner.id, 'owner')
  })
  return { user: owner, ...made }
}
