import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from '../../access/admission.ts'
import type { Caller } from '../../access/caller.ts'
import type { GateForWrites, QuotaTaken, QuotaToTake, Taking } from '../../access/gate.ts'
import type { QuotaState } from '../../access/quota.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { replayInstead } from './idempotency.ts'

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
 * Answers with a refusal, unless something else comes first where key and quota were still to be decided: a refusal of these,
 * or the answer to an earlier request with the same Idempotency-Key. A database that failed or took too long is not asked.
 */
export async function refuseInOrder(
  rt: Runtime,
  { request, reply, thrown }: { request: FastifyRequest; reply: FastifyReply; thrown: unknown },
  refuse: (error: unknown) => void,
): Promise<void> {
  const { admission } = request
  if (admission?.state !== 'open' || isOfDatabase(thrown)) return refuse(thrown)
  try {
    await admission.settle()
    if (await replayInstead(rt, request, reply)) return
  } catch (earlier) {
    return refuse(earlier)
  }
  refuse(thrown)
}

function isOfDatabase(thrown: unknown): boolean {
  return thrown instanceof StoreUnavailable || (thrown instanceof AppError && thrown.code === 'service_unavailable')
}
