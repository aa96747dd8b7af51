import type { Outcome } from '../../access/idempotency.ts'
import type { UpstreamFailure } from '../../contract/app-error.ts'
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
  return { ...failure, upstream: failure.upstream && erasedWords(failure.upstream) }
}

function erasedWords(upstream: UpstreamFailure): UpstreamFailure {
  return { ...upstream, title: null, detail: null }
}

/** Our own number is on the other side, and stays. */
function personalFields(data: Record<string, unknown>): string[] {
  const customer = data.direction === 'inbound' ? 'from' : 'to'
  return [customer, 'customer', 'user_id', 'client_reference', 'content'].filter((name) => name in data)
}

/** What a send answered, as its repeats get it from now on. */
export function erasedOutcome(text: string): string {
  const outcome = JSON.parse(text) as Outcome
  if (outcome.kind === 'answer') {
    const data = outcome.data as Record<string, unknown>
    return 'to' in data ? JSON.stringify({ ...outcome, data: { ...data, to: null } }) : text
  }
  const { upstream } = outcome.extras
  if (!upstream) return text
  return JSON.stringify({ ...outcome, extras: { ...outcome.extras, upstream: erasedWords(upstream) } })
}
