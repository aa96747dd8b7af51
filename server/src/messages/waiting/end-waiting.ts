import { countStatus } from '../../analytics/count-message.ts'
import { type Author, writeChange } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import type { Unit } from '../../store/engine/unit.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import {
  endWaiting,
  findWaitingByReference,
  findWaitingOfCustomers,
  takeWaiting,
} from '../../store/messages/waiting.ts'
import { requireMessage } from '../get-message.ts'
import {
  historyOf,
  type MessageFailure,
  messageFacts,
  ownStep,
  publicId,
  publishMessageEvent,
} from '../message-record.ts'
import { findNumber } from '../number-facts.ts'
import { withStep } from '../send/record-outcome.ts'

/** The canceler: a program, possibly limited to some numbers, or a person, who is recorded. */
export type Canceler = { accountId: string; phoneNumberIds: readonly string[] | null; author?: Author | undefined }

/** A message that waits is not sent any more. Safe to repeat; one that is under way cannot be taken back. */
export async function cancelMessage(rt: Runtime, canceler: Canceler, id: string) {
  const row = await requireMessage(rt, canceler.accountId, id)
  const { phoneNumberIds } = canceler
  if (phoneNumberIds && !phoneNumberIds.includes(row.number_id)) {
    throw new AppError('number_not_allowed', 'This API key may not use the number of this message.')
  }
  const canceled = row.status === 'waiting' ? await cancelOne(rt, row, canceler.author) : row
  if (canceled.status !== 'canceled') throw notCancelable(canceled)
  const at = historyOf(canceled).at(-1)?.at ?? rt.clock.now()
  return { message_id: publicId(canceled), status: 'canceled' as const, canceled_at: formatInstant(at) }
}

const batch = 100

/** All that waits with a reference. */
export async function cancelByReference(
  rt: Runtime,
  { accountId, phoneNumberIds, author }: Canceler,
  reference: string,
): Promise<{ canceled: number }> {
  const wanted = { account_id: accountId, client_reference: reference, count: batch }
  let canceled = 0
  for (let before = -1; before !== canceled; ) {
    before = canceled
    const waiting = await rt.store.read(findWaitingByReference, wanted)
    const own = waiting.filter(({ number_id }) => !phoneNumberIds || phoneNumberIds.includes(number_id))
    const rows = await rt.store.read(findMessagesById, { ids: own.map(({ message_id }) => message_id) })
    const ended = await Promise.all(rows.map((row) => cancelOne(rt, row, author)))
    canceled += ended.filter(({ status }) => status === 'canceled').length
    if (waiting.length < batch) break
  }
  return { canceled }
}

/** Nothing goes to these customers any more that still waits. */
export async function cancelAllTo(rt: Runtime, accountId: string, customerIds: readonly string[]): Promise<void> {
  for (;;) {
    const page = { account_id: accountId, customer_ids: customerIds, count: batch }
    const rows = await rt.store.read(findWaitingOfCustomers, page)
    await Promise.all(rows.map((row) => cancelOne(rt, row)))
    if (rows.length < batch) return
  }
}

/** The message as it is afterwards: canceled, or what another, faster writer has made of it. */
export async function cancelOne(rt: Runtime, row: MessageRow, author?: Author): Promise<MessageRow> {
  const targets = [{ type: 'message', id: row.id, name: row.type }]
  const line = author ? { ...author, accountId: row.account_id, action: 'message.canceled', targets } : null
  return endAs(rt, row, 'canceled', null, (add) => writeChange(rt, line, add))
}

/** It will not be sent, for a reason that was found before anybody was called. */
export async function failWaiting(rt: Runtime, row: MessageRow, error: MessageFailure): Promise<MessageRow> {
  const ended = await endAs(rt, row, 'failed', error, (add) => writeChange(rt, null, add))
  if (ended.status === 'failed') rt.metrics.messages.inc({ direction: 'outbound', type: row.type, status: 'failed' })
  return ended
}

type Write = (add: (unit: Unit) => void) => Promise<unknown>

async function endAs(
  rt: Runtime,
  row: MessageRow,
  status: 'canceled' | 'failed',
  error: MessageFailure | null,
  write: Write,
): Promise<MessageRow> {
  if (row.status !== 'waiting') return row
  const number = await findNumber(rt, row.account_id, row.number_id)
  const at = rt.clock.now()
  const next: MessageRow = {
    ...row,
    status,
    error: error && JSON.stringify(error),
    failed_at: error ? at : null,
    history: withStep(row, ownStep(status, at)),
    event_sequence: row.event_sequence + 1,
    next_attempt_at: null,
    waiting_for: null,
  }
  const add = (unit: Unit) => {
    unit.add(takeWaiting, { message_id: row.id })
    unit.add(endWaiting, next)
    publishMessageEvent(rt, unit, next, {
      numberPhone: number?.phoneNumber ?? null,
      type: `message.${status}`,
      status,
      at,
      inferred: false,
      sequence: next.event_sequence,
    })
    // Messages count from their outcome on; one that was canceled has none.
    if (error) countStatus(unit, messageFacts(next), 'failed', { created: true, errorCode: error.code })
  }
  try {
    await write(add)
    return next
  } catch (thrown) {
    if (!(thrown instanceof ConditionFailed)) throw thrown
    const [stored] = await rt.store.read(findMessagesById, { ids: [row.id] })
    if (!stored) return row
    return stored.status === 'waiting' && stored.revision !== row.revision
      ? endAs(rt, stored, status, error, write)
      : stored
  }
}

function notCancelable({ status, direction }: MessageRow): AppError {
  const sentence =
    direction === 'inbound'
      ? 'A customer wrote this message.'
      : status === 'queued'
        ? 'This message is being sent, and cannot be taken back.'
        : `This message does not wait any more: it is ${status}.`
  return new AppError('message_not_cancelable', sentence)
}
