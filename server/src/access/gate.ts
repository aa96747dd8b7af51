import type { Plan } from '../contract/plans.ts'
import type { QuotaState } from './quota.ts'

/**
 * What every counted request passes. It answers two questions without a round trip of their own per request: has
 * anything about this key changed, and is there quota left?
 */
export type Gate = {
  /** The epoch of a key, as fresh as the last commit anywhere; null when the key is gone. */
  epoch(keyId: string): Promise<number | null>
  /** Takes one request from both windows, or says that one of them is full. */
  take(accountId: string, plan: Plan): Promise<QuotaState>
  /**
   * Gives one back: a request that ended in our own failure does not count. `taken` is what its take answered: only the
   * windows it was taken from get it back. Without it, those of this moment do.
   */
  refund(accountId: string, plan: Plan, taken?: QuotaState): void
  /** The windows without taking. */
  peek(accountId: string, plan: Plan): Promise<QuotaState>
  close(): Promise<void>
}
