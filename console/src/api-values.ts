// Generated from server/src/contract by scripts/generate.ts.
export const eventTypes = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.received",
  "message.failed",
  "customer.preference_changed",
  "template.status_changed",
  "webhook.failing",
  "webhook.disabled",
  "account.quota_warning"
] as const
export const scopeMeanings = {
  "messages:send": "Send messages",
  "messages:read": "Read messages",
  "templates:read": "Read templates",
  "templates:write": "Change templates",
  "media:write": "Upload media",
  "media:read": "Download media",
  "webhooks:read": "Read webhooks",
  "webhooks:write": "Change webhooks",
  "analytics:read": "Read analytics"
} as const
export const scopePresets = {
  "full": [
    "messages:send",
    "messages:read",
    "templates:read",
    "templates:write",
    "media:write",
    "media:read",
    "webhooks:read",
    "webhooks:write",
    "analytics:read"
  ],
  "send_only": [
    "messages:send",
    "media:write",
    "templates:read"
  ],
  "read_only": [
    "messages:read",
    "templates:read",
    "media:read",
    "webhooks:read",
    "analytics:read"
  ]
} as const
export const sentTypes = [
  "text",
  "template",
  "image",
  "document",
  "audio",
  "video",
  "interactive"
] as const
