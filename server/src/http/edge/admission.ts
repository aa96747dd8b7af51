import type { FastifyRequest } from 'fastify'
import type { Admission } from '../../access/admission.ts'
import type { Caller } from '../../access/caller.ts'
import type { GateForWrites } from '../../access/gate.ts'
import type { QuotaState } from '../../access/quota.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where key and quota may be decided with the first write, see access/admission.ts. */
    admission: Admission | null
  }
}

export type AdmissionParts = {
  gate: GateForWrites
  caller: Caller
  epoch: number
  /** Checks the credentials and takes from the plan; gives the caller and the epoch they were found with. */
  decide(): Promise<{ caller: Caller; epoch: number }>
  /** Puts the quota into the answer. */
  granted(quota: QuotaState): void
}

export function createAdmission({ gate, caller, epoch, decide, granted }: AdmissionParts): Admission {
  let state: Admission['state'] = 'open'
  let current = { caller, epoch }
  return {
    get state() {
      return state
    },
    get epoch() {
      return current.epoch
    },
    quota: () => (state === 'open' ? gate.wants(current.caller.plan) : null),
    async settle() {
      if (state === 'open') {
        current = await decide()
        state = 'settled'
      }
      return current.caller
    },
    pass(taken) {
      if (state !== 'open') return
      state = 'passed'
      granted(gate.passed(current.caller.accountId, current.caller.plan, taken))
    },
  }
}

/** The refusal to answer with: that of the key or the quota, where these were still to be decided, comes first. */
export async function firstRefusal({ admission }: FastifyRequest, thrown: unknown): Promise<unknown> {
  if (admission?.state !== 'open') return thrown
  try {
    await admission.settle()
    return thrown
  } catch (earlier) {
    return earlier
  }
}
