import { leaseMs } from '../../access/idempotency.ts'
import { mayStillSend } from '../../access/keys/api-key.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { addRelease, addReservations, isOverBudget, overBudget } from '../../budgets/hold.ts'
import { recallTerms } from '../../budgets/terms.ts'
import { AppError } from '../../contract/app-error.ts'
import { errorTable } from '../../contract/errors.ts'
import type { Release } from '../../limits/concurrency.ts'
import type { SendRate } from '../../limits/send-limits.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { findBroadcastState, requireRunning } from '../../store/broadcasts/results.ts'
import { keepReserved } from '../../store/costs/budgets.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import { nameFile } from '../../store/messages/message-list.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import {
  insertWaiting,
  markWaiting,
  postponeWaiting,
  startWaiting,
  takeWaiting,
  type WaitingRow,
  waitAgain,
} from '../../store/messages/waiting.ts'
import { customerInRates } from '../customers/recipient.ts'
import { isErased, type MessageFailure, ownStep } from '../message-record.ts'
import { fallbackText, readRequest } from '../send/accept-waiting.ts'
import { callWithinRate } from '../send/call-within-rate.ts'
import { noteRefusal } from '../send/dispatch-message.ts'
import type { Draft, Sender } from '../send/draft.ts'
import { failureOfRefusal } from '../send/explain-refusal.ts'
import { recordFailed, recordInTime, recordSent, recordUnknown, withStep } from '../send/record-outcome.ts'
import { draftMessage } from '../send/send-request.ts'
import { cancelOne, failWaiting } from './end-waiting.ts'
import { type Wait, waitAfter, waitBefore } from './retry-send.ts'

/** Calls the platform for a message that is under way, and records what became of it. */
export type Call = (release: Release) => Promise<void>

/**
 * One message whose time has come: checked again in full, and started in one unit. Null where it is not to be called for:
 * it waits for something else, has failed, or another process was faster.
 */
export async function prepareDue(rt: Runtime, waiting: WaitingRow): Promise<Call | null> {
  try {
    return await checkAndStart(rt, waiting)
  } catch (error) {
    if (error instanceof ConditionFailed) return null
    throw error
  }
}

async function checkAndStart(rt: Runtime, waiting: WaitingRow): Promise<Call | null> {
  const [message] = await rt.store.read(findMessagesById, { ids: [waiting.message_id] })
  if (message?.status !== 'waiting') {
    await rt.store.write(unitOf(takeWaiting, { message_id: waiting.message_id }))
    return null
  }
  if (isErased(message)) {
    await cancelOne(rt, message)
    return null
  }
  if (waiting.expires_at < rt.clock.now()) return expireWaiting(rt, message)
  if (!(await mayStillSend(rt, waiting))) return postpone(rt, waiting, message, { forMs: 0, reason: 'person' })
  if (!(await mayLeave(rt, waiting, message))) return null
  const deadline = sendDeadline(rt)
  const sender: Sender = { accountId: waiting.account_id, phoneNumberIds: null, keyId: waiting.key_id, deadline }
  const { request, instead } = readRequest(waiting.request)
  let draft: Draft
  try {
    draft = await draftMessage(rt, sender, request)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const wait = waitBefore(error.code, waiting.attempts + 1)
    if (wait) return postpone(rt, { ...waiting, attempts: waiting.attempts + 1 }, message, wait)
    await failWaiting(rt, message, failureOf(error))
    return null
  }
  if (instead) draft = { ...draft, used: 'template' }
  const { id: numberId, sendsPerSecond } = draft.number
  const rate = { numberId, sendsPerSecond, customer: customerInRates(rt, waiting.account_id, draft.address.value) }
  const customerMs = await rt.sendRate.takeCustomer(rate)
  if (customerMs > 0) return postpone(rt, waiting, message, { forMs: customerMs, reason: 'rate' })
  let row: MessageRow
  try {
    row = await start(rt, waiting, message, draft)
  } catch (error) {
    if (!isOverBudget(error)) throw error
    await overBudget(rt, waiting.account_id, [message])
    return postpone(rt, waiting, message, { forMs: budgetMs, reason: 'budget' })
  }
  return (release) => callAndRecord(rt, { waiting, row, draft, rate, release })
}

/** A message of a broadcast waits for as long as its broadcast is paused, and ends with it. */
async function mayLeave(rt: Runtime, waiting: WaitingRow, message: MessageRow): Promise<boolean> {
  if (message.broadcast_id === null) return true
  const [broadcast] = await rt.store.read(findBroadcastState, { id: message.broadcast_id })
  if (broadcast?.status === 'running') return true
  if (broadcast?.status === 'paused') await postpone(rt, waiting, message, { forMs: pausedMs, reason: 'broadcast' })
  else await cancelOne(rt, message)
  return false
}

/** Says why and until when; `person` is until a person releases it. */
async function postpone(rt: Runtime, waiting: WaitingRow, message: MessageRow, { forMs, reason }: Wait): Promise<null> {
  const due_at = rt.clock.now() + Math.ceil(forMs)
  const held = reason === 'person' ? 1 : 0
  const { message_id, attempts } = waiting
  const unit = new Unit()
  unit.add(postponeWaiting, { message_id, due_at, held, attempts })
  unit.add(markWaiting, { ...message, attempts, next_attempt_at: due_at, waiting_for: reason })
  await rt.store.write(unit)
  return null
}

const putOffMs = 60_000
/** Its period may end, or its limit be raised. */
const budgetMs = 60_000
/** A broadcast that was resumed is noticed after this long. */
const pausedMs = 5_000

/** Messages that failed because of the gateway are retried after the others. */
export async function putOff(rt: Runtime, waiting: WaitingRow): Promise<void> {
  const { message_id, attempts } = waiting
  await rt.store.write(unitOf(postponeWaiting, { message_id, due_at: rt.clock.now() + putOffMs, held: 0, attempts }))
}

/** The one unit before the call. */
async function start(rt: Runtime, waiting: WaitingRow, message: MessageRow, draft: Draft): Promise<MessageRow> {
  const now = rt.clock.now()
  const next: MessageRow = {
    ...message,
    status: 'queued',
    type: draft.type,
    template: draft.template?.name ?? null,
    language: draft.template?.language ?? null,
    category: draft.template?.category ?? draft.direct?.category ?? null,
    reply_to: draft.replyTo,
    used: draft.used,
    content: JSON.stringify(draft.content),
    attempts: waiting.attempts + 1,
    history: withStep(message, ownStep('queued', now)),
    settle_by: now + leaseMs(rt),
    next_attempt_at: null,
    waiting_for: null,
  }
  const terms = await recallTerms(rt, draft.number)
  const unit = new Unit()
  const [reserved = next] = addReservations(unit, terms, [next], now)
  if (reserved.reserved !== null) unit.add(keepReserved, reserved)
  unit.add(takeWaiting, { message_id: message.id })
  if (message.broadcast_id !== null) unit.add(requireRunning, { id: message.broadcast_id })
  unit.add(startWaiting, next)
  for (const media_id of draft.files ?? []) unit.add(nameFile, { media_id, message_id: message.id })
  await rt.store.write(unit)
  return { ...reserved, revision: message.revision + 1 }
}

type Started = {
  waiting: WaitingRow
  row: MessageRow
  draft: Draft
  rate: SendRate
  release: Release
  /** Told what the platform said; null is a message that it took. */
  told?: (failure: PlatformError | null) => void
}

/** Calls the platform for a message that is under way. What was certainly not sent waits again. */
export async function callAndRecord(rt: Runtime, started: Started): Promise<void> {
  const { row, draft, rate, release } = started
  const deadline = sendDeadline(rt)
  // A throttle is waited for here, not within the call.
  const limits = { rate, deadline, endsMs: performance.now() }
  const startedAt = performance.now()
  try {
    const receipt = await callWithinRate(rt, row, draft, limits).finally(release)
    rt.metrics.messageSendDuration.observe({ type: draft.type }, (performance.now() - startedAt) / 1_000)
    const now = rt.clock.now()
    await recordInTime(deadline, () => recordSent(rt, { row, draft, receipt, now }, () => {}))
    started.told?.(null)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    started.told?.(error)
    await recordInTime(deadline, () => recordRefusal(rt, started, error))
  }
}

async function recordRefusal(rt: Runtime, started: Started, failure: PlatformError): Promise<void> {
  const { waiting, row, draft, rate } = started
  if (failure.outcome === 'unknown') return recordUnknown(rt, row, () => {})
  if (failure.numberTooFast) rt.sendRate.slowDown(rate)
  await noteRefusal(rt, draft, row, failure)
  const fallback = failure.code === 'customer_window_closed' ? draft.fallback : undefined
  const instead = fallback ? { request: fallbackText(fallback, row.number_id) } : {}
  const wait = fallback ? { forMs: 0, reason: 'rate' as const } : waitAfter(failure, row.attempts)
  if (wait) return putBack(rt, { ...waiting, ...instead, attempts: row.attempts }, row, wait)
  await recordFailed(rt, { row, draft, error: failureOfRefusal(failure) }, () => {})
}

/** Certainly not sent: it waits again. A status that came meanwhile says otherwise, and wins. */
async function putBack(rt: Runtime, waiting: WaitingRow, row: MessageRow, { forMs, reason }: Wait): Promise<void> {
  const now = rt.clock.now()
  const due_at = now + Math.ceil(forMs)
  const unit = new Unit()
  addRelease(unit, row)
  unit.add(waitAgain, {
    ...row,
    next_attempt_at: due_at,
    waiting_for: reason,
    history: withStep(row, ownStep('waiting', now)),
  })
  unit.add(insertWaiting, { ...waiting, due_at, held: 0 })
  await rt.store.write(unit)
}

export async function expireWaiting(rt: Runtime, message: MessageRow): Promise<null> {
  await failWaiting(rt, message, {
    code: 'message_expired',
    message: errorTable.message_expired.title,
    retryable: errorTable.message_expired.retryable,
    upstream: null,
  })
  return null
}

function failureOf({ code, message, extras }: AppError): MessageFailure {
  return { code, message, retryable: errorTable[code].retryable, upstream: extras.upstream ?? null }
}
