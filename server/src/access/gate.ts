import type { Plan } from '../contract/plans.ts'
import type { QuotaState } from './quota.ts'

/** What a send takes from its plan with its first write; without quotas the plan has no limits. */
export type QuotaToTake = { hour_quota: number; hour_start: number; day_quota: number; day_start: number }
/** The windows after a first write that took one request from them; null where none was taken. */
export type QuotaTaken = { hour_start: number | null; hour_used: number | null; day_used: number | null }

/** One request of a plan that is taken together with a first write. */
export type Taking = {
  /** What the write takes; null where the plan has no limits, or the request was counted in this process. */
  readonly quota: QuotaToTake | null
  /** To be called when the write is on disk. */
  passed(taken: QuotaTaken): QuotaState
  /** To be called when nothing was written. */
  undo(): void
}

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
  /** False while the plan is known to be used up: a first write that takes from it would only fail. */
  hasRoom(accountId: string, plan: Plan): boolean
  /** Takes one with the first write of a send, see messages/send/grant-send.ts. Null when the plan has no room after all. */
  begin(accountId: string, plan: Plan): Taking | null
  close(): Promise<void>
}
