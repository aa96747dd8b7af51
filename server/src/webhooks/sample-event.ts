import type { EventType } from '../contract/events.ts'
import type { WebhookWithState } from '../store/webhooks.ts'
import { sampleTemplateEvent } from '../templates/template-event.ts'
import { webhookView } from './webhook-view.ts'

/** Data of a sample event, made up but in the form of a real one of its type. */
export function sampleData(type: EventType, timestamp: string, webhook: WebhookWithState): Record<string, unknown> {
  if (type.startsWith('webhook.')) return webhookView(webhook)
  if (type === 'account.quota_warning') {
    return { policy: 'day', quota: 1_000, used: 800, window_seconds: 86_400, resets_at: timestamp }
  }
  if (type === 'template.status_changed') return sampleTemplateEvent(Date.parse(timestamp))
  return sampleMessage(type, timestamp)
}

function sampleMessage(type: EventType, timestamp: string): Record<string, unknown> {
  const inbound = type === 'message.received'
  const [business, customer] = ['+12025550199', '+12025550100']
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
    error: type === 'message.failed' ? sampleFailure : null,
    inferred: false,
    sequence: 1,
    timestamp,
    ...(inbound ? { content: { text: 'This is a test.' }, contact: { name: 'Test customer' } } : {}),
  }
}

const sampleFailure = {
  code: 'recipient_unreachable',
  message: 'The recipient cannot receive messages on this channel.',
  retryable: false,
  upstream: null,
}
