import Type, { type Static } from 'typebox'
import { Pagination } from './envelope.ts'
import { eventFamilies, eventTypes } from './events.ts'
import { momentPattern } from './moment-pattern.ts'
import { boolean, instant, integer, named, nullable, object, oneOf, optional, ref, text, withHint } from './schema.ts'

/** The form of a webhook secret; the verbs read it with the same rules. */
const secretDigit = '[A-Za-z0-9+/]'
const secretEncoded = [
  `(?:${secretDigit}{4}){8,21}`,
  `(?:${secretDigit}{4}){8,21}${secretDigit}[AQgw]==`,
  `(?:${secretDigit}{4}){8,20}${secretDigit}{2}[AEIMQUYcgkosw048]=`,
].join('|')

/**
 * `whsec_` with canonical base64 of 24 to 64 bytes, or 1 to 256 printable ASCII characters with another beginning.
 * Receivers' libraries read characters beyond ASCII in different ways, and lenient base64 would turn a typing error into
 * a key of two bytes; both are refused.
 */
export const secretPattern = `^(?:whsec_(?:${secretEncoded})|(?!whsec_|whsk_)[\\x20-\\x7e]{1,256})$`

export const secretAdvice =
  'Give whsec_ and base64 of 24 to 64 bytes, or drop the prefix and use 1 to 256 printable ASCII characters.'

const Secret = Type.String({
  pattern: secretPattern,
  'x-secret': true,
  description:
    'Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ...withHint('invalid_secret', secretAdvice),
})

const EventNames = Type.Unsafe<string[]>({
  type: 'array',
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  anyOf: [
    { type: 'array', items: { type: 'string', enum: [...eventTypes, ...eventFamilies] } },
    { type: 'array', maxItems: 1, items: { type: 'string', enum: ['*'] } },
  ],
  description:
    'Event types, each once; `message.*` is all of a family, also future ones, and `["*"]` alone is everything.',
  examples: [['message.delivered', 'message.read']],
})

const exampleUrl = 'https://shop.example.com/webhooks'
const exampleId = 'whk_01ka3m7y3t4d0v9v4k6q1t7r2c'
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Public https address of the receiver.',
  examples: [exampleUrl],
})
const Description = text('Your note about the webhook.', { maxLength: 200 })
const MaxInFlight = Type.Integer({
  minimum: 1,
  maximum: 64,
  description:
    'Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others.',
})
const MaxPerSecond = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'Deliveries started per second at most. Default: no limit.',
})

export const WebhookDraft = named(
  'WebhookDraft',
  object(
    {
      url: Url,
      events: EventNames,
      secret: optional(Secret),
      active: optional(Type.Boolean({ description: 'Whether events are delivered. Default: true.' })),
      description: optional(Description),
      max_in_flight: optional(MaxInFlight),
      max_per_second: optional(MaxPerSecond),
    },
    { description: 'A new webhook.' },
  ),
)
export type WebhookDraft = Static<typeof WebhookDraft>

export const WebhookChanges = named(
  'WebhookChanges',
  object(
    {
      url: optional(Url),
      events: optional(EventNames),
      secret: optional(Secret),
      active: optional(boolean('Whether events are delivered. True also switches on a webhook that was disabled.')),
      description: optional(Description),
      max_in_flight: optional(MaxInFlight),
      max_per_second: optional(MaxPerSecond),
    },
    {
      minProperties: 1,
      description:
        'The fields to change. Fields that are left out stay as they are. `null` clears `secret`, `description` and `max_per_second`; for other fields it is the same as leaving them out. A request that changes nothing is refused.',
      examples: [{ events: ['message.*'], active: true }],
    },
  ),
)
export type WebhookChanges = Static<typeof WebhookChanges>

const webhookId = text('Id of the webhook, `whk_…`.', { examples: [exampleId] })
const createdAt = instant({ description: 'When the webhook was created.' })
const stored = {
  id: webhookId,
  url: text('Address of the receiver.', { examples: [exampleUrl] }),
  events: Type.Array(Type.String(), {
    description: 'Event types the webhook gets.',
    examples: [['message.delivered', 'message.read']],
  }),
  active: boolean('Whether events are delivered.', { examples: [true] }),
}

export const CreatedWebhook = named(
  'CreatedWebhook',
  object(
    {
      ...stored,
      created_at: createdAt,
    },
    { description: 'The webhook that was created.' },
  ),
)

export const Webhook = named(
  'Webhook',
  object(
    {
      ...stored,
      description: nullable(text('Your note about the webhook.', { examples: ['Shop backend'] })),
      max_in_flight: integer('Deliveries sent at the same time.', { examples: [16] }),
      max_per_second: nullable(integer('Deliveries started per second; null without a limit.', { examples: [null] })),
      created_at: createdAt,
      updated_at: instant({ description: 'When its settings last changed.' }),
      last_triggered: nullable(instant({ description: 'When the latest attempt started, of any event.' })),
      verification: object(
        {
          status: oneOf(['pending', 'verified', 'failed'], {
            description: 'Result of the latest check.',
            examples: ['verified'],
          }),
          verified_at: nullable(instant({ description: 'When the receiver last passed the check.' })),
          last_error: nullable(text('Why the latest check failed.', { examples: [null] })),
        },
        { description: 'Whether the receiver has proved that the address is yours.' },
      ),
      disabled_at: nullable(instant({ description: 'When the gateway disabled the webhook.', examples: [null] })),
      disabled_reason: nullable(
        text('`failing` after three days without success, `gone` after a response with status 410.', {
          examples: [null],
        }),
      ),
      stats: object(
        {
          total_sent: Type.Integer({ description: 'Events with at least one attempt.', examples: [120] }),
          total_failed: Type.Integer({ description: 'Events whose latest attempt failed.', examples: [0] }),
          success_rate: Type.Number({
            description: 'Percent of events delivered, with two decimals; 100 before the first.',
            examples: [100],
          }),
        },
        { description: 'Numbers of the webhook since it was created.' },
      ),
    },
    { description: 'A webhook with its state.' },
  ),
)

export const WebhookList = object(
  { webhooks: Type.Array(ref(Webhook), { description: 'Every webhook of the account.' }) },
  { description: 'The webhooks of the account.' },
)

export const DeletedWebhook = object(
  { id: webhookId, deleted: Type.Literal(true, { description: 'Always true.' }) },
  { description: 'The webhook that was deleted.' },
)

const sampleType = oneOf(eventTypes, { description: 'Type of the sample event.', examples: ['message.delivered'] })

export const WebhookTestRequest = named(
  'WebhookTestRequest',
  object({ type: sampleType }, { description: 'The sample to send.' }),
)

export const Attempt = named(
  'DeliveryAttempt',
  object(
    {
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
        description: 'Headers of the response.',
        examples: [{ 'content-type': 'text/plain' }],
      }),
      response_body: nullable(text('The first 4 KiB of the response.', { examples: ['ok'] })),
      next_attempt_at: nullable(
        instant({ description: 'When the next attempt follows, if one does.', examples: [null] }),
      ),
      late: boolean(
        'True when the attempt ended after another process had taken over the delivery. Such an attempt is not counted.',
        {
          examples: [false],
        },
      ),
    },
    { description: 'One attempt to deliver an event.' },
  ),
)

const deliveryExample = 'dlv_01ka3m7y3t4d0v9v4k6q1t7r2c'
const deliveryId = text('Id of the delivery.', { examples: [deliveryExample] })

export const WebhookTest = named(
  'WebhookTest',
  object(
    {
      type: sampleType,
      delivery_id: deliveryId,
      delivered: boolean('Whether the receiver answered with status 2xx.', { examples: [true] }),
      attempt: ref(Attempt),
    },
    { description: 'How the receiver answered the sample.' },
  ),
)

export const RotateRequest = named(
  'RotateRequest',
  object(
    {
      secret: optional(Secret),
      overlap_seconds: optional(
        Type.Integer({
          minimum: 0,
          maximum: 2_592_000,
          description: 'How long the old secret signs too, in seconds. Default: 86400, a day.',
          examples: [3600],
        }),
      ),
    },
    { description: 'May be empty: the gateway makes the new secret.', examples: [{ overlap_seconds: 3600 }] },
  ),
)

export const RotatedSecret = named(
  'RotatedSecret',
  object(
    {
      id: webhookId,
      secret: text('The new secret. It is not shown again.', { examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
      previous_secret_expires_at: nullable(
        instant({ description: 'Until when the old secret signs too; null when there was none.' }),
      ),
      earlier_secret_ended: Type.Boolean({
        description:
          'At most two secrets sign. True when a third, of an earlier rotation, still signed: this call ended it early.',
        examples: [false],
      }),
    },
    { description: 'The new signing secret of the webhook.' },
  ),
)

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

const eventExample = 'evt_01ka3m7y3t4d0v9v4k6q1t7r2c'
const messageExample = 'wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2'
const deliveryFields = {
  id: deliveryId,
  event_id: text('Id of the event.', { examples: [eventExample] }),
  type: text('Type of the event.', { examples: ['message.delivered'] }),
  message_id: nullable(text('Id of the message the event is about.', { examples: [messageExample] })),
  status: oneOf(deliveryStatuses, {
    description:
      '`held` waits until the webhook is verified, `pending` for its next attempt; `sending` is under way, `delivered` succeeded, `failed` used up its attempts. `skipped`: the webhook was inactive, or its verification failed or took more than a day. `cancelled`: the receiver answered 410, or the webhook was deleted. `expired`: more than 100,000 were waiting. A replay also sends what failed, was skipped, cancelled or expired.',
    examples: ['delivered'],
  }),
  attempt_count: integer('Attempts so far.', { examples: [1] }),
  created_at: instant({ description: 'When the event was queued for the webhook.' }),
  next_attempt_at: nullable(instant({ description: 'When the next attempt follows, if one does.', examples: [null] })),
}

export const Delivery = named('Delivery', object(deliveryFields, { description: 'One event for one webhook.' }))

const bodyExample = `{"id":"${eventExample}","type":"message.delivered","api_version":"v1","data":{"sequence":2}}`

export const DeliveryWithAttempts = named(
  'DeliveryWithAttempts',
  object(
    {
      ...deliveryFields,
      request_body: nullable(
        text('The exact text that is sent and signed; null when it is no longer kept.', { examples: [bodyExample] }),
      ),
      attempts: Type.Array(ref(Attempt), { description: 'Every attempt, in order.' }),
    },
    { description: 'A delivery with its body and its attempts.' },
  ),
)

export const DeliveryList = object(
  {
    deliveries: Type.Array(ref(Delivery), { description: 'The deliveries of this page.' }),
    pagination: ref(Pagination),
  },
  { description: 'A page of deliveries.' },
)

export const Instant = Type.String({
  pattern: momentPattern,
  examples: ['2026-11-15T10:00:00Z'],
  ...withHint('invalid_format', 'Write it like 2026-11-15T10:00:00Z, or 2026-11-15 for the start of a day in UTC.'),
})

const statusWord = `(${deliveryStatuses.join('|')})`

const Limit = integer('Entries per page.', { minimum: 1, maximum: 100, default: 25 })
const Cursor = text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })
const ofType = oneOf(eventTypes, { description: 'Only events of this type.' })
const OfMessage = text('Only events of this message.', { minLength: 1, maxLength: 255 })
const at = (description: string) => ({ ...Instant, description })

export const DeliveryQuery = object({
  status: Type.Optional(
    Type.String({
      pattern: `^${statusWord}(,${statusWord})*$`,
      description: 'Only deliveries with this status, or with one of several, separated by commas.',
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

export const Replay = named(
  'Replay',
  object(
    {
      replay_id: text('Id of the replay.', { examples: ['rpl_01ka3m7y3t4d0v9v4k6q1t7r2c'] }),
      matched: integer('Events that match the request.', { examples: [12] }),
      queued: integer('Deliveries that were queued, at most 10,000 per call.', { examples: [12] }),
    },
    { description: 'What a replay will deliver again.' },
  ),
)
export type Replay = Static<typeof Replay>

export const EventQuery = object({
  type: Type.Optional(ofType),
  since: Type.Optional(at('Without `cursor`: only events recorded at or after this time.')),
  message_id: Type.Optional(OfMessage),
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Limit),
})
export type EventQuery = Static<typeof EventQuery>

export const Event = named(
  'Event',
  object(
    {
      id: text('Id of the event, the same for every webhook and every retry. Use it to ignore repeats.', {
        examples: [eventExample],
      }),
      type: text('Type of the event.', { examples: ['message.delivered'] }),
      api_version: text('Version of the API the event is written in.', { examples: ['v1'] }),
      timestamp: instant({ description: 'When the gateway recorded it.' }),
      data: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The message, template, webhook or quota the event is about.',
          examples: [{ sequence: 2, message_id: messageExample, status: 'delivered' }],
        },
      ),
    },
    { description: 'Something that happened.' },
  ),
)
export type Event = Static<typeof Event>

export const EventPage = object(
  {
    events: Type.Array(ref(Event), { description: 'The events of this page, in order.' }),
    pagination: ref(Pagination),
  },
  { description: 'A page of events.' },
)

const inPath = (description: string, example: string) =>
  text(description, { minLength: 1, maxLength: 255, examples: [example] })
const webhookPart = inPath('Id of the webhook.', exampleId)

export const WebhookPath = object({ webhook_id: webhookPart })
export const DeliveryPath = object({
  webhook_id: webhookPart,
  delivery_id: inPath('Id of the delivery.', deliveryExample),
})
