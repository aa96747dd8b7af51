import type { Admission } from '../../access/admission.ts'
import { type IdempotencyKey, type Outcome, stillRunning } from '../../access/idempotency.ts'
import type { SendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import { timedOut, withTimeout } from '../../lib/async/with-timeout.ts'
import type { Runtime } from '../../runtime.ts'
import { type Dispatch, dispatchMessage, FallbackNeeded, RepeatInParallel, type Sent } from './dispatch-message.ts'
import type { Sender } from './draft.ts'
import { findEarlier } from './find-earlier.ts'
import { sendAtOnce } from './send-at-once.ts'
import { sendFallback } from './send-fallback.ts'
import { answerOf, draftMessage, type SendRequest } from './send-request.ts'

export type SendOutcome = { data: unknown; replayed: boolean }

export type Send = {
  sender: Sender
  request: SendRequest
  idempotencyKey: IdempotencyKey | null
  deadline: SendDeadline
  /** Set where the request may still be decided by its first write. */
  admission?: Admission | null
}

/** Drafts, sends and answers; a repeat of an earlier request gets the answer of the first. */
export async function send(
  rt: Runtime,
  { request, idempotencyKey, admission = null, ...from }: Send,
): Promise<SendOutcome> {
  const { deadline } = from
  const sender = { ...from.sender, deadline }
  const toData = answerOf(request.kind)
  const first = async (): Promise<SendOutcome> => {
    const dispatch = { sender, idempotencyKey, answerOf: toData }
    const sent = admission && (await sendAtOnce(rt, { ...dispatch, request, admission }))
    // The write that was to find a repeat has not come to it.
    const earlier = sent || admission?.state !== 'open' ? null : await replay()
    return earlier ?? { data: toData(sent ?? (await theLongWay(dispatch))), replayed: false }
  }
  const theLongWay = async (dispatch: Omit<Dispatch, 'draft'>): Promise<Sent> => {
    const caller = admission ? { ...sender, ...(await admission.settle()) } : sender
    const draft = await rt.tracer.span('validate', {}, () => draftMessage(rt, caller, request))
    const whole = { ...dispatch, sender: caller, draft }
    return dispatchMessage(rt, whole).catch((error: unknown) => {
      if (error instanceof FallbackNeeded) return sendFallback(rt, whole, error)
      throw error
    })
  }
  const replay = async (): Promise<SendOutcome | null> => {
    if (!idempotencyKey) return null
    const outcome = await findEarlier(rt, idempotencyKey, deadline.answerWaitMs(), admission)
    return outcome && { data: answerFrom(outcome), replayed: true }
  }
  if (!idempotencyKey) return first()
  try {
    return await oneAtATime(rt, idempotencyKey, { deadline, first, replay })
  } catch (error) {
    if (!(error instanceof RepeatInParallel)) throw error
    rt.throttles.repeatsInWrites.take(sender.accountId, rt.clock.now())
    const earlier = await replay()
    if (earlier) return earlier
    throw new AppError('idempotency_in_progress', 'The first request with this key has just ended.', {
      retryAfterSeconds: 2,
    })
  }
}

type OneAtATime = {
  deadline: SendDeadline
  first: () => Promise<SendOutcome>
  replay: () => Promise<SendOutcome | null>
}

/**
 * Repeats that reach this process while the first still runs wait for it, as long as others wait for the key in the
 * database. With that key alone they would count against the customer's rate limit before they are known as repeats.
 */
async function oneAtATime(
  rt: Runtime,
  idempotencyKey: IdempotencyKey,
  { deadline, first, replay }: OneAtATime,
): Promise<SendOutcome> {
  const { singleflight } = rt
  const name = `send ${idempotencyKey.accountId} ${idempotencyKey.endpoint} ${idempotencyKey.key}`
  for (let other = singleflight.running(name); other; other = singleflight.running(name)) {
    const ended = other.catch(() => {})
    if ((await withTimeout(ended, deadline.answerWaitMs())) === timedOut) throw stillRunning(rt)
    const earlier = await replay()
    if (earlier) return earlier
  }
  return singleflight.run(name, first)
}

/** The stored answer, or the stored refusal thrown again. */
export function answerFrom(outcome: Outcome): unknown {
  if (outcome.kind === 'answer') return outcome.data
  throw new AppError(outcome.code, outcome.message, { ...outcome.extras, headers: { 'idempotent-replayed': 'true' } })
}
