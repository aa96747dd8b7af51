/** Event types a webhook may subscribe to. The first four are the specification's, the rest are additions. */
export const eventTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.received',
  'message.failed',
  'template.status_changed',
  'webhook.failing',
  'webhook.disabled',
  'account.quota_warning',
] as const

export type EventType = (typeof eventTypes)[number]
