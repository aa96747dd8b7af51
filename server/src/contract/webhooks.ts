import Type, { type Static } from 'typebox'
import { eventFamilies, eventTypes } from './events.ts'
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

const Secret = text(
  'Key that signs deliveries. `whsec_` with base64 of 24 to 64 bytes signs with those bytes; any other text of 1 to 256 printable ASCII characters signs with its characters.',
  {
    pattern: secretPattern,
    'x-secret': true,
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ...withHint('invalid_secret', secretAdvice),
  },
)

export const EventNames = Type.Unsafe<string[]>({
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

export const exampleUrl = 'https://shop.example.com/webhooks'
const exampleId = 'whk_01ka3m7y3t4d0v9v4k6q1t7r2c'
const Url = text('Public https address of the receiver.', { minLength: 1, maxLength: 2_048, examples: [exampleUrl] })
const Description = text('Your note about the webhook.', { maxLength: 200 })
const MaxInFlight = integer(
  'Deliveries sent at the same time, over all nodes. Default: 16, unless the operator has set another. 1 sends one after the other, in order while they succeed; a failed delivery does not delay the others.',
  { minimum: 1, maximum: 64 },
)
const MaxPerSecond = integer('Deliveries started per second at most. Default: no limit.', {
  minimum: 1,
  maximum: 10_000,
})

export const WebhookDraft = model('WebhookDraft', 'A new webhook.', {
  url: Url,
  events: EventNames,
  secret: optional(Secret),
  active: optional(boolean('Whether events are delivered. Default: true.')),
  description: optional(Description),
  max_in_flight: optional(MaxInFlight),
  max_per_second: optional(MaxPerSecond),
})
export type WebhookDraft = Static<typeof WebhookDraft>

export const WebhookChanges = named(
  'WebhookChanges',
  object(
    {
      url: optional(Url),
      events: optional(EventNames),
      secret: optional(Secret),
      active: optional(boolean('Whether events are delivered. True also enables a webhook that was disabled.')),
      description: optional(Description),
      max_in_flight: optional(MaxInFlight),
      max_per_second: optional(MaxPerSecond),
    },
    {
      minProperties: 1,
      description:
        'The fields to change. Fields that are left out stay as they are. `null` clears `secret`, `description` and `max_per_second`; for other fields it is the same as leaving them out. A request that changes nothing is rejected.',
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

export const CreatedWebhook = model('CreatedWebhook', 'The webhook that was created.', {
  ...stored,
  created_at: createdAt,
})

export const Webhook = model('Webhook', 'A webhook with its state.', {
  ...stored,
  masked: boolean(
    'Whether payloads have no texts and names, and only the first and last digits of numbers: true when a caller without `messages:read` chose the address.',
    { examples: [false] },
  ),
  signed: boolean('Whether deliveries are signed: true when the webhook has a secret.', { examples: [true] }),
  description: nullable(text('Your note about the webhook.', { examples: ['Shop backend'] })),
  max_in_flight: integer('Deliveries sent at the same time.', { examples: [16] }),
  max_per_second: nullable(integer('Deliveries started per second; null without a limit.', { examples: [null] })),
  created_at: createdAt,
  updated_at: instant({ description: 'When its settings last changed.' }),
  last_triggered: nullable(instant({ description: 'When the latest attempt started, of any event.' })),
  verification: part('Whether the receiver has proved that the address is yours.', {
    status: oneOf(['pending', 'verified', 'failed'], {
      description: 'Result of the latest check.',
      examples: ['verified'],
    }),
    verified_at: nullable(instant({ description: 'When the receiver last passed the check.' })),
    last_error: nullable(text('Why the latest check failed.', { examples: [null] })),
  }),
  disabled_at: nullable(instant({ description: 'When the gateway disabled the webhook.', examples: [null] })),
  disabled_reason: nullable(
    text('`failing` after three days without success, `gone` after a response with status 410.', {
      examples: [null],
    }),
  ),
  stats: part('Numbers of the webhook since it was created.', {
    total_sent: integer('Events with at least one attempt.', { examples: [120] }),
    total_failed: integer('Events whose latest attempt failed.', { examples: [0] }),
    success_rate: Type.Number({
      description: 'Percent of events delivered, with two decimals; 100 before the first.',
      examples: [100],
    }),
  }),
})

export const WebhookList = part('The webhooks of the account.', {
  webhooks: Type.Array(ref(Webhook), { description: 'Every webhook of the account.' }),
})

export const DeletedWebhook = part('The webhook that was deleted.', {
  id: webhookId,
  deleted: Type.Literal(true, { description: 'Always true.' }),
})

export const RotateRequest = named(
  'RotateRequest',
  object(
    {
      secret: optional(Secret),
      overlap_seconds: optional(
        integer('How long the old secret also signs, in seconds. Default: 86400, a day.', {
          minimum: 0,
          maximum: 2_592_000,
          examples: [3600],
        }),
      ),
    },
    { description: 'May be empty: the gateway creates the new secret.', examples: [{ overlap_seconds: 3600 }] },
  ),
)

export const RotatedSecret = model('RotatedSecret', 'The new signing secret of the webhook.', {
  id: webhookId,
  secret: text('The new secret. It is not shown again.', { examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
  previous_secret_expires_at: nullable(
    instant({ description: 'Until when the old secret also signs; null when there was none.' }),
  ),
  earlier_secret_ended: boolean(
    'At most two secrets sign. True when a third, of an earlier rotation, still signed: this call ended it early.',
    { examples: [false] },
  ),
})

export const inPath = (description: string, example: string) =>
  text(description, { minLength: 1, maxLength: 255, examples: [example] })
export const webhookPart = inPath('Id of the webhook.', exampleId)

export const WebhookPath = object({ webhook_id: webhookPart })
