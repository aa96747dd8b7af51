import type { AccessRow } from '../store/accounts/tokens.ts'
import type { Caller } from './caller.ts'
import type { QuotaState } from './quota.ts'

/** Whom the credentials of a request belong to. `token` is null for somebody who sent key and secret. */
export type Checked = { caller: Caller; token: AccessRow | null; quota: QuotaState }
