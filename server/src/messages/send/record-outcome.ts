import { setTimeout as pause } from 'node:timers/promises'
import type { SendDeadline } from '../../access/send-deadline.ts'
import { countCreated, countStatus } from '../../analytics/count-message.ts'
import { addRelease } from '../../budgets/hold.ts'
import { erasedIds } from '../../events/masked-event.ts'
import { timedOut, withTimeout } from '../../lib/async/with-timeout.ts'
import { addressKey } from '../../lib/phone.ts'
import type { SendReceipt } from '../../platform/chat-platform.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed, StoreUnavailable } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { noteReply, noteReplyByHand } from '../../store/messages/conversations.ts'
import { findMessagesById, type MessageRow, updateMessage } from '../../store/messages/messages.ts'
import { noteFirstReply } from '../../store/messages/replies.ts'
import { noteTemplateUse } from '../../templates/find-template.ts'
import { addPlan, afterPlan, readPlan } from '../customers/as-customer.ts'
import type { Plan } from '../customers/identity.ts'
import {
  historyOf,
  isErased,
  isUnderWay,
  type MessageFailure,
  messageFacts,
  ownStep,
  publishMessageEvent,
  sentFacts,
} from '../message-record.ts'
import type { Draft } from './draft.ts'

/** Adds to the unit what must be stored with the outcome. */
type WithOutcome = (unit: Unit, next: MessageRow) => void

type Accepted = { row: MessageRow; draft: Draft; receipt: SendReceipt; now: number }

/** The platform took the message: its id, the time by our clock (its answer has none), the event, the counts. */
export async function recordSent(rt: Runtime, accepted: Accepted, withOutcome: WithOutcome): Promise<MessageRow> {
  const { row, draft, receipt, now } = accepted
  const next: MessageRow = {
    ...row,
    status: 'sent',
    channel_message_id: await channelIdOf(rt, row, receipt),
    user_id: row.user_id ?? (row.phone === null ? null : receipt.userId),
    held: receipt.held ? 1 : 0,
    outcome: null,
    sent_at: now,
    settle_by: null,
    event_sequence: row.event_sequence + 1,
    history: withStep(row, ownStep('sent', now)),
  }
  const unit = new Unit()
  unit.add(updateMessage, next)
  const event = {
    numberPhone: draft.number.phoneNumber,
    type: 'message.sent',
    status: 'sent',
    at: now,
    inferred: false,
    sequence: next.event_sequence,
  } as const
  publishMessageEvent(rt, unit, next, event)
  countStatus(unit, sentFacts(rt, next), 'sent', { created: isUnderWay(row) })
  if (draft.template) noteTemplateUse(unit, draft.template, now)
  addReply(rt, unit, next, now)
  const plan = await planOfReceipt(rt, row, accepted)
  if (plan) addPlan(rt, unit, row.account_id, plan)
  withOutcome(unit, next)
  try {
    await rt.store.write(unit)
    if (plan) await afterPlan(rt, plan)
    rt.metrics.messages.inc({ direction: 'outbound', type: row.type, status: 'sent' })
    return next
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return overtaken(rt, accepted, withOutcome)
  }
}

/** The waiting customer has a reply. A program's template isn't a reply, and a reaction never is. */
function addReply(rt: Runtime, unit: Unit, row: MessageRow, at: number): void {
  const { account_id, customer_id, number_id, type, sent_by } = row
  if (customer_id === null || type === 'reaction') return
  if (sent_by !== null) {
    const customer = rt.recipients.hash(account_id, customer_id)
    unit.add(noteFirstReply, { account_id, customer_id, customer, user_id: sent_by, at })
    unit.add(noteReplyByHand, { account_id, customer_id, number_id, at })
  } else if (type !== 'template') unit.add(noteReply, { account_id, customer_id, at })
}

/**
 * Another unit changed the row before our second commit. A status has done its work already, and only what the receipt
 * alone knows is left to store; the recovery of lost sends has called it unknown, which it no longer is.
 */
async function overtaken(rt: Runtime, accepted: Accepted, withOutcome: WithOutcome): Promise<MessageRow> {
  const { receipt } = accepted
  const stored = await readAgain(rt, accepted.row.id)
  if (stored.status === 'queued') return recordSent(rt, { ...accepted, row: stored }, withOutcome)
  const channelId = stored.channel_message_id ?? (await channelIdOf(rt, stored, receipt))
  const held = receipt.held ? 1 : stored.held
  const user_id = stored.user_id ?? (stored.phone === null ? null : receipt.userId)
  const next = { ...stored, channel_message_id: channelId, user_id, held }
  const unit = new Unit()
  unit.add(updateMessage, next)
  const plan = await planOfReceipt(rt, stored, accepted)
  if (plan) addPlan(rt, unit, stored.account_id, plan)
  withOutcome(unit, next)
  try {
    await rt.store.write(unit)
    if (plan) await afterPlan(rt, plan)
    return next
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return overtaken(rt, accepted, withOutcome)
  }
}

/** A customer who was erased while their message was on its way isn't named by its id either. */
async function channelIdOf(rt: Runtime, row: MessageRow, { messageId }: SendReceipt): Promise<string> {
  return isErased(row) ? (await erasedIds(rt, row.account_id))(messageId) : messageId
}

async function readAgain(rt: Runtime, id: string): Promise<MessageRow> {
  const [stored] = await rt.store.read(findMessagesById, { ids: [id] })
  if (!stored) throw new Error('A message that was being sent is gone.')
  return stored
}

/**
 * The channel resolves some numbers to others (Mexico's 1, Brazil's 9), and the customer writes under its own form. A send whose
 * response names nobody new reads nothing.
 */
async function planOfReceipt(
  rt: Runtime,
  row: MessageRow,
  { receipt: { waId, userId }, draft }: Pick<Accepted, 'receipt' | 'draft'>,
): Promise<Plan | null> {
  const { phone, account_id, created_at: at } = row
  const { channelId } = draft.number
  if (phone === null) return null
  const known = waId === null ? phone : `+${waId.replace(/^\+/, '')}`
  const isOther = addressKey(known) !== addressKey(phone)
  if (!isOther && userId === null) return null
  return readPlan(rt, account_id, { phone: known, userId, alias: isOther ? phone : null, channelId, at })
}

type Failed = { row: MessageRow; draft: Draft; error: MessageFailure }

/** The platform said no, or was never called: the record says so, and so does an event. */
export async function recordFailed(rt: Runtime, failed: Failed, withOutcome: WithOutcome): Promise<void> {
  const { row, draft, error } = failed
  const now = rt.clock.now()
  const unit = new Unit()
  const next: MessageRow = {
    ...addRelease(unit, row),
    status: 'failed',
    outcome: null,
    error: JSON.stringify(error),
    failed_at: now,
    settle_by: null,
    event_sequence: row.event_sequence + 1,
    history: withStep(row, ownStep('failed', now)),
  }
  unit.add(updateMessage, next)
  const event = {
    numberPhone: draft.number.phoneNumber,
    type: 'message.failed',
    status: 'failed',
    at: now,
    inferred: false,
    sequence: next.event_sequence,
  } as const
  publishMessageEvent(rt, unit, next, event)
  countStatus(unit, messageFacts(next), 'failed', { created: isUnderWay(row), errorCode: error.code })
  withOutcome(unit, next)
  try {
    await rt.store.write(unit)
  } catch (thrown) {
    if (!(thrown instanceof ConditionFailed)) throw thrown
    const stored = await readAgain(rt, row.id)
    if (stored.status === 'failed' && historyOf(stored).at(-1)?.source === 'gateway') return
    if (stored.status !== 'queued' || stored.revision === row.revision) throw thrown
    return recordFailed(rt, { ...failed, row: stored }, withOutcome)
  }
  rt.metrics.messages.inc({ direction: 'outbound', type: row.type, status: 'failed' })
}

/** Marks the message as unresolved, unless a status has resolved it in the meantime. */
export async function recordUnknown(rt: Runtime, row: MessageRow, withOutcome: WithOutcome): Promise<void> {
  const next: MessageRow = { ...row, outcome: 'unknown', settle_by: null }
  const unit = new Unit()
  unit.add(updateMessage, next)
  if (isUnderWay(row)) countCreated(unit, messageFacts(next))
  withOutcome(unit, next)
  try {
    await rt.store.write(unit)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}

/** As text: to read the list and write it again costs more than all else that is recorded here. */
export function withStep({ history }: MessageRow, step: string): string {
  return history === '[]' ? `[${step}]` : `[${step},${history.slice(1)}`
}

const pauseMs = 200

/**
 * Records what the platform answered, again and again while the database is away: a restart takes a few seconds, and the
 * client waits. `record` names the revision it changes, so that one whose answer was lost is found and not repeated. A write
 * that is still under way when its time is over goes on; the caller has to call the outcome unknown.
 */
export async function recordInTime<Result>(deadline: SendDeadline, record: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      const result = await withTimeout(record(), deadline.answerWaitMs())
      if (result === timedOut) throw new Error('The outcome could not be stored in time.')
      return result
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || deadline.answerWaitMs() <= pauseMs) throw error
      await pause(pauseMs)
    }
  }
}
