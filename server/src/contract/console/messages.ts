import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import {
  boolean,
  instant,
  integer,
  namedObject,
  nullable,
  object,
  oneOf,
  optional,
  part,
  ref,
  text,
} from '../schema.ts'

const statuses = [
  'waiting',
  'queued',
  'sent',
  'delivered',
  'read',
  'failed',
  'canceled',
  'received',
  'not_sent',
] as const

/** A line of the log: a message, or a call that was refused before there was one. */
export const LogEntry = namedObject('ConsoleLogEntry', {
  id: text('Of the message; of the request where nothing was sent.'),
  at: instant(),
  direction: oneOf(['outbound', 'inbound']),
  customer: nullable(text('Masked where the role may not see people.')),
  name: nullable(Type.String()),
  type: Type.String(),
  template: nullable(Type.String()),
  preview: nullable(text('The beginning of what it says; null where it is hidden or gone.')),
  status: oneOf(statuses),
  unresolved: boolean('Whether Meta has accepted the message is not known.'),
  code: nullable(text('Why it failed, or was not sent.')),
  http_status: nullable(integer('The response of the rejected call.')),
  client_reference: nullable(Type.String()),
})
const logFilter = {
  direction: Type.Optional(oneOf(['outbound', 'inbound'])),
  status: Type.Optional(oneOf(statuses)),
  type: Type.Optional(Type.String({ maxLength: 32 })),
  template: Type.Optional(Type.String({ maxLength: 512 })),
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  search: Type.Optional(text('An id, a phone number or a reference, whole.', { maxLength: 255 })),
  code: Type.Optional(text('The error code it failed or was rejected with.', { maxLength: 64 })),
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
  as_of: instant({ description: 'Use `since` for later messages.' }),
  hidden: boolean('The role may not see people and what they write.'),
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
  why: nullable(text('What Meta said.')),
  help: Type.String(),
  upstream_code: nullable(Type.Integer()),
})

export const MessageDetail = namedObject('ConsoleMessageDetail', {
  id: Type.String(),
  own_id: text('The gateway’s own id, which always works.'),
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
  sent_by: nullable(text('The person who sent it from the console.')),
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
  record: Type.Record(Type.String(), Type.Unknown(), { description: 'The response of GET /v1/chat/messages/{id}.' }),
})

export const SendAgain = namedObject('ConsoleSendAgain', {
  to: optional(text('Another customer than the first time.', { maxLength: 255 })),
})
export const CancelWaiting = namedObject('ConsoleCancelWaiting', {
  message_id: text('A waiting message.', { maxLength: 700 }),
})
export const SentByHand = namedObject('ConsoleSentByHand', { message_id: Type.String() })
