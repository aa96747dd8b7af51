import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import { instant, namedObject, nullable, object, oneOf, optional, part, ref } from '../schema.ts'

const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received', 'not_sent'] as const

/** A line of the log: a message, or a call that was refused before there was one. */
export const LogEntry = namedObject('ConsoleLogEntry', {
  id: Type.String({ description: 'Of the message; of the request where nothing was sent.' }),
  at: instant(),
  direction: oneOf(['outbound', 'inbound']),
  customer: nullable(Type.String({ description: 'Masked where the role may not see people.' })),
  name: nullable(Type.String()),
  type: Type.String(),
  template: nullable(Type.String()),
  preview: nullable(Type.String({ description: 'The beginning of what it says; null where it is hidden or gone.' })),
  status: oneOf(statuses),
  unresolved: Type.Boolean({ description: 'Whether Meta has accepted the message is not known.' }),
  code: nullable(Type.String({ description: 'Why it failed, or was not sent.' })),
  http_status: nullable(Type.Integer({ description: 'What the refused call was answered.' })),
  client_reference: nullable(Type.String()),
})
const logFilter = {
  direction: Type.Optional(oneOf(['outbound', 'inbound'])),
  status: Type.Optional(oneOf(statuses)),
  type: Type.Optional(Type.String({ maxLength: 32 })),
  template: Type.Optional(Type.String({ maxLength: 512 })),
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'An id, a phone number or a reference, whole.' })),
  code: Type.Optional(
    Type.String({ maxLength: 64, description: 'The error code it failed with, or was refused with.' }),
  ),
  since: Type.Optional(instant({ description: 'Inclusive.' })),
  until: Type.Optional(instant({ description: 'Exclusive.' })),
}
export const LogQuery = object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
  ...logFilter,
})
export const LogExportQuery = object(logFilter)
export const MessageLog = namedObject('ConsoleMessageLog', {
  entries: Type.Array(ref(LogEntry)),
  pagination: ref(Pagination),
  as_of: instant({ description: 'Ask with `since` for later messages.' }),
  hidden: Type.Boolean({ description: 'The role may not see people and what they write.' }),
})

export const LogFilters = namedObject('ConsoleLogFilters', {
  templates: Type.Array(Type.String()),
  keys: Type.Array(object({ id: Type.String(), name: Type.String() })),
})

const Attempted = object({
  delivery_id: Type.String(),
  webhook_id: Type.String(),
  url: Type.String(),
  status: Type.String(),
  attempts: Type.Integer(),
  status_code: nullable(Type.Integer()),
  error_code: nullable(Type.String()),
  duration_ms: nullable(Type.Integer()),
  next_attempt_at: nullable(instant()),
})

/** An event with what became of it at every webhook. */
export const TracedEvent = namedObject('ConsoleTracedEvent', {
  id: Type.String(),
  type: Type.String(),
  message_id: nullable(Type.String()),
  at: instant(),
  deliveries: Type.Array(Attempted),
})

export const Failure = object({
  code: Type.String(),
  what: Type.String(),
  why: nullable(Type.String({ description: 'What Meta said.' })),
  help: Type.String(),
  upstream_code: nullable(Type.Integer()),
})

export const MessageDetail = namedObject('ConsoleMessageDetail', {
  id: Type.String(),
  own_id: Type.String({ description: 'The gateway’s own id, which always works.' }),
  direction: oneOf(['outbound', 'inbound']),
  type: Type.String(),
  status: Type.String(),
  unresolved: Type.Boolean(),
  held: Type.Boolean(),
  from: nullable(Type.String()),
  to: nullable(Type.String()),
  customer: nullable(Type.String()),
  name: nullable(Type.String()),
  number_id: Type.String(),
  sandbox: Type.Boolean(),
  template: nullable(Type.String()),
  language: nullable(Type.String()),
  client_reference: nullable(Type.String()),
  reply_to: nullable(Type.String()),
  group_id: nullable(Type.String()),
  key_id: nullable(Type.String()),
  key_name: nullable(Type.String()),
  sent_by: nullable(Type.String({ description: 'Who sent it by hand.' })),
  created_at: instant(),
  content: nullable(Type.Record(Type.String(), Type.Unknown())),
  content_purged_at: nullable(instant()),
  hidden: Type.Boolean(),
  failure: nullable(Failure),
  history: Type.Array(
    object({ status: Type.String(), at: instant(), recorded_at: instant(), inferred: Type.Boolean() }),
  ),
  window: object({ state: oneOf(['open', 'closed', 'unknown']), expires_at: nullable(instant()) }),
  marketing: object({ state: oneOf(['opted_out', 'opted_in', 'unknown']), since: nullable(instant()) }),
  events: Type.Array(ref(TracedEvent)),
  request: nullable(
    part('The API call that sends a message like this one.', {
      path: Type.String(),
      body: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  record: Type.Record(Type.String(), Type.Unknown(), { description: 'As GET /v1/chat/messages/{id} answers.' }),
})

export const SendAgain = namedObject('ConsoleSendAgain', {
  to: optional(Type.String({ maxLength: 255, description: 'Another customer than the first time.' })),
})
export const SentByHand = namedObject('ConsoleSentByHand', { message_id: Type.String() })
