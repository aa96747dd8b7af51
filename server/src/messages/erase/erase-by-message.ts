import type { Outcome } from '../../access/idempotency.ts'
import { privacyOf } from '../../contract/events.ts'
import { type Privacy, type Treatment, treated, upstreamPrivacy } from '../../contract/privacy.ts'
import { erasedIds } from '../../events/masked-event.ts'
import { bodyOf, storedBody } from '../../events/publish-event.ts'
import { isRecord } from '../../lib/is-record.ts'
import { eraseMedia } from '../../media/delete-media.ts'
import type { Runtime } from '../../runtime.ts'
import { eraseIdempotencyOutcome, releaseIdempotencyKey } from '../../store/accounts/idempotency.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { Unit } from '../../store/engine/unit.ts'
import {
  eraseAttempt,
  eraseEvent,
  eraseMessage,
  findAttemptsOf,
  findEventsOf,
  findKeysOf,
  findMessagesOf,
} from '../../store/messages/erasure.ts'
import { findFilesOf } from '../../store/messages/message-list.ts'
import { messagePrivacy } from '../../store/messages/messages.ts'
import type { EventRow } from '../../store/webhooks/events.ts'
import type { SendAnswers } from '../send/send-request.ts'
import type { Person } from './find-person.ts'

export type ErasedByMessage = {
  messages: number
  media: number
  events: number
  attempts: number
  idempotency_keys: number
}

const batch = 500

/**
 * Messages of a person, with everything that hangs on them. A message loses its person last: whatever stops this in the
 * middle, the next run finds the rest by it. Rows that were added to it meanwhile are looked for once more afterwards, when
 * nothing can tell about the person any more.
 */
export async function eraseByMessage(rt: Runtime, person: Person): Promise<ErasedByMessage> {
  const erased: ErasedByMessage = { messages: 0, media: 0, events: 0, attempts: 0, idempotency_keys: 0 }
  const { accountId: account_id, customerIds: customer_ids, addresses } = person
  const erasure = await erasureIn(rt, account_id)
  for (;;) {
    const rows = await rt.store.read(findMessagesOf, { account_id, customer_ids, count: batch })
    if (rows.length === 0) return erased
    const messageIds = rows.map(({ id }) => id)
    const channelIds = rows.flatMap(({ channel_message_id }) => channel_message_id ?? [])
    const files = await rt.store.read(findFilesOf, { message_ids: messageIds, addresses })
    const mediaIds = files.map(({ media_id }) => media_id)
    erased.media += await eraseMedia(rt, account_id, mediaIds)
    const traces = { account_id, channelIds, messageIds, mediaIds, erasure }
    await eraseTraces(rt, traces, erased)
    erased.messages += await eraseMessages(rt, rows, erasure)
    await eraseTraces(rt, traces, erased)
  }
}

type Traces = {
  account_id: string
  channelIds: readonly string[]
  messageIds: readonly string[]
  mediaIds: readonly string[]
  erasure: Treatment
}

async function eraseTraces(rt: Runtime, traces: Traces, erased: ErasedByMessage) {
  const { account_id, channelIds, messageIds, mediaIds, erasure } = traces
  const erasedId = (id: string) => String(erasure.sent_message(id))
  const subjects = [...messageIds, ...channelIds, ...channelIds.map(erasedId)]
  const [events, keys] = await Promise.all([
    rt.store.read(findEventsOf, { account_id, subjects }),
    rt.store.read(findKeysOf, { account_id, made_ids: [...messageIds, ...mediaIds] }),
  ])
  const attempts = await rt.store.read(findAttemptsOf, { account_id, event_ids: events.map(({ id }) => id) })
  const changed = events.flatMap((event) => erasedEvent(event, erasedId(event.subject), erasure) ?? [])
  const unit = new Unit()
  if (changed.length > 0) unit.add(eraseEvent, ...changed)
  if (attempts.length > 0) unit.add(eraseAttempt, ...attempts)
  const erasedKeys = eraseKeys(unit, keys, traces)
  if (unit.calls.length > 0) await rt.store.write(unit)
  erased.events += changed.length
  erased.attempts += attempts.length
  erased.idempotency_keys += erasedKeys
}

type KeyRow = {
  account_id: string
  endpoint: string
  idempotency_key: string
  message_id: string | null
  outcome: string | null
}

/**
 * The key of a send stays, without the person: let go, it would send the message a second time. An upload that is gone
 * may be made again.
 */
function eraseKeys(unit: Unit, keys: readonly KeyRow[], { mediaIds, erasure }: Traces): number {
  const isUpload = ({ message_id }: KeyRow) => message_id !== null && mediaIds.includes(message_id)
  const uploads = keys.filter(isUpload)
  const changed = keys.flatMap((row) => {
    const { outcome: seen, ...key } = row
    if (seen === null || isUpload(row)) return []
    const outcome = erasedOutcome(seen, erasure)
    return outcome === seen ? [] : [{ ...key, outcome, seen }]
  })
  if (uploads.length > 0) unit.add(releaseIdempotencyKey, ...uploads.map(({ outcome: _, ...key }) => key))
  if (changed.length > 0) unit.add(eraseIdempotencyOutcome, ...changed)
  return uploads.length + changed.length
}

type FoundMessage = RowOf<(typeof findMessagesOf)['returns']>

/** One that changed since it was read is found again by the next round. */
async function eraseMessages(rt: Runtime, rows: readonly FoundMessage[], erasure: Treatment): Promise<number> {
  const now = rt.clock.now()
  const unit = new Unit()
  const call = unit.add(eraseMessage, ...rows.map((row) => ({ ...erasedColumns(row, erasure), now })))
  return (await rt.store.write(unit)).rows(call).length
}

/** The remains of an erased customer: only hashes of the ids that find records. */
export async function erasureIn(rt: Runtime, accountId: string): Promise<Treatment> {
  const erasedId = await erasedIds(rt, accountId)
  const hashed = (id: unknown) => erasedId(String(id))
  return {
    personal: () => null,
    address: () => null,
    customer: () => null,
    reference: () => null,
    sent_message: hashed,
    received_message: hashed,
    other_message: hashed,
  }
}

/** The columns of a message that say something about the customer, after the erasure. */
function erasedColumns<Row extends Record<string, unknown>>(row: Row, erasure: Treatment): Row {
  return treated(row, messagePrivacy, erasure) as Row
}

type FoundEvent = Omit<EventRow, 'account_id' | 'subject'> & { subject: string }

/**
 * An event as it is stored after the person in it was erased: what happened when stays, who it was and what was said goes, and
 * it says so. Null where that is nothing new.
 */
export function erasedEvent(event: FoundEvent, subject: string, erasure: Treatment) {
  const { data } = JSON.parse(bodyOf(event)) as { data?: unknown }
  const declared = privacyOf(event.type)
  if (declared === null || !isRecord(data) || data.erased === true) return null
  const body = storedBody({ ...event, subject }, { ...treated(data, declared, erasure), erased: true })
  return { id: event.id, subject, body }
}

type FieldOf<Answer> = Answer extends Answer ? keyof Answer : never

const answerPrivacy = {
  dry_run: 'kept',
  message_id: 'sent_message',
  status: 'kept',
  to: 'address',
  type: 'kept',
  template: 'kept',
  used: 'kept',
  timestamp: 'kept',
  send_at: 'kept',
  expires_at: 'kept',
  own_id: 'kept',
  alias: 'kept',
  answer: 'personal',
} as const satisfies Record<FieldOf<SendAnswers[keyof SendAnswers]>, Privacy>

/** The stored response of a send, as its retries get it from now on. */
function erasedOutcome(text: string, erasure: Treatment): string {
  const outcome = JSON.parse(text) as Outcome
  if (outcome.kind === 'answer') {
    return isRecord(outcome.data)
      ? JSON.stringify({ ...outcome, data: treated(outcome.data, answerPrivacy, erasure) })
      : text
  }
  const { upstream } = outcome.extras
  if (!upstream) return text
  const extras = { ...outcome.extras, upstream: treated(upstream, upstreamPrivacy, erasure) }
  return JSON.stringify({ ...outcome, extras })
}
