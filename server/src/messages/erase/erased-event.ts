import type { MessageFailure } from '../message-record.ts'

type EventBody = { data?: Record<string, unknown> }

/** An event as it is after the person in it was erased: what happened when stays, who it was and what was said goes. */
export function erasedEvent(body: string): string {
  const event = JSON.parse(body) as EventBody
  const { data } = event
  if (!data) return body
  const gone = Object.fromEntries(personalFields(data).map((name) => [name, null]))
  const error = data.error ? { error: erasedFailure(data.error as MessageFailure) } : {}
  const contact = data.contact ? { contact: { name: null } } : {}
  return JSON.stringify({ ...event, data: { ...data, ...gone, ...error, ...contact } })
}

/** The platform's own words may quote the customer. */
export function erasedFailure(failure: MessageFailure): MessageFailure {
  return { ...failure, upstream: failure.upstream && { ...failure.upstream, title: null, detail: null } }
}

/** Our own number is on the other side, and stays. */
function personalFields(data: Record<string, unknown>): string[] {
  const customer = data.direction === 'inbound' ? 'from' : 'to'
  return [customer, 'user_id', 'client_reference', 'content'].filter((name) => name in data)
}
