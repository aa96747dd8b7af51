import { countStatus } from '../analytics/count-message.ts'
import { operator, writeAudited } from '../audit/audit.ts'
import { addRelease } from '../budgets/hold.ts'
import { AppError } from '../contract/app-error.ts'
import { errorTable } from '../contract/errors.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import {
  countUnresolved,
  findMessagesById,
  findUnknownBefore,
  findUnsettled,
  type MessageRow,
  updateMessage,
} from '../store/messages/messages.ts'
import {
  type HistoryEntry,
  historyOf,
  type MessageFailure,
  messageFacts,
  publishMessageEvent,
  sentFacts,
  storedHistory,
} from './message-record.ts'
import { findNumber } from './number-facts.ts'
import { recordUnknown } from './send/record-outcome.ts'

const batch = 200

/**
 * The end of unknown outcomes that neither a status nor a person has settled while Meta could still report: failed, never to
 * be repeated. It counts as no failure in analytics, and a status that comes all the same is believed.
 */
export async function giveUpUnknown(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const before = now - rt.config.outcomeUnknownDays * dayMs
  const rows = await rt.store.read(findUnknownBefore, { before, count: batch })
  for (const row of rows) await giveUp(rt, row)
  return rows.length === batch ? { againAt: now } : 'done'
}

async function giveUp(rt: Runtime, row: MessageRow): Promise<void> {
  const number = await findNumber(rt, row.account_id, row.number_id)
  const to = { status: 'failed', at: rt.clock.now(), code: 'send_outcome_unknown' } as const
  const unit = new Unit()
  addUnknownEnd(rt, unit, { row, numberPhone: number?.phoneNumber ?? null, to })
  try {
    await rt.store.write(unit)
  } catch (error) {
    // A status was faster.
    if (error instanceof ConditionFailed) return
    throw error
  }
  rt.metrics.messagesGivenUp.inc({})
  rt.log.warn({ message_id: row.id, account_id: row.account_id }, 'message.given_up')
}

/**
 * The operator settles a message with an unknown outcome, after asking Meta or the customer. As `failed` it was
 * certainly not sent, so that a repeat of its idempotency key sends it.
 */
export async function settleMessage(rt: Runtime, id: string, status: 'sent' | 'failed'): Promise<MessageRow> {
  const [row] = await rt.store.read(findMessagesById, { ids: [id] })
  if (!row) throw new AppError('message_not_found', 'No message has this id.')
  if (row.outcome !== 'unknown') throw isKnown(row)
  const number = await findNumber(rt, row.account_id, row.number_id)
  const place = { row, numberPhone: number?.phoneNumber ?? null }
  const targets = [{ type: 'message', id, name: row.type }]
  const line = { accountId: row.account_id, actor: operator, action: 'message.settled', targets, metadata: { status } }
  let next = row
  try {
    await writeAudited(rt, line, (unit) => {
      if (status === 'sent') {
        // Nobody knows when Meta accepted it: it was called right after the message was stored.
        next = addUnknownEnd(rt, unit, { ...place, to: { status, at: row.created_at } })
        countStatus(unit, sentFacts(rt, next), status)
      } else {
        const code = 'upstream_unavailable'
        next = addUnknownEnd(rt, unit, { ...place, to: { status, at: rt.clock.now(), code } })
        countStatus(unit, messageFacts(next), status, { errorCode: code })
      }
    })
    return next
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return settleMessage(rt, id, status)
  }
}

function isKnown({ status, settle_by }: MessageRow): AppError {
  const sentence =
    status === 'queued' && settle_by !== null
      ? 'This message is still being sent. Try again in two minutes.'
      : `The outcome of this message is known: it is ${status}.`
  return new AppError('concurrent_change', sentence)
}

type UnknownEnd = {
  row: MessageRow
  /** Our number; null when it is no longer known. */
  numberPhone: string | null
  to:
    | { status: 'sent'; at: number }
    | { status: 'failed'; at: number; code: 'send_outcome_unknown' | 'upstream_unavailable' }
}

/** Ends an unknown outcome without a status: adds the message and its event to the unit, and gives the message after it. */
function addUnknownEnd(rt: Runtime, unit: Unit, { row, numberPhone, to }: UnknownEnd): MessageRow {
  const { status, at } = to
  const isSent = status === 'sent'
  const recordedAt = rt.clock.now()
  const step: HistoryEntry = { status, at, recordedAt, source: 'gateway', inferred: isSent }
  const next: MessageRow = {
    ...(isSent ? row : addRelease(unit, row)),
    status,
    // The end by time is nobody's knowledge: lists, people and repeats go on taking it for unknown.
    outcome: to.status === 'failed' && to.code === 'send_outcome_unknown' ? 'unknown' : null,
    error: to.status === 'failed' ? JSON.stringify(failures[to.code]) : null,
    sent_at: isSent ? at : null,
    failed_at: isSent ? null : at,
    event_sequence: row.event_sequence + 1,
    history: storedHistory([...historyOf(row), step]),
  }
  unit.add(updateMessage, next)
  const sequence = next.event_sequence
  publishMessageEvent(rt, unit, next, {
    numberPhone,
    type: `message.${status}`,
    status,
    at,
    inferred: isSent,
    sequence,
  })
  return next
}

const failures: Record<'send_outcome_unknown' | 'upstream_unavailable', MessageFailure> = {
  send_outcome_unknown: {
    code: 'send_outcome_unknown',
    message: 'Meta never confirmed the message. It may have been sent: do not send it again.',
    retryable: errorTable.send_outcome_unknown.retryable,
    upstream: null,
  },
  upstream_unavailable: {
    code: 'upstream_unavailable',
    message: 'The operator confirmed that Meta did not send the message.',
    retryable: errorTable.upstream_unavailable.retryable,
    upstream: null,
  },
}

/** As long as the alert waits: what one crash leaves behind is older by then. */
const youngMs = 15 * minuteMs

/** For the operator's gauge: sends that nobody can say the end of. Young ones should be zero, and return to it. */
export async function measureUnresolved(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(countUnresolved, { since: rt.clock.now() - youngMs })
  const { young = 0, total = 0 } = row ?? {}
  rt.metrics.messagesUnresolved.set({ age: 'young' }, young)
  rt.metrics.messagesUnresolved.set({ age: 'old' }, total - young)
}

/**
 * A process died between its two commits. Whether the platform got the message nobody knows, so it is not sent again: it
 * is marked unknown and waits for a status that carries its id. Repeats of the request are told the same (`endOf` of its key).
 */
export async function recoverMessages(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const rows = await rt.store.read(findUnsettled, { now, count: batch })
  for (const row of rows) {
    await recordUnknown(rt, row, () => {})
    rt.log.warn({ message_id: row.id, account_id: row.account_id }, 'message.outcome_unknown_after_crash')
  }
  return rows.length === batch ? { againAt: now } : 'done'
}
