import Type from 'typebox'
import { Pagination } from './envelope.ts'
import { eventFamilies, eventTypes } from './events.ts'
import { momentPattern } from './moment-pattern.ts'
import { instant, named, nullable, object, oneOf, optional, ref, withHint } from './schema.ts'

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
    'Signs deliveries. `whsec_` and base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.',
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

const Url = Type.String({ minLength: 1, maxLength: 2_048, description: 'Public https address of the receiver.' })
const Description = Type.String({ maxLength: 200 })
const MaxInFlight = Type.Integer({
  minimum: 1,
  maximum: 64,
  description:
    'Deliveries under way at once, from all nodes together; 16 unless given or the operator chose otherwise. 1 sends one after the other, in order while they succeed; a failed one does not hold back the others.',
})
const MaxPerSecond = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Deliveries started per second.' })

export const WebhookDraft = named(
  'WebhookDraft',
  object({
    url: Url,
    events: EventNames,
    secret: optional(Secret),
    active: optional(Type.Boolean({ description: 'True unless given.' })),
    description: optional(Description),
    max_in_flight: optional(MaxInFlight),
    max_per_second: optional(MaxPerSecond),
  }),
)

export const WebhookChanges = named(
  'WebhookChanges',
  object(
    {
      url: optional(Url),
      events: Type.Optional(Type.Unsafe<string[] | null>({ anyOf: [EventNames, { type: 'null' }] })),
      secret: optional(Secret),
      active: optional(Type.Boolean()),
      description: optional(Description),
      max_in_flight: optional(MaxInFlight),
      max_per_second: optional(MaxPerSecond),
    },
    {
      minProperties: 1,
      description:
        'What is left out stays. `null` clears `secret`, `description` and `max_per_second`; elsewhere it is the same as leaving the field out, and a change of nothing is refused.',
    },
  ),
)

export const CreatedWebhook = named(
  'CreatedWebhook',
  object({
    id: Type.String({ description: 'Begins with `whk_`.' }),
    url: Type.String(),
    events: Type.Array(Type.String()),
    active: Type.Boolean(),
    created_at: instant(),
  }),
)

export const Webhook = named(
  'Webhook',
  object({
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    active: Type.Boolean(),
    description: nullable(Type.String()),
    max_in_flight: Type.Integer(),
    max_per_second: nullable(Type.Integer()),
    created_at: instant(),
    updated_at: instant(),
    last_triggered: nullable(instant({ description: 'Start of the latest attempt of any event.' })),
    verification: object({
      status: oneOf(['pending', 'verified', 'failed']),
      verified_at: nullable(instant()),
      last_error: nullable(Type.String()),
    }),
    disabled_at: nullable(instant()),
    disabled_reason: nullable(Type.String({ description: '`failing` or `gone`, when the service switched it off.' })),
    stats: object({
      total_sent: Type.Integer({ description: 'Events of which at least one attempt was made.' }),
      total_failed: Type.Integer({ description: 'Of those, the ones whose latest attempt failed.' }),
      success_rate: Type.Number({ description: 'Percent with two decimals; 100 before anything was sent.' }),
    }),
  }),
)

export const WebhookList = object({ webhooks: Type.Array(ref(Webhook)) })

export const DeletedWebhook = object({ id: Type.String(), deleted: Type.Literal(true) })

export const WebhookTestRequest = named('WebhookTestRequest', object({ type: oneOf(eventTypes) }))

export const Attempt = named(
  'DeliveryAttempt',
  object({
    id: Type.String(),
    number: Type.Integer({ description: '1 for the first.' }),
    trigger: oneOf(['schedule', 'manual', 'replay', 'test']),
    url: Type.String({ description: 'Where it was sent.' }),
    started_at: instant(),
    duration_ms: Type.Integer(),
    status_code: nullable(Type.Integer({ description: 'What the receiver answered; null when it did not.' })),
    error_code: nullable(Type.String()),
    error_message: nullable(Type.String()),
    remote_ip: nullable(Type.String()),
    response_headers: Type.Record(Type.String(), Type.String()),
    response_body: nullable(Type.String({ description: 'The first 4 KiB.' })),
    next_attempt_at: nullable(instant()),
    late: Type.Boolean({ description: 'Finished after another process had taken the delivery over; counts nowhere.' }),
  }),
)

export const WebhookTest = named(
  'WebhookTest',
  object({ type: oneOf(eventTypes), delivery_id: Type.String(), delivered: Type.Boolean(), attempt: ref(Attempt) }),
)

export const RotateRequest = named(
  'RotateRequest',
  object({
    secret: optional(Secret),
    overlap_seconds: optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, description: 'How long the old secret signs too; a day.' }),
    ),
  }),
)

export const RotatedSecret = named(
  'RotatedSecret',
  object({
    id: Type.String(),
    secret: Type.String({ description: 'Shown this once.' }),
    previous_secret_expires_at: nullable(
      instant({ description: 'Until then the secret that was just replaced signs too; null when there was none.' }),
    ),
    earlier_secret_ended: Type.Boolean({
      description:
        'Two secrets sign at most. True when a third, of a rotation before, was still signing: it ended with this call, before the time that was announced for it.',
    }),
  }),
)

const deliveryStatuses = [
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
  id: Type.String(),
  event_id: Type.String(),
  type: Type.String(),
  message_id: nullable(Type.String()),
  status: oneOf(deliveryStatuses),
  attempt_count: Type.Integer(),
  created_at: instant(),
  next_attempt_at: nullable(instant()),
}

export const Delivery = named('Delivery', object(deliveryFields))

export const DeliveryWithAttempts = named(
  'DeliveryWithAttempts',
  object({
    ...deliveryFields,
    request_body: nullable(Type.String({ description: 'The exact text that is sent and signed.' })),
    attempts: Type.Array(ref(Attempt)),
  }),
)

export const DeliveryList = object({ deliveries: Type.Array(ref(Delivery)), pagination: ref(Pagination) })

export const Instant = Type.String({
  pattern: momentPattern,
  examples: ['2026-11-15T10:00:00Z'],
  ...withHint('invalid_format', 'Write it like 2026-11-15T10:00:00Z, or 2026-11-15 for the start of a day in UTC.'),
})

const statusWord = `(${deliveryStatuses.join('|')})`

const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 25 })
const Cursor = Type.String({ minLength: 1, maxLength: 1_024 })

export const DeliveryQuery = object({
  status: Type.Optional(
    Type.String({
      pattern: `^${statusWord}(,${statusWord})*$`,
      description: 'One state, or several with commas between.',
      ...withHint('invalid_value', `Use one or more of ${deliveryStatuses.join(', ')}, with commas between.`),
    }),
  ),
  type: Type.Optional(oneOf(eventTypes)),
  since: Type.Optional(Instant),
  until: Type.Optional(Instant),
  message_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Limit),
})

export const ReplayRequest = named(
  'ReplayRequest',
  object({
    since: Instant,
    until: optional(Instant),
    status: optional(oneOf(['failed', 'all'], { description: 'What did not arrive (default), or everything.' })),
    events: Type.Optional(Type.Unsafe<string[] | null>({ anyOf: [EventNames, { type: 'null' }] })),
  }),
)

export const Replay = named(
  'Replay',
  object({
    replay_id: Type.String(),
    matched: Type.Integer(),
    queued: Type.Integer({ description: 'At most 10,000 a call.' }),
  }),
)

export const EventQuery = object({
  type: Type.Optional(oneOf(eventTypes)),
  since: Type.Optional(Instant),
  message_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Limit),
})

export const Event = named(
  'Event',
  object({
    id: Type.String({ description: 'The same on every repeat and for every webhook: deduplicate by it.' }),
    type: Type.String(),
    api_version: Type.String(),
    timestamp: instant({ description: 'When the gateway recorded it.' }),
    data: Type.Object({}, { additionalProperties: true }),
  }),
)

export const EventPage = object({ events: Type.Array(ref(Event)), pagination: ref(Pagination) })

const Id = Type.String({ minLength: 1, maxLength: 255 })

export const WebhookPath = object({ webhook_id: Id })
export const DeliveryPath = object({ webhook_id: Id, delivery_id: Id })
