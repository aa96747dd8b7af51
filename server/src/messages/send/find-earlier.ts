import type { Admission } from '../../access/caller.ts'
import { findAdmittedOutcome, type IdempotencyKey, type Outcome, releaseKey } from '../../access/idempotency.ts'
import type { Runtime } from '../../runtime.ts'
import { isGivenUp } from '../message-record.ts'
import { findReported, toAnswer, toRefusal } from './dispatch-message.ts'
import { repeatHelps, reportedRefusal } from './explain-refusal.ts'
import { answerOf, kindOf } from './send-request.ts'

/**
 * The outcome of an earlier request with this key; null when there was none. An unknown outcome that has been settled since
 * gives way to what became of the message.
 */
export async function findEarlier(
  rt: Runtime,
  key: IdempotencyKey,
  waitMaxMs: number,
  admission: Admission | null,
): Promise<Outcome | null> {
  const outcome = await findAdmittedOutcome(rt, key, waitMaxMs, admission)
  if (outcome?.kind !== 'refusal' || outcome.code !== 'send_outcome_unknown') return outcome
  const { messageId } = outcome.extras
  const row = messageId === undefined ? null : await findReported(rt, messageId)
  if (!row || isGivenUp(row)) return outcome
  if (row.status !== 'failed') {
    return toAnswer(answerOf(kindOf(key.endpoint))({ row, timestamp: row.sent_at ?? rt.clock.now() }))
  }
  const refusal = reportedRefusal(row)
  // Nothing was delivered, and the caller is told to repeat: the next request with this key really sends.
  if (repeatHelps(refusal)) await releaseKey(rt, key, row.id)
  return toRefusal(refusal)
}
