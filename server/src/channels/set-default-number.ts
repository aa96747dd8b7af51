import { type Actor, type AuditContext, writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { preferNumber } from '../store/channels/numbers.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'

export type DefaultChoice = { accountId: string; numberId: string; actor: Actor; context?: AuditContext }

/** The number that messages without `from` leave from. False: the account has no such connected number. */
export async function setDefaultNumber(
  rt: Runtime,
  { accountId, numberId, actor, context }: DefaultChoice,
): Promise<boolean> {
  const targets = [{ type: 'number', id: numberId, name: numberId }]
  const entry = { accountId, action: 'number.default_set', actor, targets, context }
  try {
    await writeAudited(rt, entry, (unit) =>
      unit.add(preferNumber, { account_id: accountId, id: numberId, now: rt.clock.now() }),
    )
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}
