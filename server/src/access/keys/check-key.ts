import type { Plan } from '../../contract/plans.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import type { AttemptLimit } from '../attempt-limit.ts'
import type { Checked } from '../caller.ts'
import type { Gate } from '../gate.ts'
import { numberIdsOf } from './api-key.ts'
import { type KeyProof, proveKey } from './prove-key.ts'

/**
 * Lets a client in with key and secret instead of a token, for software that only knows Basic. Costs one read by index
 * and one HMAC a request, so what was revoked is refused at once. Successes count against the plan alone.
 */
export async function checkKey(
  rt: Runtime,
  { gate, limit }: { gate: Gate; limit: AttemptLimit },
  proof: KeyProof & { counted: boolean },
): Promise<Checked> {
  const key = await proveKey(rt, limit, proof)
  const plan = key.account_plan as Plan
  const caller = {
    accountId: key.account_id,
    keyId: key.id,
    scopes: JSON.parse(key.scopes) as Scope[],
    plan,
    phoneNumberIds: numberIdsOf(key),
  }
  return { caller, token: null, quota: proof.counted ? await gate.take(key.account_id, plan) : null }
}
