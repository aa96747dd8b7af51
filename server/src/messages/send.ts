import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { type AnswerOf, dispatchMessage, RepeatInParallel, type Sent } from './dispatch-message.ts'
import type { Draft, Sender } from './draft.ts'
import { findOutcome, type Outcome, type Repeatable } from './idempotency.ts'

export type SendOutcome = { data: unknown; replayed: boolean }

/** Drafts, sends and answers; a repeat of an earlier request gets the answer of the first. */
export async function send(
  rt: Runtime,
  sender: Sender,
  repeatable: Repeatable | null,
  draftOf: (sender: Sender) => Promise<Draft>,
  answerOf: AnswerOf,
): Promise<SendOutcome> {
  try {
    const draft = await draftOf(sender)
    const sent: Sent = await dispatchMessage(rt, { sender, draft, repeatable, answerOf })
    return { data: answerOf(sent), replayed: false }
  } catch (error) {
    if (!(error instanceof RepeatInParallel) || !repeatable) throw error
    const outcome = await findOutcome(rt, repeatable)
    if (!outcome)
      throw new AppError('idempotency_in_progress', 'The first request with this key has just ended.', {
        retryAfterSeconds: 2,
      })
    return { data: answerFrom(outcome), replayed: true }
  }
}

/** The stored answer, or the stored refusal thrown again. */
export function answerFrom(outcome: Outcome): unknown {
  if (outcome.kind === 'answer') return outcome.data
  throw new AppError(outcome.code, outcome.message, { ...outcome.extras, headers: { 'idempotent-replayed': 'true' } })
}
