import { operator, writeAudited } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { endFirstOperator, listOperators, nameOperator, removeOperator } from '../store/accounts/operators.ts'
import type { UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'

/** False: the person has yet to join an account. The first owner stops being an operator when another person is named. */
export async function addOperator(rt: Runtime, user: UserRow): Promise<boolean> {
  return unlessUnmet(
    writeAudited(rt, entryAbout(user, 'operator.added'), (unit) => {
      unit.add(nameOperator, { id: user.person_id })
      unit.add(endFirstOperator, { keep_id: user.person_id })
    }),
  )
}

/** False: the person is no operator. Open pages of theirs are rejected from now on. */
export async function endOperator(rt: Runtime, user: UserRow): Promise<boolean> {
  return unlessUnmet(
    writeAudited(rt, entryAbout(user, 'operator.removed'), (unit) => unit.add(removeOperator, { id: user.person_id })),
  )
}

export async function describeOperators(rt: Runtime) {
  const rows = await rt.store.read(listOperators, {})
  return rows.map(({ name, email, two_factor_since }) => ({
    name,
    email,
    two_factor_since: formatInstant(two_factor_since),
  }))
}

function entryAbout({ id, name, account_id }: UserRow, action: string) {
  return { accountId: account_id, action, actor: operator, targets: [{ type: 'user', id, name }] }
}

async function unlessUnmet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}
