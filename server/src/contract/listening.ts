import Type, { type Static } from 'typebox'
import { eventFamilies, eventTypes } from './events.ts'
import { named, nullable, object, oneOf, optional, ref, withHint } from './schema.ts'
import { Instant } from './webhooks.ts'

/** What may be listened to: one type, all of a family (`message.*`), or everything (`*`). */
export const eventPatterns: readonly string[] = ['*', ...eventFamilies, ...eventTypes]
const word = `(${eventPatterns.map((one) => one.replace(/[.*]/g, '\\$&')).join('|')})`

export const ListenQuery = object({
  events: Type.Optional(
    Type.String({
      pattern: `^${word}(,${word})*$`,
      description: 'Event types with commas between; `message.*` is all of a family. Everything without it.',
      examples: ['message.*,template.status_changed'],
      ...withHint('invalid_value', `Use one or more of ${eventPatterns.join(', ')}, with commas between.`),
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_024, description: 'The `id` of the last event that was dealt with.' }),
  ),
  since: Type.Optional({
    ...Instant,
    description: 'Without a cursor: begin with the events recorded since then instead of with the next one.',
  }),
})

export const ForwardReport = named(
  'ForwardReport',
  object({
    receipt: Type.String({ minLength: 1, maxLength: 2_048, description: 'As it came with the delivery.' }),
    url: Type.String({ minLength: 1, maxLength: 2_048, description: 'Where it was posted.' }),
    duration_ms: Type.Integer({ minimum: 0, maximum: 60_000 }),
    status_code: optional(Type.Integer({ minimum: 100, maximum: 599, description: 'Absent when no answer came.' })),
    error_code: optional(
      oneOf(['timeout', 'connection_reset', 'connection_refused', 'dns_error', 'tls_error', 'protocol_error'], {
        description: 'Why there was no answer.',
      }),
    ),
    error_message: optional(Type.String({ maxLength: 300 })),
    response_body: optional(Type.String({ maxLength: 4_096, description: 'The first 4 KiB are kept.' })),
  }),
)

export type ForwardReport = Static<typeof ForwardReport>

export const ForwardRecord = named(
  'ForwardRecord',
  object({ webhook_id: Type.String(), delivery_id: Type.String(), status: oneOf(['delivered', 'failed']) }),
)

export const TriggerRequest = named(
  'TriggerRequest',
  object({
    type: oneOf(eventTypes),
    from: optional(
      Type.String({
        pattern: '^\\+[1-9][0-9]{6,14}$',
        description: 'Phone number of the customer who writes; for `message.received` only.',
        examples: ['+12025550100'],
        ...withHint('invalid_phone_number', "Start with '+' and the country code, for example +351912345678."),
      }),
    ),
    text: optional(
      Type.String({
        maxLength: 4_096,
        pattern: '\\S',
        description: 'What the customer writes; for `message.received` only.',
        ...withHint('too_short', 'Give at least one character that is not white space.', ['pattern']),
      }),
    ),
  }),
)

export type TriggerRequest = Static<typeof TriggerRequest>

const TriggeredWebhook = named(
  'TriggeredWebhook',
  object({
    id: Type.String(),
    url: Type.String(),
    delivered: nullable(Type.Boolean({ description: 'How a sample was answered; null for an event on its way.' })),
    status_code: nullable(Type.Integer()),
    error_code: nullable(Type.String()),
  }),
)

export const Triggered = named(
  'TriggeredEvent',
  object({
    type: oneOf(eventTypes),
    method: oneOf(['customer_wrote', 'sample', 'sample_to_listeners'], {
      description:
        'A customer of the sandbox wrote; or a sample went to webhooks and listeners; or, on an account with a live number, to listeners only.',
    }),
    from: nullable(Type.String({ description: 'The customer who wrote.' })),
    to: nullable(Type.String({ description: 'The sandbox number that was written to.' })),
    message_id: nullable(Type.String({ description: 'Of the message the customer wrote.' })),
    listeners: Type.Integer({ description: 'Clients of `GET /v1/listen` in this account, one per API key.' }),
    webhooks: Type.Array(ref(TriggeredWebhook), { description: 'Webhooks that asked for the type and get it.' }),
  }),
)
