import { type EventType, events } from '../../contract/events.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import type { WebhookWithState } from '../../store/webhooks/webhooks.ts'
import { sampleTemplateEvent } from '../../templates/template-event.ts'
import { webhookView } from '../webhook-view.ts'

/** What the caller wants to see in a `message.received`. */
export type Wording = { from?: string | null | undefined; text?: string | null | undefined }

type About = { type: EventType; at: number; webhook: WebhookWithState; wording: Wording }
type WithSample = { [T in EventType]: (typeof events)[T] extends { sample: unknown } ? T : never }[EventType]

/** Events whose data is the API's view of a resource. One that has no sample in the contract does not compile without a row here. */
const builders: Record<Exclude<EventType, WithSample>, (about: About) => Record<string, unknown>> = {
  'message.sent': sampleMessage,
  'message.delivered': sampleMessage,
  'message.read': sampleMessage,
  'message.received': sampleMessage,
  'message.failed': sampleMessage,
  'message.canceled': sampleMessage,
  'message.standby': sampleMessage,
  'message.echoed': sampleMessage,
  'template.status_changed': ({ at }) => sampleTemplateEvent(at),
  'template.quality_changed': ({ at }) => sampleTemplateEvent(at, 'quality'),
  'template.category_changed': ({ at }) => sampleTemplateEvent(at, 'category'),
  'template.category_change_announced': ({ at }) => sampleTemplateEvent(at, 'announced'),
  'webhook.failing': ({ webhook }) => webhookView(webhook),
  'webhook.disabled': ({ webhook }) => webhookView(webhook),
}

/** A made-up event of its own id, in the form of a real one. Without a webhook, one about webhooks is about none of yours. */
export function buildSample(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  type: EventType,
  webhook: WebhookWithState | null,
  wording: Wording = {},
): { eventId: string; body: string } {
  const eventId = rt.newId('evt')
  const at = rt.clock.now()
  const data = sampleData({ type, at, webhook: webhook ?? noWebhook(at), wording })
  return { eventId, body: JSON.stringify({ id: eventId, type, api_version: 'v1', timestamp: formatInstant(at), data }) }
}

function sampleData(about: About): Record<string, unknown> {
  const row = events[about.type]
  if ('sample' in row) return row.sample({ at: formatInstant(about.at), customer: customerOf(about.wording) })
  return builders[about.type as keyof typeof builders](about)
}

function customerOf({ from }: Wording): string {
  return from ?? '+12025550100'
}

function sampleMessage({ type, at, wording }: About): Record<string, unknown> {
  const inbound = type === 'message.received' || type === 'message.standby'
  const origin = type === 'message.standby' ? 'standby' : type === 'message.echoed' ? 'business_app' : null
  const [business, customer] = ['+12025550199', customerOf(wording)]
  return {
    message_id: 'sample.message',
    direction: inbound ? 'inbound' : 'outbound',
    type: 'text',
    from: inbound ? customer : business,
    to: inbound ? business : customer,
    user_id: null,
    customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
    status: inbound ? 'received' : origin === null ? type.slice('message.'.length) : 'sent',
    template: null,
    language: null,
    client_reference: null,
    reply_to: null,
    group_id: null,
    error: type === 'message.failed' ? sampleFailure : null,
    inferred: false,
    sequence: 1,
    timestamp: formatInstant(at),
    ...(inbound || origin !== null ? { content: { text: wording.text ?? 'This is a test.' } } : {}),
    ...(inbound ? { contact: { name: 'Test customer' } } : {}),
    ...(origin === null ? {} : { origin }),
  }
}

const sampleFailure = {
  code: 'recipient_unreachable',
  message: 'The recipient cannot receive messages on this channel.',
  retryable: false,
  upstream: null,
}

function noWebhook(now: number): WebhookWithState {
  return {
    id: 'whk_sample',
    account_id: '',
    kind: 'events',
    url: 'https://receiver.example/hooks',
    events: ' * ',
    masked: 0,
    active: 0,
    description: null,
    max_in_flight: 16,
    max_per_second: null,
    secret: null,
    previous_secret: null,
    previous_secret_until: null,
    verification: 'verified',
    verified_at: now,
    verification_error: null,
    verification_attempts: 1,
    verification_due_at: null,
    disabled_at: now,
    disabled_reason: 'failing',
    created_at: now,
    updated_at: now,
    revision: 1,
    total_sent: 10,
    total_failed: 10,
    last_triggered: now,
    failing_since: now,
  }
}
