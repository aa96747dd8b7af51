import { formatInstant, parseInstant } from '../lib/instant.ts'
import type { EventRow } from '../store/webhooks/events.ts'

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
