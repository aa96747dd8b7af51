import type { EventType } from './event-types.ts'

/** Answer of `webhooks.create()`. */
export interface CreatedWebhook {
  id: string
  url: string
  events: EventType[]
  active: boolean
  createdAt: string
}

/** A webhook. Its secret is never shown. */
export interface Webhook extends CreatedWebhook {
  description: string | null
  /** How many deliveries may be under way at once; 1 keeps strict order. */
  maxInFlight: number
  /** `null` when deliveries are not paced. */
  maxPerSecond: number | null
  updatedAt: string
  /** Start of the latest attempt, `null` before the first. */
  lastTriggered: string | null
  verification: {
    /** Nothing is delivered until `verified`. */
    status: 'pending' | 'verified' | 'failed' | (string & {})
    verifiedAt: string | null
    lastError: string | null
  }
  disabledAt: string | null
  disabledReason: 'failing' | 'gone' | (string & {}) | null
  /** Counts events, not attempts. */
  stats: { totalSent: number; totalFailed: number; successRate: number }
}

/** Fields of a new webhook. */
export interface WebhookDraft {
  /** HTTPS address of your receiver. */
  url: string
  /** Event types, or `['*']` for all, also future ones. */
  events: readonly EventType[]
  /** Signs deliveries: `whsec_` and base64 of 24 to 64 bytes, or 1 to 256 printable ASCII characters. */
  secret?: string
  /** Default: true. */
  active?: boolean
  description?: string
  /** 1 to 64. Default: 16. */
  maxInFlight?: number
  maxPerSecond?: number
}

/** Fields to change; `null` removes the secret or the description. */
export interface WebhookChanges {
  /** A new address must answer a challenge before anything is delivered to it. */
  url?: string
  events?: readonly EventType[]
  active?: boolean
  /** Replaces the old secret at once; `rotateSecret()` lets both sign for a while. */
  secret?: string | null
  description?: string | null
  maxInFlight?: number
  maxPerSecond?: number | null
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  id: string
  /** 1 for the first. */
  number: number
  trigger: 'schedule' | 'test' | 'manual' | 'replay' | (string & {})
  startedAt: string
  durationMs: number
  /** What your receiver answered; `null` when it did not. */
  statusCode: number | null
  errorCode: string | null
  errorMessage: string | null
  remoteIp: string | null
  /** Names as they arrived. */
  responseHeaders: Record<string, string>
  /** The first 4 KiB. */
  responseBody: string | null
  nextAttemptAt: string | null
}

/** State of a delivery. */
export type DeliveryStatus =
  | 'held'
  | 'skipped'
  | 'pending'
  | 'sending'
  | 'delivered'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | (string & {})

/** One event on its way to one webhook. */
export interface Delivery {
  id: string
  eventId: string
  type: EventType
  messageId: string | null
  status: DeliveryStatus
  createdAt: string
  nextAttemptAt: string | null
}

/** A delivery with everything that was tried. */
export interface DeliveryWithAttempts extends Delivery {
  attempts: DeliveryAttempt[]
}

/** Filters of `webhooks.deliveries()`. */
export interface DeliveryFilters {
  status?: DeliveryStatus | readonly DeliveryStatus[]
  type?: EventType
  since?: string | Date
  until?: string | Date
  messageId?: string
  limit?: number
  cursor?: string
}

/** Answer of `webhooks.test()`. A receiver that failed is a result, not an error. */
export interface WebhookTest {
  type: EventType
  deliveryId: string
  delivered: boolean
  attempt: DeliveryAttempt
}

/** Answer of `webhooks.rotateSecret()`, the only one that shows a secret. */
export interface RotatedSecret {
  id: string
  secret: string
  /** Until then both secrets sign. */
  previousSecretExpiresAt: string | null
}

/** Which events to send again. */
export interface ReplayParams {
  /** At most 14 days ago. */
  since: string | Date
  /** Default: now. */
  until?: string | Date
  /** `failed` ones or `all`. */
  status?: 'failed' | 'all'
  events?: readonly EventType[]
}

/** Answer of `webhooks.replay()`. */
export interface Replay {
  replayId: string
  matched: number
  queued: number
}
