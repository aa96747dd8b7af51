import { hash, timingSafeEqual } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Plan } from '../../contract/plans.ts'
import type { Scope } from '../../contract/scopes.ts'
import { rangesContain } from '../../lib/guarded-http/address-guard-ranges.ts'
import type { Gate } from '../../limits/quota.ts'
import type { AttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import type { Checked, Known } from '../caller.ts'
import { type KeyKind, numberIdsOf } from './api-key.ts'
import { type KeyProof, type ProvedKey, proveKey, toAddressList } from './create-key.ts'

export type KeyCheck = {
  (proof: KeyProof & { counted: boolean }): Promise<Checked>
  /**
   * Whose key this was when it was last proved with the same secret; null where that is not known or would be refused. To
   * be relied on only by what names the epoch of the key in its own write.
   */
  recall(proof: KeyProof): Known | null
}

type Remembered = Known & { kind: KeyKind; secretHash: Buffer; until: number; addresses: BlockList | null }

const rememberedMax = 20_000

/**
 * Lets a client in with key and secret instead of a token, for software that only knows Basic. Costs one read by index
 * and one HMAC a request, so what was revoked is refused at once. Successes count against the plan alone.
 */
export function createKeyCheck(rt: Runtime, { gate, limit }: { gate: Gate; limit: AttemptLimit }): KeyCheck {
  const remembered = new Map<string, Remembered>()
  return Object.assign(check, { recall })

  async function check({ counted, ...proof }: KeyProof & { counted: boolean }): Promise<Checked> {
    const key = await proveKey(rt, limit, proof)
    const known = toKnown(key)
    if (remembered.size >= rememberedMax) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(proof.apiKey, {
      ...known,
      kind: key.kind as KeyKind,
      secretHash: hashOf(proof),
      until: key.provedUntil,
      addresses: key.allowed_ips === null ? null : toAddressList(JSON.parse(key.allowed_ips) as string[]),
    })
    return { ...known, quota: counted ? await gate.take(key.account_id, known.caller.plan) : null }
  }

  function recall(proof: KeyProof): Known | null {
    const known = remembered.get(proof.apiKey)
    const { kind = 'key' } = proof
    if (!known || known.kind !== kind || known.until <= rt.clock.now()) return null
    if (!timingSafeEqual(known.secretHash, hashOf(proof))) return null
    return known.addresses && !rangesContain(known.addresses, proof.ip) ? null : known
  }
}

function hashOf({ apiSecret }: KeyProof): Buffer {
  return hash('sha256', apiSecret, 'buffer')
}

function toKnown(key: ProvedKey): Known {
  const caller = {
    accountId: key.account_id,
    keyId: key.id,
    scopes: JSON.parse(key.scopes) as Scope[],
    plan: key.account_plan as Plan,
    phoneNumberIds: numberIdsOf(key),
  }
  return { caller, token: null, epoch: key.epoch }
}
