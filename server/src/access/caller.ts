import type { Plan } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { AccessRow } from '../store/accounts/tokens.ts'
import type { QuotaState } from './quota.ts'

/** Who sent a request, once its token has been checked. Verbs take this instead of reading headers. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string
  readonly scopes: readonly Scope[]
  readonly plan: Plan
  /** Numbers the key is limited to; null means all of the account. */
  readonly phoneNumberIds: readonly string[] | null
}

/** Whom the credentials of a request belong to. `token` is null where it carries key and secret instead of one. */
export type Checked = { caller: Caller; token: AccessRow | null; quota: QuotaState }
