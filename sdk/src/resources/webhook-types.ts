import type { Answer, Data, Filters, Input, Moment, Schemas, Word } from '../http/wire.ts'

/**
 * Name of an event, as far as this version knows them: a typing error does not compile. For the type of a newer gateway
 * write `'message.new' as EventType`.
 */
export type EventType = Schemas['WebhookTestRequest']['type']

/** What a webhook gets: a type, all types of a family, also future ones, or everything. */
export type EventSubscription = EventType | FamilyOf<EventType> | '*'

type FamilyOf<T extends string> = T extends `${infer Family}.${string}` ? `${Family}.*` : never

/** Answer of `webhooks.create()`. */
export interface CreatedWebhook extends Answer<'CreatedWebhook'> {
  events: (EventSubscription | Word)[]
}

/** A webhook. Its secret is never shown. */
export interface Webhook extends Answer<'Webhook'> {
  events: (EventSubscription | Word)[]
  /** `false` without a secret: `webhooks.verify()` would refuse every delivery. */
  signed: boolean
  /** How many deliveries may be under way at once; 1 sends one after the other, in order while they succeed. */
  maxInFlight: number
  /** `null` without a rate limit. */
  maxPerSecond: number | null
  /** Start of the latest attempt, `null` before the first. */
  lastTriggered: string | null
  /** Nothing is delivered until `status` is `verified`. */
  verification: Answer<'Webhook'>['verification']
  disabledReason: 'failing' | 'gone' | Word | null
  /** Counts events, not attempts. */
  stats: Answer<'Webhook'>['stats']
}

/** Answer of `webhooks.delete()`. */
export type DeletedWebhook = Data<'deleteWebhook'>

/** Fields of a new webhook. */
export interface WebhookDraft extends Input<'WebhookDraft'> {
  /** HTTPS address of your receiver. */
  url: string
  /** Event types; `message.*` is all of a family, also future ones, and `['*']` is everything. */
  events: readonly EventSubscription[]
  /** Signs deliveries: `whsec_` and base64 of 24 to 64 bytes, or 1 to 256 printable ASCII characters. */
  secret?: string | null
  /** Default: true. */
  active?: boolean | null
  /** 1 to 64. Default: 16. */
  maxInFlight?: number | null
}

/** Fields to change; `null` removes the secret, the description or the rate limit. */
export interface WebhookChanges extends Input<'WebhookChanges'> {
  /** A new address must answer a challenge before anything is delivered to it. */
  url?: string | null
  events?: readonly EventSubscription[] | null
  /** Replaces the old secret at once; `rotateSecret()` lets both sign for a while. */
  secret?: string | null
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt extends Answer<'DeliveryAttempt'> {
  /** 1 for the first. */
  number: number
  /** Where it was sent. */
  url: string
  /** What your receiver answered; `null` when it did not. */
  statusCode: number | null
  /** As they were sent; without the signature when the webhook was changed since. */
  requestHeaders: Record<string, string>
  /** Names as they arrived. */
  responseHeaders: Record<string, string>
  /** The first 4 KiB. */
  responseBody: string | null
  /** True when it ended after another process had taken the delivery over; it counts nowhere. */
  late: boolean
}

/** State of a delivery. */
export type DeliveryStatus = Answer<'Delivery'>['status']

/** One event on its way to one webhook. */
export interface Delivery extends Answer<'Delivery'> {
  type: EventType | Word
}

/** A delivery with everything that was tried. */
export interface DeliveryWithAttempts extends Answer<'DeliveryWithAttempts'> {
  type: EventType | Word
  /** The exact text that is sent and signed. */
  requestBody: string | null
  attempts: DeliveryAttempt[]
}

/** Filters of `webhooks.deliveries()`. */
export interface DeliveryFilters extends Omit<Filters<'listDeliveries'>, 'status' | 'type' | 'since' | 'until'> {
  status?: DeliveryStatus | readonly DeliveryStatus[]
  type?: EventType
  since?: Moment
  until?: Moment
}

/** Which sample `webhooks.test()` sends. */
export interface WebhookSample extends Omit<Input<'WebhookTestRequest'>, 'type'> {
  type: EventType
}

/** Answer of `webhooks.test()`. A receiver that failed is a result, not an error. */
export interface WebhookTest extends Answer<'WebhookTest'> {
  attempt: DeliveryAttempt
}

/** How `webhooks.rotateSecret()` replaces a secret. */
export interface RotateParams extends Input<'RotateRequest'> {
  /** Yours. Default: a new random one, which the answer shows. */
  secret?: string | null
  /** How long the old one keeps signing beside it. Default: 86400. */
  overlapSeconds?: number | null
}

/** Answer of `webhooks.rotateSecret()`, the only one that shows a secret. */
export interface RotatedSecret extends Answer<'RotatedSecret'> {
  /** Until then both secrets sign. */
  previousSecretExpiresAt: string | null
}

/** Which events to send again. */
export interface ReplayParams extends Omit<Input<'ReplayRequest'>, 'since' | 'until'> {
  /** At most 14 days ago. */
  since: Moment
  /** Default: now. */
  until?: Moment | null
  /** `failed` ones or `all`. */
  status?: 'failed' | 'all' | null
  events?: readonly EventSubscription[] | null
}

/** Answer of `webhooks.replay()`. */
export type Replay = Answer<'Replay'>
