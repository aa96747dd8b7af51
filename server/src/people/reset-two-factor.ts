import { operator, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { deleteSessionsOfPerson } from '../store/accounts/setup-links.ts'
import type { UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { addSwitchOff, notOn } from './switch-two-factor.ts'

/**
 * By the operator, for a person who lost phone and recovery codes. The password alone signs in again, everywhere anew: the
 * lost phone may be signed in.
 */
export async function resetTwoFactor(rt: Runtime, user: UserRow): Promise<void> {
  const targets = [{ type: 'user', id: user.id, name: user.name }]
  const entry = { accountId: user.account_id, action: 'two_factor.reset', actor: operator, targets }
  try {
    await writeAudited(rt, entry, (unit) => {
      addSwitchOff(rt, unit, user.person_id)
      unit.add(deleteSessionsOfPerson, { person_id: user.person_id, keep_id: '' })
    })
  } catch (error) {
    throw error instanceof ConditionFailed ? notOn() : error
  }
}
