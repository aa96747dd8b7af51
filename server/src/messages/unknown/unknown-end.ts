import { errorTable } from '../../contract/errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Unit } from '../../store/engine/unit.ts'
import { type MessageRow, updateMessage } from '../../store/messages/messages.ts'
import { publishMessageEvent } from '../message-event.ts'
import { type HistoryEntry, historyOf, type MessageFailure } from '../message-record.ts'

export type UnknownEnd = {
  row: MessageRow
  /** Our number; null when it is no longer known. */
  numberPhone: string | null
  to:
    | { status: 'sent'; at: number }
    | { status: 'failed'; at: number; code: 'send_outcome_unknown' | 'upstream_unavailable' }
}

/** How an unknown outcome ends without a status: adds the message and its event to the unit, and gives the message after it. */
export function addUnknownEnd(rt: Runtime, unit: Unit, { row, numberPhone, to }: UnknownEnd): MessageRow {
  const { status, at } = to
  const isSent = status === 'sent'
  const recordedAt = rt.clock.now()
  const step: HistoryEntry = { status, at, recordedAt, source: 'gateway', inferred: isSent }
  const next: MessageRow = {
    ...row,
    status,
    // The end by time is nobody's knowledge: lists, people and repeats go on taking it for unknown.
    outcome: to.status === 'failed' && to.code === 'send_outcome_unknown' ? 'unknown' : null,
    error: to.status === 'failed' ? JSON.stringify(failures[to.code]) : null,
    sent_at: isSent ? at : null,
    failed_at: isSent ? null : at,
    event_sequence: row.event_sequence + 1,
    history: JSON.stringify([...historyOf(row), step]),
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
