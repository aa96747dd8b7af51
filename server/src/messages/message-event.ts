import type { EventData, EventType } from '../contract/events.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { failureOf, partiesOf, publicId } from './message-record.ts'

export type MessageEvent = {
  /** Our number; null when it is no longer known. */
  numberPhone: string | null
  type: EventType
  status: string
  /** The platform's time of the step. */
  at: number
  inferred: boolean
  sequence: number
  /** Before this time it is not delivered; now without it. */
  dueFrom?: number
}

/** Tells what happened to a message, in the unit in which it happens. */
export function publishMessageEvent(
  rt: Pick<Runtime, 'newId' | 'clock' | 'config' | 'tracer'>,
  unit: Unit,
  row: MessageRow,
  event: MessageEvent,
): void {
  const { from, to } = partiesOf(row, event.numberPhone)
  const data: EventData<'message.received'> = {
    message_id: publicId(row),
    direction: row.direction,
    type: row.type,
    from,
    to,
    user_id: row.user_id,
    customer_id: row.customer_id,
    status: event.status,
    template: row.template,
    language: row.language,
    client_reference: row.client_reference,
    reply_to: row.reply_to,
    group_id: row.group_id,
    error: failureOf(row),
    inferred: event.inferred,
    sequence: event.sequence,
    timestamp: formatInstant(event.at),
  }
  const { type, sequence, dueFrom = 0 } = event
  const isInbound = row.direction === 'inbound'
  if (isInbound || type === 'message.echoed') data.content = row.content === null ? null : JSON.parse(row.content)
  if (isInbound) data.contact = { name: row.customer_name }
  if (type === 'message.echoed' || type === 'message.standby') data.origin = row.origin
  publishEvent(rt, unit, { accountId: row.account_id, type, subject: row.id, sequence, dueFrom, data })
}
