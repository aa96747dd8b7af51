import type { FastifyRequest } from 'fastify'
import type { Admission } from '../../access/admission.ts'
import type { Caller } from '../../access/caller.ts'
import type { GateForWrites, QuotaTaken, QuotaToTake, Taking } from '../../access/gate.ts'
import type { QuotaState } from '../../access/quota.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'

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

const countedAlready = { quota: null, undo() {} }

/** A class, because every send makes one: an object with accessors is put together property by property. */
export class RequestAdmission implements Admission {
  state: Admission['state'] = 'open'
  epoch: number
  #caller: Caller
  #taking: Taking | null = null
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#caller = parts.caller
    this.epoch = parts.epoch
  }

  take(): { quota: QuotaToTake | null; undo(): void } | null {
    if (this.state !== 'open') return countedAlready
    this.#taking = this.#parts.gate.begin(this.#caller.accountId, this.#caller.plan)
    return this.#taking
  }

  async settle(): Promise<Caller> {
    if (this.state === 'open') {
      const { caller, epoch } = await this.#parts.decide()
      this.#caller = caller
      this.epoch = epoch
      this.state = 'settled'
    }
    return this.#caller
  }

  pass(taken: QuotaTaken): void {
    if (this.state !== 'open' || !this.#taking) return
    this.state = 'passed'
    this.#parts.granted(this.#taking.passed(taken))
  }
}

/**
 * The refusal to answer with: that of the key or the quota, where these were still to be decided, comes first. A database that
 * just failed is not asked about them.
 */
export async function firstRefusal({ admission }: FastifyRequest, thrown: unknown): Promise<unknown> {
  if (admission?.state !== 'open' || thrown instanceof StoreUnavailable) return thrown
  try {
    await admission.settle()
    return thrown
  } catch (earlier) {
    return earlier
  }
}
