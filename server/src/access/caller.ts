import { mayDo, type Role } from '../contract/console/roles.ts'
import type { Plan } from '../contract/plans.ts'
import { allows, type Scope } from '../contract/scopes.ts'
import type { Gate, QuotaState, QuotaTaken, Taking } from '../limits/quota.ts'
import type { AccessRow } from '../store/accounts/tokens.ts'

/** The authenticated sender of a request. Verbs take this instead of reading headers. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly plan: Plan
  /** Numbers the key is limited to; null means all of the account. */
  readonly phoneNumberIds: readonly string[] | null
}

/**
 * Whom credentials belong to, as of an epoch of their key. `token` is null where they are key and secret instead of one.
 */
export type Known = { caller: Caller; token: AccessRow | null; epoch: number }
export type Checked = Known & { quota: QuotaState }

/** The reader: a program with the scopes of its key or token, or a person with a role. */
type Reader = { readonly scopes: readonly string[]; readonly role?: never } | { readonly role: Role }

/**
 * Whether customers are shown: their words, names and numbers, and ids that contain a number. Nobody hands out more than
 * they have, so this also decides what a reader may grant to keys and have delivered to webhooks.
 */
export function seesPeople(reader: Reader): boolean {
  return reader.role === undefined ? allows(reader.scopes, 'messages:read') : mayDo(reader.role, 'pii:read')
}

/** Whether amounts of money are shown. */
export function seesCosts(reader: Reader): boolean {
  return reader.role === undefined ? allows(reader.scopes, 'costs:read') : mayDo(reader.role, 'costs:read')
}

type AdmissionParts = {
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
