import {
  addClaim,
  addOutcome,
  addRelease,
  finishKey,
  type IdempotencyKey,
  leaseMs,
  type Outcome,
  releaseKey,
} from '../../access/idempotency.ts'
import { requireTimeToCall, type SendDeadline, sendDeadline } from '../../access/send-deadline.ts'
import { type AuditEntry, writeChange } from '../../audit/audit.ts'
import { noteTokenRefused } from '../../channels/note-token-refused.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Release } from '../../lib/async/concurrency-limiter.ts'
import { waitUntil } from '../../lib/async/wait-until.ts'
import { countryOf } from '../../lib/phone.ts'
import type { SendReceipt } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed, StoreUnavailable } from '../../store/engine/store-error.ts'
import type { Unit, UnitResult } from '../../store/engine/unit.ts'
import { readContact } from '../../store/messages/conversations.ts'
import { nameFile } from '../../store/messages/message-files.ts'
import { blankMessage, findMessagesById, insertMessage, type MessageRow } from '../../store/messages/messages.ts'
import { checkTemplateSoon } from '../../templates/find-template.ts'
import { ownStep } from '../message-record.ts'
import { enterBulkhead } from '../rate-limits/bulkhead.ts'
import { type CallLimits, callWithinRate } from '../rate-limits/call-within-rate.ts'
import type { Draft, Sender, TemplateRequest } from './draft.ts'
import { explainRefusal, failureOfRefusal, outcomeUnknown, repeatHelps, reportedRefusal } from './explain-refusal.ts'
import { recordFailed, recordInTime, recordSent, recordUnknown } from './record-outcome.ts'
import { type Queued, revertSend } from './revert-send.ts'

export type Sent = { row: MessageRow; timestamp: number }

/** What a send answers, built from the stored message; kept with the idempotency key in the same unit. */
export type AnswerOf = (sent: Sent) => unknown

export type Dispatch = { sender: Sender; draft: Draft; idempotencyKey: IdempotencyKey | null; answerOf: AnswerOf }

/**
 * One message, once. The row is on disk before the platform is called; nothing but this call ever asks the platform to
 * send it. After the call there are three ends: accepted, refused, or an answer that is missing. The third is never
 * repeated; a later status settles it through the row's id, which the platform echoes.
 */
export async function dispatchMessage(rt: Runtime, dispatch: Dispatch): Promise<Sent> {
  const { draft, sender, idempotencyKey } = dispatch
  const { number, address } = draft
  const rate = { numberId: number.id, sendsPerSecond: number.sendsPerSecond, customer: address.value }
  const deadline = sender.deadline ?? sendDeadline(rt)
  requireTimeToCall(deadline)
  const waitMaxMs = deadline.rateWaitMs()
  const limits = { rate, deadline, endsMs: performance.now() + waitMaxMs }
  await rt.sendRate.wait(rate, waitMaxMs)
  const release = await enterBulkhead(rt, number, limits.endsMs - performance.now())
  try {
    const row = queuedRow(rt, sender, draft)
    const line = sentByHand(sender, row)
    const queued = { row, draft, idempotencyKey }
    const write = () =>
      writeChange(rt, line, (unit) => {
        addFirstWrite(rt, unit, queued)
        // A customer's message that is answered has been read.
        if (sender.author) unit.add(readContact, { account_id: row.account_id, address: address.value })
      })
    await storeFirst(rt, queued, deadline, write)
    return await callAndRecord(rt, dispatch, { row, limits, release })
  } finally {
    release()
  }
}

/** What is on disk before the platform is called. */
export function addFirstWrite(rt: Runtime, unit: Unit, { row, draft, idempotencyKey }: Queued): void {
  if (idempotencyKey) addClaim(rt, unit, idempotencyKey, row.id)
  unit.add(insertMessage, row)
  for (const media_id of draft.files ?? []) unit.add(nameFile, { media_id, message_id: row.id })
}

/** The concurrency limit of the number is released with the platform's response, before the result is stored. */
export async function callAndRecord(
  rt: Runtime,
  dispatch: Dispatch,
  { row, limits, release }: { row: MessageRow; limits: CallLimits; release: Release },
): Promise<Sent> {
  const { draft } = dispatch
  const startedAt = performance.now()
  try {
    const receipt = await callWithinRate(rt, row, draft, limits).finally(release)
    rt.metrics.messageSendDuration.observe({ type: draft.type }, (performance.now() - startedAt) / 1_000)
    return await accepted(rt, dispatch, { row, receipt, deadline: limits.deadline })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw afterTheCall(rt, row, error)
    if (error.outcome === 'unknown') return await settled(rt, dispatch, row, limits.deadline)
    const refusal = { row, failure: error, deadline: limits.deadline }
    if (draft.fallback && error.code === 'customer_window_closed') throw new FallbackNeeded(draft.fallback, refusal)
    throw await refused(rt, dispatch, refusal)
  }
}

/** The platform refused a text because the window is closed. Nothing is recorded yet: the message has a fallback. */
export class FallbackNeeded extends Error {
  readonly request: TemplateRequest
  readonly refusal: Refused

  constructor(request: TemplateRequest, refusal: Refused) {
    super('The fallback is to be sent.')
    this.request = request
    this.refusal = refusal
  }
}

/** A repeat that came at the same moment as the first takes the outcome of the first. */
export class RepeatInParallel extends Error {}

/** Takes the message back where it will not be sent: its write was lost, or took so long that too little time is left. */
export async function storeFirst(
  rt: Runtime,
  queued: Queued,
  deadline: SendDeadline,
  write: () => Promise<UnitResult>,
): Promise<UnitResult> {
  try {
    const stored = await write()
    requireTimeToCall(deadline)
    return stored
  } catch (error) {
    if (error instanceof ConditionFailed && error.operation === 'idempotency.claim') throw new RepeatInParallel()
    const isTooLate = error instanceof AppError
    if (isTooLate || (error instanceof StoreUnavailable && error.outcome === 'unknown')) void revertSend(rt, queued)
    throw error
  }
}

/** What a key sends is told by the message itself; what a person sends is written down with the person. */
function sentByHand({ accountId, author }: Sender, { id, type }: MessageRow): AuditEntry | null {
  const targets = [{ type: 'message', id, name: type }]
  return author ? { ...author, accountId, action: 'message.sent_by_hand', targets } : null
}

type Accepted = { row: MessageRow; receipt: SendReceipt; deadline: SendDeadline }

async function accepted(rt: Runtime, dispatch: Dispatch, { row, receipt, deadline }: Accepted): Promise<Sent> {
  const now = rt.clock.now()
  const { idempotencyKey, answerOf, draft } = dispatch
  try {
    const record = () =>
      recordSent(rt, { row, draft, receipt, now }, (unit, next) => {
        if (!idempotencyKey) return
        addOutcome(unit, idempotencyKey, row.id, toAnswer(answerOf({ row: next, timestamp: next.sent_at ?? now })))
      })
    const stored = await recordInTime(deadline, record)
    return { row: stored, timestamp: stored.sent_at ?? now }
  } catch (error) {
    throw afterTheCall(rt, row, error)
  }
}

/** Nothing but "unknown" may be said once the platform was called and the result could not be recorded. */
function afterTheCall(rt: Runtime, row: MessageRow, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  rt.log.error({ err: cause, message_id: row.id, account_id: row.account_id }, 'message.outcome_not_recorded')
  return outcomeUnknown(row.id, cause)
}

export type Refused = { row: MessageRow; failure: PlatformError; deadline: SendDeadline }

/** Records the refusal, and gives what the caller is told: another error than the refusal itself where there is one. */
export async function refused(
  rt: Runtime,
  dispatch: Dispatch,
  { row, failure, deadline }: Refused,
  error = explainRefusal(failure, row),
): Promise<AppError> {
  const { idempotencyKey, draft } = dispatch
  if (failure.tokenRefused) await markTokenRefused(rt, draft)
  const { template: name, language } = row
  if (failure.code === 'template_not_found' && name && language) checkTemplateSoon(rt, draft.number, { name, language })
  try {
    const record = () =>
      recordFailed(rt, { row, draft, error: failureOfRefusal(failure) }, (unit) => {
        // A retry after an outage must really retry, so what never reached the platform keeps no key.
        if (idempotencyKey && repeatHelps(error)) addRelease(unit, idempotencyKey, row.id)
        else if (idempotencyKey) addOutcome(unit, idempotencyKey, row.id, toRefusal(error))
      })
    await recordInTime(deadline, record)
    return error
  } catch (cause) {
    return afterTheCall(rt, row, cause)
  }
}

/** A mark for people to see; whether it can be set changes nothing about the refusal. */
async function markTokenRefused(rt: Runtime, { number }: Draft): Promise<void> {
  await noteTokenRefused(rt, number.channelId, number.channelRevision).catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: number.channelId }, 'channel.token_refusal_not_noted'),
  )
}

/** The answer is lost. A status with our id often comes within seconds: wait for it a little before saying so. */
async function settled(rt: Runtime, dispatch: Dispatch, row: MessageRow, deadline: SendDeadline): Promise<Sent> {
  const { idempotencyKey, answerOf } = dispatch
  try {
    const record = () =>
      recordUnknown(rt, row, (unit) => {
        if (idempotencyKey) addOutcome(unit, idempotencyKey, row.id, toRefusal(outcomeUnknown(row.id)))
      })
    await recordInTime(deadline, record)
    const signal = (listener: () => void) => rt.store.onCommit('messages', listener)
    const waitMaxMs = Math.min(rt.config.sendSettleWaitMs, deadline.lostWaitMs())
    const reported = await waitUntil(signal, () => findReported(rt, row.id), waitMaxMs)
    if (!reported) throw outcomeUnknown(row.id)
    const sent = { row: reported, timestamp: reported.sent_at ?? rt.clock.now() }
    const refusal = reported.status === 'failed' ? reportedRefusal(reported) : null
    if (idempotencyKey && refusal && repeatHelps(refusal)) await releaseKey(rt, idempotencyKey, row.id)
    else if (idempotencyKey)
      await finishKey(rt, idempotencyKey, row.id, refusal ? toRefusal(refusal) : toAnswer(answerOf(sent)))
    if (refusal) throw refusal
    return sent
  } catch (error) {
    throw afterTheCall(rt, row, error)
  }
}

/** The message, once it's no longer queued. */
export async function findReported(rt: Runtime, id: string): Promise<MessageRow | null> {
  const [row] = await rt.store.read(findMessagesById, { ids: [id] })
  return row && row.status !== 'queued' ? row : null
}

export function queuedRow(rt: Runtime, sender: Sender, draft: Draft): MessageRow {
  const now = rt.clock.now()
  return {
    ...blankMessage,
    id: rt.newId('out'),
    account_id: sender.accountId,
    number_id: draft.number.id,
    direction: 'outbound',
    type: draft.type,
    status: 'queued',
    phone: draft.address.kind === 'phone' ? draft.address.value : null,
    user_id: draft.address.kind === 'user' ? draft.address.value : null,
    template: draft.template?.name ?? null,
    language: draft.template?.language ?? null,
    category: draft.template?.category ?? null,
    country: countryOf(draft.address.value),
    api_key_id: sender.keyId,
    sent_by: sender.author?.actor.id ?? null,
    client_reference: draft.clientReference,
    reply_to: draft.replyTo,
    used: draft.used,
    content: JSON.stringify(draft.content),
    history: `[${ownStep('queued', now)}]`,
    created_at: now,
    settle_by: now + leaseMs(rt),
  }
}

export function toAnswer(data: unknown): Outcome {
  return { kind: 'answer', status: 200, data }
}

export function toRefusal({ code, message, extras }: AppError): Outcome {
  const { cause: _, ...rest } = extras
  return { kind: 'refusal', code, message, extras: rest }
}
