import Type, { type Static } from 'typebox'
import { Instant } from './event-feed.ts'
import { eventFamilies, eventTypes } from './events.ts'
import { boolean, integer, model, nullable, object, oneOf, optional, ref, text, withHint } from './schema.ts'

/** The filters of a listener: one type, a family (`message.*`), or everything (`*`). */
export const eventPatterns: readonly string[] = ['*', ...eventFamilies, ...eventTypes]
const word = `(${eventPatterns.map((one) => one.replace(/[.*]/g, '\\$&')).join('|')})`

export const ListenQuery = object({
  events: Type.Optional(
    text('Event types, separated by commas; `message.*` is all of a family. Default: everything.', {
      pattern: `^${word}(,${word})*$`,
      examples: ['message.*,template.status_changed'],
      ...withHint('invalid_value', `Use one or more of ${eventPatterns.join(', ')}, with commas between.`),
    }),
  ),
  cursor: Type.Optional(
    text('The `id` of the last event you handled; the stream continues after it.', { minLength: 1, maxLength: 1_024 }),
  ),
  since: Type.Optional({
    ...Instant,
    description: 'Without `cursor`: start with the events recorded since then instead of the next one.',
  }),
})

export const ForwardReport = model('ForwardReport', 'The response of your machine to a delivery.', {
  receipt: text('The `receipt` of the delivery.', {
    minLength: 1,
    maxLength: 2_048,
    examples: ['rct_8Fq2LrT0aB3cD4eF5gHx91T'],
  }),
  url: text('Address the delivery was posted to.', {
    minLength: 1,
    maxLength: 2_048,
    examples: ['http://localhost:3000/webhooks'],
  }),
  duration_ms: integer('Milliseconds until the response.', { minimum: 0, maximum: 60_000, examples: [12] }),
  status_code: optional(
    integer('HTTP status of the response; leave it out when there was none.', {
      minimum: 100,
      maximum: 599,
      examples: [200],
    }),
  ),
  error_code: optional(
    oneOf(['timeout', 'connection_reset', 'connection_refused', 'dns_error', 'tls_error', 'protocol_error'], {
      description: 'Why there was no response.',
    }),
  ),
  error_message: optional(text('More about the error, for the log.', { maxLength: 300 })),
  response_headers: optional(
    Type.Record(Type.String(), Type.String({ maxLength: 8_192 }), {
      maxProperties: 100,
      description: 'Headers of the response, for the log.',
      examples: [{ 'content-type': 'text/plain' }],
    }),
  ),
  response_body: optional(text('Body of the response, at most 4 KiB.', { maxLength: 4_096, examples: ['ok'] })),
})

export type ForwardReport = Static<typeof ForwardReport>

export const ForwardRecord = model('ForwardRecord', 'The delivery as the log has it now.', {
  webhook_id: text('Id of the listener, as in its first message.', {
    examples: ['whk_01ka3m7y3t4d0v9v4k6q1t7r2c'],
  }),
  delivery_id: text('Id of the delivery.', { examples: ['dlv_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
  status: oneOf(['delivered', 'failed'], { description: '`delivered` after a response with status 2xx.' }),
})

export const TriggerRequest = model('TriggerRequest', 'The event to cause.', {
  type: oneOf(eventTypes, { description: 'Type of the event to cause.', examples: ['message.received'] }),
  from: optional(
    text('Phone number of the customer who writes; for `message.received` only.', {
      pattern: '^\\+[1-9][0-9]{6,14}$',
      examples: ['+12025550100'],
      ...withHint('invalid_phone_number', "Start with '+' and the country code, for example +351912345678."),
    }),
  ),
  text: optional(
    text('What the customer writes; for `message.received` only.', {
      maxLength: 4_096,
      pattern: '\\S',
      ...withHint('too_short', 'Give at least one character that is not white space.', ['pattern']),
      examples: ['Where is my order?'],
    }),
  ),
})

export type TriggerRequest = Static<typeof TriggerRequest>

const TriggeredWebhook = model('TriggeredWebhook', 'A webhook that gets the event.', {
  id: text('Id of the webhook.', { examples: ['whk_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
  url: text('Address of the webhook.', { examples: ['https://shop.example.com/webhooks'] }),
  delivered: nullable(
    boolean('Whether the receiver accepted the sample; null for an event whose delivery is in progress.', {
      examples: [null],
    }),
  ),
  status_code: nullable(integer('HTTP status of the receiver, if known.', { examples: [null] })),
  error_code: nullable(text('Why there was no response.', { examples: [null] })),
})

export const Triggered = model('TriggeredEvent', 'How the event was triggered.', {
  type: oneOf(eventTypes, { description: 'Type of the event.', examples: ['message.received'] }),
  method: oneOf(['customer_wrote', 'sample', 'sample_to_listeners'], {
    description:
      '`customer_wrote`: a customer of the sandbox wrote. `sample`: webhooks and listeners got a sample. `sample_to_listeners`: the account has a live number, so only listeners got it.',
  }),
  from: nullable(text('Phone number of the customer who wrote.', { examples: ['+12025550100'] })),
  to: nullable(text('The sandbox number the customer wrote to.', { examples: ['+15550100001'] })),
  message_id: nullable(
    text('Id of the message the customer wrote.', { examples: ['wamid.HBgLMTIwMjU1NTAxMDAVAgASGBQz'] }),
  ),
  listeners: integer('Clients of `GET /v1/listen` in this account, one per API key.', { examples: [1] }),
  webhooks: Type.Array(ref(TriggeredWebhook), { description: 'Webhooks that get the event.' }),
})
export type Triggered = Static<typeof Triggered>
