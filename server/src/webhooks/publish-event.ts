import type { EventType } from '../contract/events.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { insertEvent } from '../store/events.ts'
import type { Unit } from '../store/unit.ts'

export type NewEvent = {
  accountId: string
  type: EventType
  /** What the event is about; the events of one message share it. */
  subject: string | null
  /** Counts the events of one subject from 1. */
  sequence: number
  data: Record<string, unknown>
}

/**
 * Adds an event to the unit of the change that caused it: both are stored or neither is. The body is serialised here,
 * once; every webhook, every retry and the feed send these bytes.
 */
export function publishEvent(rt: Pick<Runtime, 'newId' | 'clock'>, unit: Unit, event: NewEvent): string {
  const id = rt.newId('evt')
  const now = rt.clock.now()
  const body = JSON.stringify({
    id,
    type: event.type,
    api_version: 'v1',
    timestamp: formatInstant(now),
    data: event.data,
  })
  unit.add(insertEvent, {
    id,
    account_id: event.accountId,
    type: event.type,
    subject: event.subject,
    sequence: event.sequence,
    created_at: now,
    body,
  })
  return id
}
