import { type EventType, familyOf } from '../contract/events.ts'
import { addAlert } from '../people/alerts.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { fanOut } from '../store/webhooks/deliveries.ts'
import { insertEvent } from '../store/webhooks/events.ts'
import { bodyOf, storedBody } from './event-body.ts'
import { enforced } from './verification-mode.ts'

export type NewEvent = {
  accountId: string
  type: EventType
  /** What the event is about; the events of one message share it. */
  subject: string | null
  /** Counts the events of one subject from 1. */
  sequence: number
  data: Record<string, unknown>
  /** Before this time it is not delivered; now without it. */
  dueFrom?: number
  /** A webhook that is not told: it is what the event is about. */
  exceptWebhookId?: string
}

/**
 * Adds an event and its deliveries to the unit of the change that caused it: all are stored or none is. It is stored once;
 * every webhook, every retry and the feed get the same bytes of it.
 */
export function publishEvent(
  rt: Pick<Runtime, 'newId' | 'clock' | 'config' | 'tracer'>,
  unit: Unit,
  { accountId, type, subject, sequence, data, dueFrom = 0, exceptWebhookId }: NewEvent,
): string {
  const id = rt.newId('evt')
  const now = rt.clock.now()
  const messageId = typeof data.message_id === 'string' ? data.message_id : null
  // Readers of the feed know a message by the id they were given; what keeps its events in order is its own.
  const columns = { id, type, subject: messageId ?? subject, sequence, created_at: now }
  const body = storedBody(columns, withinBounds(columns, data))
  unit.add(insertEvent, { ...columns, account_id: accountId, body, traceparent: rt.tracer.current() ?? null })
  unit.add(fanOut, {
    event_id: id,
    account_id: accountId,
    type,
    family: familyOf(type),
    subject,
    now,
    due_at: Math.max(now, dueFrom) + (rt.config.webhookRetryScheduleMs[0] ?? 0),
    enforce: enforced(rt),
    except_webhook_id: exceptWebhookId ?? null,
  })
  addAlert(rt, unit, { id, type, accountId, data })
  return id
}

const bodyBytesMax = 256 * 1024
/** More than id, type and times take. */
const columnBytesMax = 1_024

/** An event too large to deliver still tells what it is about: the ids remain, the rest can be fetched by them. */
function withinBounds(columns: Parameters<typeof storedBody>[0], data: Record<string, unknown>) {
  const text = JSON.stringify(data)
  // No character takes more than three bytes.
  if (3 * text.length + columnBytesMax <= bodyBytesMax) return data
  if (Buffer.byteLength(bodyOf({ ...columns, body: storedBody(columns, data) })) <= bodyBytesMax) return data
  const ids = Object.entries(data).filter(([name, value]) => /(^|_)id$|^sequence$/.test(name) && isShort(value))
  return { ...Object.fromEntries(ids), truncated: true }
}

function isShort(value: unknown): boolean {
  return value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= 1_024)
}
