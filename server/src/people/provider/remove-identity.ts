import { entryBy, type Member } from '../../access/console-member.ts'
import { writeAudited } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { deleteIdentity, findIdentityOf } from '../../store/accounts/identities.ts'
import { findPerson } from '../../store/accounts/people.ts'

/** Only by a person who can still sign in afterwards. */
export async function removeIdentity(rt: Runtime, member: Member): Promise<void> {
  const [person] = await rt.store.read(findPerson, { id: member.personId })
  if (!rt.config.passwordSignIn || person?.password_hash === null) {
    throw new AppError('password_sign_in_off', 'You have no other way to sign in.')
  }
  const [identity] = await rt.store.read(findIdentityOf, { person_id: member.personId })
  if (!identity) return
  const entry = { ...entryBy(member, 'identity.unlinked'), metadata: { issuer: identity.issuer } }
  await writeAudited(rt, entry, (unit) => unit.add(deleteIdentity, { person_id: member.personId }))
}
