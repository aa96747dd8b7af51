import type { Caller } from './caller.ts'
import type { QuotaTaken, QuotaToTake } from './gate.ts'

/**
 * A request whose key and quota may be decided by its first write instead of before it. `open`: neither is decided yet.
 * What it relies on meanwhile is as this process remembers it, so nothing may be refused or read on the strength of it.
 */
export type Admission = {
  readonly state: 'open' | 'settled' | 'passed'
  /** The epoch of the caller's key that the write must find. */
  readonly epoch: number
  /** Takes one request of the plan with the write; null when the plan has no room after all. */
  take(): { quota: QuotaToTake | null; undo(): void } | null
  /** Decides on fresh reads, as for every other request; throws what refuses it. Does nothing the second time. */
  settle(): Promise<Caller>
  /** The write is on disk, and with it the request is counted. */
  pass(taken: QuotaTaken): void
}
