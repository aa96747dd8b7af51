import type { ExceededLimit } from '../errors.ts'
import type { MessageContent, MessageFailure, MessageStatus } from './message-types.ts'
import type { Template, TemplateStatus } from './templates.ts'
import type { Webhook } from './webhook-types.ts'

/** Name of an event; more can appear. */
export type EventType = PosternEvent['type'] | (string & {})

/** What every event has. `T` is its name, `D` its data. */
export interface EventOf<T extends string, D> {
  /** The same on every repeat and for every webhook: deduplicate by it. */
  id: string
  type: T
  apiVersion: string
  /** When the gateway recorded it. */
  timestamp: string
  data: D
}

/** Data of the events about a message. */
export interface MessageEventData {
  messageId: string
  direction: 'outbound' | 'inbound' | (string & {})
  type: string
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  from: string | null
  to: string | null
  userId: string | null
  status: MessageStatus
  template: string | null
  language: string | null
  clientReference: string | null
  replyTo: string | null
  error: MessageFailure | null
  /** True when a later event proves this one. */
  inferred: boolean
  /** Counts the events of this message from 1, so that a late one can be told. */
  sequence: number
  /** The platform's time. */
  timestamp: string
}

/** Data of `message.received`. */
export interface ReceivedMessageData extends MessageEventData {
  content: MessageContent | null
  contact: { name: string | null } | null
}

/** Everything that can happen. Newer gateways can send types that are not listed: have a default branch. */
export type PosternEvent =
  | EventOf<'message.sent', MessageEventData>
  | EventOf<'message.delivered', MessageEventData>
  | EventOf<'message.read', MessageEventData>
  | EventOf<'message.failed', MessageEventData & { error: MessageFailure }>
  | EventOf<'message.received', ReceivedMessageData>
  | EventOf<'template.status_changed', Template & { previousStatus: TemplateStatus }>
  | EventOf<'webhook.failing', Webhook>
  | EventOf<'webhook.disabled', Webhook>
  | EventOf<'account.quota_warning', ExceededLimit>

/** The request that proves a webhook is yours: answer 200 with the challenge as the body. */
export interface WebhookChallenge {
  type: 'webhook.verification'
  challenge: string
}
