import type { Plan } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { QuotaState } from '../limits/quota.ts'
import type { AccessRow } from '../store/accounts/tokens.ts'

/** Who sent a request, once its token has been checked. Verbs take this instead of reading headers. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly plan: Plan
  /** Numbers the key is limited to; null means all of the account. */
  readonly phoneNumberIds: readonly string[] | null
}

/** Whom credentials belong to, as of an epoch of their key. `token` is null where they are key and secret instead of one. */
export type Known = { caller: Caller; token: AccessRow | null; epoch: number }
export type Checked = Known & { quota: QuotaState }
