import type { Gate, QuotaState, QuotaTaken, Taking } from '../limits/quota.ts'
import type { Caller } from './caller.ts'

export type AdmissionParts = {
  gate: Gate
  caller: Caller
  epoch: number
  /** Checks the credentials and takes from the plan; gives the caller and the epoch they were found with. */
  decide(): Promise<{ caller: Caller; epoch: number }>
  /** Puts the quota into the answer. */
  granted(quota: QuotaState): void
}

const countedAlready = { quota: null, undo() {} }

/**
 * A request whose key and quota may be decided by its first write instead of before it. `open`: neither is decided yet.
 * What it relies on meanwhile is as this process remembers it, so nothing may be refused or read on the strength of it. A class,
 * because every send makes one: an object with accessors is put together property by property.
 */
export class Admission {
  state: 'open' | 'settled' | 'passed' = 'open'
  /** The epoch of the caller's key that the write must find. */
  epoch: number
  #caller: Caller
  #taking: Taking | null = null
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
    this.#caller = parts.caller
    this.epoch = parts.epoch
  }

  /** Takes one request of the plan with the write; null when the plan has no room after all. */
  take(): Pick<Taking, 'quota' | 'undo'> | null {
    if (this.state !== 'open') return countedAlready
    this.#taking = this.#parts.gate.begin(this.#caller.accountId, this.#caller.plan)
    return this.#taking
  }

  /** Decides on fresh reads, as for every other request; throws what refuses it. Does nothing the second time. */
  async settle(): Promise<Caller> {
    if (this.state === 'open') {
      const { caller, epoch } = await this.#parts.decide()
      this.#caller = caller
      this.epoch = epoch
      this.state = 'settled'
    }
    return this.#caller
  }

  /** The write is on disk, and with it the request is counted. */
  pass(taken: QuotaTaken): void {
    if (this.state !== 'open' || !this.#taking) return
    this.state = 'passed'
    this.#parts.granted(this.#taking.passed(taken))
  }
}
