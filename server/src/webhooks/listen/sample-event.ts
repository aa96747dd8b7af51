import type { EventType } from '../../contract/events.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import type { WebhookWithState } from '../../store/webhooks/webhooks.ts'
import { sampleTemplateEvent } from '../../templates/template-event.ts'
import { webhookView } from '../webhook-view.ts'

/** What the caller wants to see in a `message.received`. */
export type Wording = { from?: string | null | undefined; text?: string | null | undefined }

/** A made-up event of its own id, in the form of a real one. Without a webhook, one about webhooks is about none of yours. */
export function buildSample(
  rt: Pick<Runtime, 'newId' | 'clock'>,
  type: EventType,
  webhook: WebhookWithState | null,
  wording: Wording = {},
): { eventId: string; body: string } {
  const eventId = rt.newId('evt')
  const now = rt.clock.now()
  const timestamp = formatInstant(now)
  const data = sampleData(type, timestamp, webhook ?? noWebhook(now), wording)
  return { eventId, body: JSON.stringify({ id: eventId, type, api_version: 'v1', timestamp, data }) }
}

function sampleData(
  type: EventType,
  timestamp: string,
  webhook: WebhookWithState,
  wording: Wording,
): Record<string, unknown> {
  if (type.startsWith('webhook.')) return webhookView(webhook)
  if (type === 'account.quota_warning') {
    return { policy: 'day', quota: 1_000, used: 800, window_seconds: 86_400, resets_at: timestamp }
  }
  if (type === 'customer.preference_changed') {
    const customer = wording.from ?? '+12025550100'
    const about = { customer, user_id: null, phone_number: '+12025550199', category: 'marketing' }
    return { ...about, preference: 'opted_out', timestamp }
  }
  if (type === 'template.status_changed') return sampleTemplateEvent(Date.parse(timestamp))
  return sampleMessage(type, timestamp, wording)
}

function sampleMessage(type: EventType, timestamp: string, { from, text }: Wording): Record<string, unknown> {
  const inbound = type === 'message.received'
  const [business, customer] = ['+12025550199', from ?? '+12025550100']
  return {
    message_id: 'sample.message',
    direction: inbound ? 'inbound' : 'outbound',
    type: 'text',
    from: inbound ? customer : business,
    to: inbound ? business : customer,
    user_id: null,
    status: type.slice('message.'.length),
    template: null,
    language: null,
    client_reference: null,
    reply_to: null,
    group_id: null,
    error: type === 'message.failed' ? sampleFailure : null,
    inferred: false,
    sequence: 1,
    timestamp,
    ...(inbound ? { content: { text: text ?? 'This is a test.' }, contact: { name: 'Test customer' } } : {}),
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
    url: 'https://receiver.example/hooks',
    events: ' * ',
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
