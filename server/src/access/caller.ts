import type { Plan } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'

/** Who sent a request, once its token has been checked. Verbs take this instead of reading headers. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string
  /** Null for somebody who sent key and secret. */
  readonly tokenId: string | null
  readonly scopes: readonly Scope[]
  readonly plan: Plan
  /** Numbers the key is limited to; null means all of the account. */
  readonly phoneNumberIds: readonly string[] | null
}
