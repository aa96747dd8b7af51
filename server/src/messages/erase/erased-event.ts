import type { Outcome } from '../../access/idempotency.ts'
import { privacyOf } from '../../contract/events.ts'
import { type Privacy, type Treatment, treated, upstreamPrivacy } from '../../contract/privacy.ts'
import { erasedIds } from '../../events/erased-id.ts'
import { bodyOf, storedBody } from '../../events/publish-event.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { messagePrivacy } from '../../store/messages/messages.ts'
import type { EventRow } from '../../store/webhooks/events.ts'
import type { SendAnswers } from '../send/send-request.ts'

/** What is left of a customer who was erased: nothing but hashes of the ids by which records are found. */
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
export function erasedColumns<Row extends Record<string, unknown>>(row: Row, erasure: Treatment): Row {
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

/** What a send answered, as its repeats get it from now on. */
export function erasedOutcome(text: string, erasure: Treatment): string {
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
