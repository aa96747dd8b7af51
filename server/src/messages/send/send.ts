import { findOutcome, type Outcome, type Repeatable, repeatWaitMs, stillRunning } from '../../access/idempotency.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type AnswerOf, dispatchMessage, RepeatInParallel, type Sent } from './dispatch-message.ts'
import type { Draft, Sender } from './draft.ts'

export type SendOutcome = { data: unknown; replayed: boolean }

/** Drafts, sends and answers; a repeat of an earlier request gets the answer of the first. */
export async function send(
  rt: Runtime,
  sender: Sender,
  repeatable: Repeatable | null,
  draftOf: (sender: Sender) => Promise<Draft>,
  answerOf: AnswerOf,
): Promise<SendOutcome> {
  const first = async (): Promise<SendOutcome> => {
    const draft = await rt.tracer.span('validate', {}, () => draftOf(sender))
    const sent: Sent = await dispatchMessage(rt, { sender, draft, repeatable, answerOf })
    return { data: answerOf(sent), replayed: false }
  }
  if (!repeatable) return first()
  try {
    return await oneAtATime(rt, repeatable, first)
  } catch (error) {
    if (!(error instanceof RepeatInParallel)) throw error
    const outcome = await findOutcome(rt, repeatable)
    if (!outcome)
      throw new AppError('idempotency_in_progress', 'The first request with this key has just ended.', {
        retryAfterSeconds: 2,
      })
    return { data: answerFrom(outcome), replayed: true }
  }
}

const running = new WeakMap<Runtime['store'], Map<string, Promise<unknown>>>()

/**
 * Repeats that reach this process while the first still runs wait for it, as long as others wait for the key in the
 * database. That key alone would let them take their place in the pace of the customer before they learn that they are
 * repeats.
 */
async function oneAtATime(
  rt: Runtime,
  repeatable: Repeatable,
  first: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const ours = running.get(rt.store) ?? new Map<string, Promise<unknown>>()
  running.set(rt.store, ours)
  const name = `${repeatable.accountId} ${repeatable.endpoint} ${repeatable.key}`
  const endsMs = performance.now() + repeatWaitMs
  for (let other = ours.get(name); other; other = ours.get(name)) {
    if (!(await endsWithin(other, endsMs - performance.now()))) throw stillRunning(rt)
    const outcome = await findOutcome(rt, repeatable, endsMs - performance.now())
    if (outcome) return { data: answerFrom(outcome), replayed: true }
  }
  const sending = first()
  ours.set(name, sending)
  try {
    return await sending
  } finally {
    ours.delete(name)
  }
}

async function endsWithin(work: Promise<unknown>, waitMaxMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, waitMaxMs, false)
  })
  const ended = work.then(
    () => true,
    () => true,
  )
  return Promise.race([ended, late]).finally(() => clearTimeout(timer))
}

/** The stored answer, or the stored refusal thrown again. */
export function answerFrom(outcome: Outcome): unknown {
  if (outcome.kind === 'answer') return outcome.data
  throw new AppError(outcome.code, outcome.message, { ...outcome.extras, headers: { 'idempotent-replayed': 'true' } })
}
