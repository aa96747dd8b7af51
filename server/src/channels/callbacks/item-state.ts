import type { CallbackItem } from '../../platform/callback-item.ts'
import type { CallbackItemRow } from '../../store/channels/callback-items.ts'
import type { DispatchOutcome } from './dispatch-items.ts'

const retryMs = { first: 1_000, max: 60_000 }

/** What is written down about an item: done, coming again, or given up with a reason. */
export function settle(
  item: CallbackItem,
  outcome: DispatchOutcome | 'no_place',
  { attempts, now, expiresAt }: { attempts: number; now: number; expiresAt: number },
): Pick<CallbackItemRow, 'state' | 'reason' | 'due_at'> {
  if (isDone(outcome)) return { state: 'applied', reason: null, due_at: now }
  if (outcome === 'ask') return { state: 'waiting', reason: outcome, due_at: now }
  const comesAgain = outcome === 'unmatched' || outcome === 'failed'
  if (comesAgain && now < expiresAt) {
    return { state: 'waiting', reason: outcome, due_at: now + Math.min(retryMs.first * 2 ** attempts, retryMs.max) }
  }
  return { state: 'unhandled', reason: item.kind === 'unhandled' ? item.reason : outcome, due_at: now }
}

export function isDone(outcome: DispatchOutcome | 'no_place' | undefined): boolean {
  return outcome === 'applied' || outcome === 'erased'
}

/** Events are few, and kept whatever became of them; messages and statuses only while they have no place. */
export function isRecorded({ kind }: CallbackItem): boolean {
  return kind !== 'message' && kind !== 'status'
}
