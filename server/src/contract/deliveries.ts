import Type, { type Static } from 'typebox'
import { Pagination } from './envelope.ts'
import { at, Cursor, eventExample, Limit, messageExample, OfMessage, ofType } from './event-feed.ts'
import { eventTypes } from './events.ts'
import {
  boolean,
  instant,
  integer,
  model,
  named,
  nullable,
  object,
  oneOf,
  optional,
  part,
  ref,
  text,
  withHint,
} from './schema.ts'
import { EventNames, exampleUrl, inPath, webhookPart } from './webhooks.ts'

const sampleType = oneOf(eventTypes, { description: 'Type of the sample event.', examples: ['message.delivered'] })

export const WebhookTestRequest = model('WebhookTestRequest', 'The sample to send.', { type: sampleType })

export const Attempt = model('DeliveryAttempt', 'One attempt to deliver an event.', {
  id: text('Id of the attempt.', { examples: ['att_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
  number: integer('Number of the attempt, from 1.', { examples: [1] }),
  trigger: oneOf(['schedule', 'manual', 'replay', 'test'], { description: 'What started the attempt.' }),
  url: text('Address it was sent to.', { examples: [exampleUrl] }),
  started_at: instant({ description: 'When it started.' }),
  duration_ms: integer('How long it took, in milliseconds.', { examples: [84] }),
  status_code: nullable(integer('HTTP status of the response; null when there was none.', { examples: [200] })),
  error_code: nullable(text('Why there was no response, for example `timeout`.', { examples: [null] })),
  error_message: nullable(text('More about the error.', { examples: [null] })),
  remote_ip: nullable(text('Address the receiver had.', { examples: ['203.0.113.7'] })),
  request_headers: Type.Record(Type.String(), Type.String(), {
    description:
      'Headers of the request. `webhook-signature` is missing if the request was unsigned, if the webhook has changed since, or if the event is no longer kept.',
    examples: [{ 'webhook-id': 'evt_01ka3m7y3t4d0v9v4k6q1t7r2c', 'webhook-timestamp': '1794738602' }],
  }),
  response_headers: Type.Record(Type.String(), Type.String(), {
    description: 'Headers of the response; empty for a first attempt that succeeded.',
    examples: [{ 'content-type': 'text/plain' }],
  }),
  response_body: nullable(
    text('The first 4 KiB of the response; null for a first attempt that succeeded.', { examples: ['ok'] }),
  ),
  next_attempt_at: nullable(instant({ description: 'When the next attempt follows, if one does.', examples: [null] })),
  late: boolean(
    'True when the attempt ended after another process had taken over the delivery. Such an attempt is not counted.',
    {
      examples: [false],
    },
  ),
})

const deliveryExample = 'dlv_01ka3m7y3t4d0v9v4k6q1t7r2c'
const deliveryId = text('Id of the delivery.', { examples: [deliveryExample] })

export const WebhookTest = model('WebhookTest', 'Response of the receiver to the sample.', {
  type: sampleType,
  delivery_id: text('Id of the test in the log of the gateway. Tests are not stored, so no other call returns it.', {
    examples: [deliveryExample],
  }),
  delivered: boolean('Whether the receiver responded with status 2xx.', { examples: [true] }),
  attempt: ref(Attempt),
})

export const deliveryStatuses = [
  'held',
  'skipped',
  'pending',
  'sending',
  'delivered',
  'failed',
  'cancelled',
  'expired',
] as const
const deliveryFields = {
  id: deliveryId,
  event_id: text('Id of the event.', { examples: [eventExample] }),
  type: text('Type of the event.', { examples: ['message.delivered'] }),
  message_id: nullable(text('Id of the message the event is about.', { examples: [messageExample] })),
  status: oneOf(deliveryStatuses, {
    description:
      '`held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver returned 410, or the webhook was deleted. `expired`: it waited for as long as events are kept. A replay also sends what failed, was skipped, cancelled or expired.',
    examples: ['delivered'],
  }),
  attempt_count: integer('Attempts so far.', { examples: [1] }),
  created_at: instant({ description: 'When the event was queued for the webhook.' }),
  next_attempt_at: nullable(instant({ description: 'When the next attempt follows, if one does.', examples: [null] })),
}

export const Delivery = model('Delivery', 'One event for one webhook.', deliveryFields)

const bodyExample = `{"id":"${eventExample}","type":"message.delivered","api_version":"v1","data":{"sequence":2}}`

export const DeliveryWithAttempts = model('DeliveryWithAttempts', 'A delivery with its body and its attempts.', {
  ...deliveryFields,
  request_body: nullable(
    text('The exact text that is sent and signed; null when it is no longer kept.', { examples: [bodyExample] }),
  ),
  attempts: Type.Array(ref(Attempt), { description: 'Every attempt, in order.' }),
})

export const DeliveryList = part('A page of deliveries.', {
  deliveries: Type.Array(ref(Delivery), { description: 'The deliveries of this page.' }),
  pagination: ref(Pagination),
})

const statusWord = `(${deliveryStatuses.join('|')})`

export const DeliveryQuery = object({
  status: Type.Optional(
    text('Only deliveries with this status, or with one of several, separated by commas.', {
      pattern: `^${statusWord}(,${statusWord})*$`,
      ...withHint('invalid_value', `Use one or more of ${deliveryStatuses.join(', ')}, with commas between.`),
    }),
  ),
  type: Type.Optional(ofType),
  since: Type.Optional(at('Only deliveries created at or after this time.')),
  until: Type.Optional(at('Only deliveries created before this time.')),
  message_id: Type.Optional(OfMessage),
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Limit),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const ReplayRequest = named(
  'ReplayRequest',
  object(
    {
      since: at('Replays events recorded at or after this time.'),
      until: optional(at('Replays events recorded before this time. Default: now.')),
      status: optional(
        oneOf(['failed', 'all'], {
          description: '`failed` replays only what did not arrive, `all` everything. Default: `failed`.',
        }),
      ),
      events: optional(EventNames),
    },
    { description: 'Which events to deliver again.', examples: [{ since: '2026-11-15T10:00:00Z', status: 'failed' }] },
  ),
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const Replay = model('Replay', 'What a replay will deliver again.', {
  replay_id: text('Id of the replay.', { examples: ['rpl_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
  matched: integer('Events that match the request.', { examples: [12] }),
  queued: integer('Deliveries that were queued, at most 10,000 per call.', { examples: [12] }),
})
export type Replay = Static<typeof Replay>
export const DeliveryPath = object({
  webhook_id: webhookPart,
  delivery_id: inPath('Id of the delivery.', deliveryExample),
})
