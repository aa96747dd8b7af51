import { gateway, operator, writeAudited } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { clearPassword } from '../store/accounts/people.ts'
import { deleteSessionsOfPerson, endResetLinks } from '../store/accounts/setup-links.ts'
import { findUserByEmail, type UserRow } from '../store/accounts/users.ts'
import type { UserWithLink } from './create-user.ts'
import { addMail, mayMail } from './mail.ts'
import { addSetupLink } from './setup-link.ts'
import { normaliseEmail } from './sign-in.ts'

/** By the operator: the old password ends at once, with every session; the link lets the person choose a new one. */
export async function resetPassword(rt: Runtime, user: UserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'member.password_reset', actor: operator, targets }
  const now = rt.clock.now()
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, entry, (unit) => {
    unit.add(clearPassword, { id: user.person_id, now })
    unit.add(deleteSessionsOfPerson, { person_id: user.person_id, keep_id: '' })
    unit.add(endResetLinks, { person_id: user.person_id, now })
    made = addSetupLink(rt, unit, user.id, 'reset')
  })
  return { user, ...made }
}

/**
 * A link to a new password goes to the address of a person who has one. The password before goes on working until the link
 * is used, so a stranger who asks locks nobody out. The response comes at once and is the same for every address.
 */
export function requestReset(rt: Runtime, given: string): void {
  void mailReset(rt, normaliseEmail(given)).catch((error: unknown) => rt.log.warn({ err: error }, 'mail.not_added'))
}

async function mailReset(rt: Runtime, email: string): Promise<void> {
  if (!rt.config.passwordSignIn) return
  const [user] = await rt.store.read(findUserByEmail, { email })
  if (!user || user.joined_at === null || user.password_hash === null || !(await mayMail(rt, email))) return
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'member.password_link_requested', actor: gateway, targets }
  await writeAudited(rt, entry, (unit) => {
    const { link, expiresAt } = addSetupLink(rt, unit, user.id, 'reset')
    addMail(rt, unit, {
      ...{ accountId: user.account_id, userId: user.id, kind: 'reset', to: email },
      subject: 'A new password for Postern',
      lines: [
        'Someone asked for a new password for this address.',
        `Open this link to set one. It works once, until ${formatInstant(expiresAt)}:`,
        link,
        'If it was not you, ignore this mail: your password stays as it is.',
      ],
    })
  })
}
