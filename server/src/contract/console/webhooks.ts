import Type from 'typebox'
import { Delivery } from '../deliveries.ts'
import { Pagination } from '../envelope.ts'
import {
  boolean,
  instant,
  integer,
  model,
  namedObject,
  nullable,
  object,
  oneOf,
  ref,
  text,
  withHint,
} from '../schema.ts'
import { Webhook } from '../webhooks.ts'

const standing = {
  webhook: ref(Webhook),
  pending: integer('Deliveries that wait for their next attempt.'),
  next_attempt_at: nullable(instant()),
  failing_since: nullable(instant({ description: 'No attempt has succeeded since.' })),
  last_success: nullable(instant({ description: 'When the latest attempt began that its present address accepted.' })),
}

export const Listener = model('ConsoleListener', 'A `postern listen` that was there within the last 24 hours.', {
  id: text('Its log is read like that of a webhook.'),
  key_name: nullable(text('The API key it listens with.')),
  connected: boolean('Whether it listens now.'),
  seen_at: instant({ description: 'When it was last heard of.' }),
})

export const WebhookStanding = namedObject('ConsoleWebhookStanding', standing)
export const WebhookStandings = namedObject('ConsoleWebhookStandings', {
  webhooks: Type.Array(ref(WebhookStanding)),
  webhooks_max: Type.Integer(),
  listeners: Type.Array(ref(Listener)),
})

export const WebhookDetail = namedObject('ConsoleWebhookDetail', {
  ...standing,
  previous_secret_until: nullable(instant({ description: 'Until then the old secret signs beside the new one.' })),
  hours: Type.Array(object({ start: instant(), delivered: Type.Integer(), failed: Type.Integer() }), {
    description: 'The last 24 hours, the running one last.',
  }),
  duration_ms_p95: nullable(integer('Of the latest attempts.')),
})

export const LoggedDelivery = namedObject('ConsoleLoggedDelivery', {
  delivery: ref(Delivery),
  status_code: nullable(integer('Of the latest attempt.')),
  error_code: nullable(Type.String()),
  duration_ms: nullable(Type.Integer()),
})
export const DeliveryLog = namedObject('ConsoleDeliveryLog', {
  deliveries: Type.Array(ref(LoggedDelivery)),
  pagination: ref(Pagination),
  attempts_max: Type.Integer(),
})

export const EventOrDelivery = object({
  id: text('Of an event or of a delivery.', {
    pattern: '^(evt|dlv)_[0-9a-z]{26,28}$',
    ...withHint('invalid_format', 'Give the id of an event (evt_…) or of a delivery (dlv_…).'),
  }),
})
export const FoundDeliveries = namedObject('ConsoleFoundDeliveries', {
  deliveries: Type.Array(
    object({
      id: Type.String(),
      webhook_id: Type.String(),
      url: Type.String(),
      type: Type.String(),
      status: Type.String(),
    }),
  ),
  message_id: nullable(text('The message the event is about.')),
})

export const ReplayPreview = namedObject('ConsoleReplayPreview', {
  matched: Type.Integer(),
  sample: Type.Array(ref(Delivery)),
})
export const ReplayPreviewQuery = object({
  since: instant(),
  status: Type.Optional(oneOf(['failed', 'all'])),
})

export const SignatureToCheck = namedObject('ConsoleSignatureToCheck', {
  id: text('The header webhook-id.', { maxLength: 255 }),
  timestamp: text('The header webhook-timestamp.', { maxLength: 32 }),
  signature: text('The header webhook-signature.', { maxLength: 2_000 }),
  body: text('The body, byte for byte.', { maxLength: 200_000 }),
})
export const CheckedSignature = namedObject('ConsoleCheckedSignature', {
  valid: Type.Boolean(),
  reason: text('One sentence: what fits, or what does not.'),
})
