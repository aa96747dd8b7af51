import { addOutcome, addRelease, finishKey, type Outcome, releaseKey } from '../../access/idempotency.ts'
import type { SendDeadline } from '../../access/send-deadline.ts'
import { noteTokenRefused } from '../../channels/token.ts'
import { AppError } from '../../contract/app-error.ts'
import { relaysOf } from '../../events/publish-event.ts'
import { addEcho } from '../../events/publish-relay.ts'
import { waitUntil } from '../../lib/async/with-timeout.ts'
import type { SendReceipt } from '../../platform/chat-platform.ts'
import type { WireBody } from '../../platform/dialect.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { Unit } from '../../store/engine/unit.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import { checkTemplateSoon } from '../../templates/find-template.ts'
import { customerOf } from '../message-record.ts'
import { noteOwnedElsewhere } from '../threads/thread-owner.ts'
import { callWithinRate } from './call-within-rate.ts'
import type { Draft, TemplateRequest } from './draft.ts'
import { explainRefusal, failureOfRefusal, outcomeUnknown, repeatHelps, reportedRefusal } from './explain-refusal.ts'
import { enterNumber, grantSend, type Room, type Wanted } from './grant-send.ts'
import { recordFailed, recordInTime, recordSent, recordUnknown } from './record-outcome.ts'
import { draftFallback } from './send-template.ts'

/** `answer` is the platform's own, where it came. */
export type Sent = { row: MessageRow; timestamp: number; answer?: WireBody }

/** The response of a send, built from the stored message; stored with the idempotency key in the same unit. */
export type AnswerOf = (sent: Sent) => unknown

export type Dispatch = Wanted & { answerOf: AnswerOf }

/**
 * One message, once: grant, call, record. The row is on disk before the platform is called; nothing but this call ever asks the
 * platform to send it. After the call there are three ends: accepted, refused, or an answer that is missing. The third is never
 * repeated; a later status settles it through the row's id, which the platform echoes.
 */
export async function dispatchMessage(rt: Runtime, dispatch: Dispatch): Promise<Sent> {
  return dispatchFrom(rt, dispatch, await enterNumber(rt, dispatch))
}

async function dispatchFrom(rt: Runtime, dispatch: Dispatch, room: Room): Promise<Sent> {
  try {
    const row = await grantSend(rt, dispatch, room)
    return await callAndRecord(rt, dispatch, row, room)
  } finally {
    room.release()
  }
}

/** The concurrency limit of the number is released with the platform's response, before the result is stored. */
async function callAndRecord(rt: Runtime, dispatch: Dispatch, row: MessageRow, room: Room): Promise<Sent> {
  const { draft } = dispatch
  const { deadline, release } = room
  const startedAt = performance.now()
  const calling = callWithinRate(rt, row, draft, room).finally(release)
  // Meanwhile. Where it cannot be read, the send is recorded all the same.
  const echo = echoOf(rt, draft).catch((): AddEcho => () => {})
  try {
    const receipt = await calling
    rt.metrics.messageSendDuration.observe({ type: draft.type }, (performance.now() - startedAt) / 1_000)
    return await accepted(rt, dispatch, { row, receipt, deadline, addEcho: await echo })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw afterTheCall(rt, row, error)
    if (error.outcome === 'unknown') return await settled(rt, dispatch, row, deadline)
    const refusal = { row, failure: error, deadline }
    if (draft.fallback && error.code === 'customer_window_closed') {
      return sendFallback(rt, dispatch, draft.fallback, refusal)
    }
    throw await refused(rt, dispatch, refusal)
  }
}

/**
 * The platform refused a text because the window is closed, so nothing was sent. The same message, with its id and its
 * idempotency key, becomes its fallback and is sent as that, once. Where that cannot be, the message has failed with the
 * refusal of the text, and the caller is told what was in the way.
 */
async function sendFallback(
  rt: Runtime,
  dispatch: Dispatch,
  request: TemplateRequest,
  refusal: Refused,
): Promise<Sent> {
  const { row, deadline } = refusal
  // Key and quota were decided with the text.
  const { relied: _, ...decided } = dispatch
  const sender = { ...dispatch.sender, deadline }
  const enter = async () => {
    const instead = { ...decided, sender, draft: await draftFallback(rt, sender, request), replaces: row }
    return { instead, room: await enterNumber(rt, instead) }
  }
  const { instead, room } = await enter().catch(async (error: unknown) => {
    if (!(error instanceof AppError)) throw await refused(rt, dispatch, refusal)
    const told = new AppError(error.code, error.message, { ...error.extras, messageId: row.id })
    throw await refused(rt, dispatch, refusal, told)
  })
  return dispatchFrom(rt, instead, room)
}

type Accepted = { row: MessageRow; receipt: SendReceipt; deadline: SendDeadline; addEcho: AddEcho }

async function accepted(rt: Runtime, dispatch: Dispatch, { row, receipt, deadline, addEcho }: Accepted): Promise<Sent> {
  const now = rt.clock.now()
  const { idempotencyKey, answerOf, draft } = dispatch
  try {
    const record = () =>
      recordSent(rt, { row, draft, receipt, now }, (unit, next) => {
        addEcho(unit, next)
        if (!idempotencyKey) return
        addOutcome(
          unit,
          idempotencyKey,
          row.id,
          toAnswer(answerOf({ row: next, timestamp: next.sent_at ?? now, answer: receipt.answer })),
        )
      })
    const stored = await recordInTime(deadline, record)
    return { row: stored, timestamp: stored.sent_at ?? now, answer: receipt.answer }
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

type Refused = { row: MessageRow; failure: PlatformError; deadline: SendDeadline }

/** Records the refusal, and gives what the caller is told: another error than the refusal itself where there is one. */
async function refused(
  rt: Runtime,
  dispatch: Dispatch,
  { row, failure, deadline }: Refused,
  error = explainRefusal(failure, row),
): Promise<AppError> {
  const { idempotencyKey, draft } = dispatch
  await noteRefusal(rt, draft, row, failure)
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

/** Consequences of a rejection beyond this message. */
export async function noteRefusal(rt: Runtime, draft: Draft, row: MessageRow, failure: PlatformError): Promise<void> {
  if (failure.tokenRefused) await markTokenRefused(rt, draft)
  if (failure.code === 'thread_owned_elsewhere') await markOwnedElsewhere(rt, draft, row)
  const { template: name, language } = row
  if (failure.code === 'template_not_found' && name && language) checkTemplateSoon(rt, draft.number, { name, language })
}

/** A mark for people to see; whether it can be set changes nothing about the refusal. */
async function markTokenRefused(rt: Runtime, { number }: Draft): Promise<void> {
  await noteTokenRefused(rt, number.channelId, number.channelRevision).catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: number.channelId }, 'channel.token_refusal_not_noted'),
  )
}

/** For people to see, and no reason to refuse the next message: Meta decides each. */
async function markOwnedElsewhere(rt: Runtime, { number }: Draft, row: MessageRow): Promise<void> {
  await noteOwnedElsewhere(rt, number, customerOf(row) ?? '').catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: number.channelId }, 'message.owner_not_noted'),
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

export function toAnswer(data: unknown): Outcome {
  return { kind: 'answer', status: 200, data }
}

export function toRefusal({ code, message, extras }: AppError): Outcome {
  const { cause: _, ...rest } = extras
  return { kind: 'refusal', code, message, extras: rest }
}

type AddEcho = (unit: Unit, sent: MessageRow) => void

/** The echo of this message for other tools. Computed during the platform's call, so it delays nothing. */
async function echoOf(rt: Runtime, { number, outbound, replyTo, template, direct }: Draft): Promise<AddEcho> {
  const relays = await relaysOf(rt, number.accountId)
  if (!relays.some(({ options }) => options.echoes === 'others')) return () => {}
  return (unit, row) => {
    const isTemplate = row.type === 'template'
    const category = template?.category ?? row.category ?? (isTemplate ? 'authentication' : null)
    // A code in plain words has no part that could be left out.
    if (direct?.category === 'authentication' || row.channel_message_id === null) return
    const customer = { phone: row.phone, userId: row.user_id }
    const to = row.phone === null ? { userId: row.user_id ?? '' } : { phone: row.phone }
    addEcho(rt, unit, relays, {
      accountId: row.account_id,
      numberId: number.id,
      customerId: row.customer_id,
      keyId: row.api_key_id,
      echo: {
        wabaId: number.credentials.wabaId,
        phoneNumberId: number.credentials.phoneNumberId,
        ownPhone: number.phoneNumber,
        customer,
        messageId: row.channel_message_id,
        at: row.sent_at ?? row.created_at,
        outbound: { to, content: outbound, ...(replyTo !== null && { replyTo }) },
        isSecret: isTemplate && category?.toLowerCase() === 'authentication',
      },
    })
  }
}
