import { seesPeople } from '../access/caller.ts'
import { numberIdsOf } from '../access/keys/api-key.ts'
import { type ConnectionOptions, usualOptions } from '../contract/connections.ts'
import { type EventType, familyOf } from '../contract/events.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import { addAlert } from '../people/alerts.ts'
import type { Relay } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { listRelays, type RelayRow } from '../store/connections/relays.ts'
import type { Unit } from '../store/engine/unit.ts'
import { fanOut } from '../store/webhooks/deliveries.ts'
import { type EventRow, insertEvent } from '../store/webhooks/events.ts'

/** 1 when events wait until the receiver returned the challenge, 0 when the operator waived that; for statements. */
export function enforced(rt: Pick<Runtime, 'config'>): number {
  return rt.config.webhookVerification === 'enforce' ? 1 : 0
}

/**
 * What events of messages hold in their `data`, in this order. Such an event is stored as the number of its shape and its values:
 * names, id, type and message id are a half to two thirds of its bytes, and known from here and the other columns of its
 * row. A shape stays as it is for as long as events of it are kept; another order or field is another shape, at the end.
 */
const told = 'message_id direction type from to user_id customer_id status template language client_reference'
const shapes: readonly (readonly string[])[] = [
  '',
  ' content contact',
  ' content contact origin',
  ' content origin',
].map((more) => `${told} reply_to group_id error inferred sequence timestamp${more}`.split(' '))

type Columns = Omit<EventRow, 'account_id' | 'body'>
type Data = Readonly<Record<string, unknown>>

/** An event as it is stored. */
export function storedBody(columns: Columns, data: Data): string {
  const shape = shapes.findIndex((names) => isOf(names, data))
  if (shape < 0 || !isToldBy(columns, data)) return JSON.stringify(whole(columns, data))
  const names = shapes[shape] ?? []
  return JSON.stringify([shape, ...names.flatMap((name) => (isColumn(name) ? [] : [packed(name, data[name])]))])
}

/** The bytes that every receiver, every attempt and the feed get; '' for one that is no longer kept. */
export function bodyOf(event: Columns & { body: string }): string {
  const { subject, sequence, body } = event
  if (!body.startsWith('[')) return body
  const [shape, ...values] = JSON.parse(body) as [number, ...unknown[]]
  const names = shapes[shape]
  if (!names) throw new Error(`Event ${event.id} has the shape ${shape}, which this version does not know.`)
  const data: Record<string, unknown> = {}
  let place = 0
  for (const name of names) {
    if (name === 'message_id') data[name] = subject
    else if (name === 'sequence') data[name] = sequence
    else data[name] = unpacked(name, values[place++])
  }
  return JSON.stringify(whole(event, data))
}

/** Of a delivery that was read with its event; null for one whose event is no longer kept. */
export function bodyOfDelivery(delivery: {
  event_id: string
  type: string
  event_subject: string | null
  event_sequence: number | null
  event_at: number | null
  body: string | null
}): string | null {
  const { event_id: id, type, event_subject: subject, event_sequence: sequence, event_at: created_at, body } = delivery
  if (body === null || sequence === null || created_at === null) return body
  return bodyOf({ id, type, subject, sequence, created_at, body })
}

function whole({ id, type, created_at }: Columns, data: Data): object {
  return { id, type, api_version: 'v1', timestamp: formatInstant(created_at), data }
}

function isOf(names: readonly string[], data: Data): boolean {
  const own = Object.keys(data)
  return own.length === names.length && own.every((name, index) => name === names[index])
}

function isColumn(name: string): boolean {
  return name === 'message_id' || name === 'sequence'
}

function isToldBy({ subject, sequence }: Columns, data: Data): boolean {
  return data.message_id === subject && data.sequence === sequence && isOurInstant(data.timestamp)
}

function isOurInstant(value: unknown): boolean {
  const at = typeof value === 'string' ? parseInstant(value) : null
  return at !== null && formatInstant(at) === value
}

function packed(name: string, value: unknown): unknown {
  return name === 'timestamp' ? parseInstant(String(value)) : value
}

function unpacked(name: string, value: unknown): unknown {
  return name === 'timestamp' ? formatInstant(Number(value)) : value
}

type NewEvent = {
  accountId: string
  type: EventType
  /** The subject of the event; all events of one message share it. */
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

type Tools = Pick<Runtime, 'store' | 'relayMemory' | 'singleflight'>

/** The relays of an account, cached for two seconds at most. */
export async function relaysOf(rt: Tools, accountId: string): Promise<readonly Relay[]> {
  const known = rt.relayMemory.get(accountId)
  if (known) return known
  return rt.singleflight.run(`relays ${accountId}`, async () => {
    const rows = await rt.store.read(listRelays, { account_id: accountId })
    const relays = rows.toSorted((a, b) => (a.connection_id < b.connection_id ? -1 : 1)).map(relayOf)
    rt.relayMemory.set(accountId, relays)
    return relays
  })
}

function relayOf(row: RelayRow): Relay {
  const { webhook_id: webhookId, key_id: keyId, expires_at: expiresAt } = row
  return {
    webhookId,
    keyId,
    seesPeople: seesPeople({ scopes: JSON.parse(row.scopes) as string[] }),
    numberIds: numberIdsOf(row),
    expiresAt,
    options: optionsOf(row.options),
  }
}

/** Rows stored before an option existed have its default value. */
export function optionsOf(stored: string): ConnectionOptions {
  return { ...usualOptions, ...(JSON.parse(stored) as Partial<ConnectionOptions>) }
}
