import type { Admission } from '../../access/caller.ts'
import {
  findAdmittedOutcome,
  type IdempotencyKey,
  type Outcome,
  releaseKey,
  stillRunning,
} from '../../access/idempotency.ts'
import type { SendDeadline } from '../../access/send-deadline.ts'
import { recallNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { timedOut, withTimeout } from '../../lib/async/with-timeout.ts'
import type { Runtime } from '../../runtime.ts'
import { isGivenUp } from '../message-record.ts'
import { acceptWaiting, mayWait } from './accept-waiting.ts'
import { type Dispatch, dispatchMessage, findReported, type Sent, toAnswer, toRefusal } from './dispatch-message.ts'
import { type Draft, NeedsReads, type Sender, wantedNumber } from './draft.ts'
import { repeatHelps, reportedRefusal } from './explain-refusal.ts'
import { RepeatInParallel } from './grant-send.ts'
import { answerOf, draftMessage, kindOf, type SendRequest } from './send-request.ts'

export type SendOutcome = { data: unknown; replayed: boolean }

type Send = {
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
  const sending = { sender, request, idempotencyKey, answerOf: toData }
  const first = async (): Promise<SendOutcome> => {
    if (mayWait(request.body)) {
      const settled = { ...sender, ...(await admission?.settle()) }
      const earlier = await replay()
      return earlier ?? { data: toData(await acceptWaiting(rt, { ...sending, sender: settled })), replayed: false }
    }
    const sent = admission && (await sendFromMemory(rt, sending, admission))
    // The grant that was to find a repeat has not come to it.
    const earlier = sent || admission?.state !== 'open' ? null : await replay()
    return earlier ?? { data: toData(sent ?? (await sendFromReads(rt, sending, admission))), replayed: false }
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

type Sending = Omit<Dispatch, 'draft'> & { request: SendRequest }

/** Reads nothing that the grant can check; null where the send has to start from reads. */
async function sendFromMemory(
  rt: Runtime,
  { request, ...sending }: Sending,
  admission: Admission,
): Promise<Sent | null> {
  const { sender } = sending
  const recalled = recallNumber(rt, sender.accountId, wantedNumber(request.body, sender))
  if (!recalled) return null
  try {
    const draft = await validated(rt, { ...sender, recalled: recalled.number }, request).catch(notYet)
    return await dispatchMessage(rt, { ...sending, draft, relied: { numbers: recalled.text, admission } })
  } catch (error) {
    if (error instanceof NeedsReads) return null
    throw error
  }
}

/** A rejection on the strength of what is remembered is none yet. */
function notYet(error: unknown): never {
  throw error instanceof AppError ? new NeedsReads() : error
}

/** Explains why a send is rejected, or sends it: key and quota first, then everything else on fresh reads. */
async function sendFromReads(
  rt: Runtime,
  { request, ...sending }: Sending,
  admission: Admission | null,
): Promise<Sent> {
  const sender = { ...sending.sender, ...(await admission?.settle()) }
  return dispatchMessage(rt, { ...sending, sender, draft: await validated(rt, sender, request) })
}

function validated(rt: Runtime, sender: Sender, request: SendRequest): Promise<Draft> {
  return rt.tracer.span('validate', {}, () => draftMessage(rt, sender, request))
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
