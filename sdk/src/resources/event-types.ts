import type { ExceededLimit } from '../errors.ts'
import type { Answer, Schemas, Word } from '../http/wire.ts'
import type { Broadcast } from './broadcast-types.ts'
import type { Message, MessageFailure, MessageSummary } from './message-types.ts'
import type { Template } from './template-types.ts'
import type { Webhook } from './webhook-types.ts'

/** What every event has. `T` is its name, `D` its data. */
export interface EventOf<T extends string, D> extends Omit<Answer<'Event'>, 'type' | 'data'> {
  /** The same on every repeat and for every webhook: deduplicate by it. */
  id: string
  type: T
  /** When the gateway recorded it. */
  timestamp: string
  data: D
}

/** Data of the events about a message. */
export interface MessageEventData
  extends Pick<
    MessageSummary,
    | 'messageId'
    | 'direction'
    | 'type'
    | 'from'
    | 'to'
    | 'userId'
    | 'customerId'
    | 'status'
    | 'template'
    | 'language'
    | 'clientReference'
    | 'replyTo'
    | 'groupId'
    | 'error'
  > {
  /** True when a later event proves this one. */
  inferred: boolean
  /** Counts the events of this message from 1, so that a late one can be told. */
  sequence: number
  /** Meta's timestamp. */
  timestamp: string
}

/** Data of `message.received`. */
export interface ReceivedMessageData extends MessageEventData, Pick<Message, 'content' | 'contact'> {}

/** Data of `message.standby`: a customer wrote while another responder handles the conversation. Do not reply. */
export interface StandbyMessageData extends ReceivedMessageData, Pick<Message, 'origin'> {}

/** Data of `message.echoed`: your business sent it without the gateway. */
export interface EchoedMessageData extends MessageEventData, Pick<Message, 'content' | 'origin'> {}

/** Data of `conversation.control_changed`. */
export interface ConversationControlData {
  /** `null` where the account does not know the customer. */
  customerId: string | null
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  customer: string | null
  userId: string | null
  /** Your number. */
  phoneNumber: string
  /** Who replies from now on: you, or another responder. */
  owner: 'gateway' | 'other' | Word
  /** What Meta calls the new and the previous responder, such as `ai_agent`. */
  role: string | null
  previousRole: string | null
  /** What the previous responder wrote for the next. */
  summary: string | null
  note: string | null
  timestamp: string
}

/** A person of your team. */
export interface EventAssignee {
  userId: string
  name: string
}

/** Data of `conversation.closed`. */
export interface ConversationClosedData {
  /** `null` where the customer was erased. */
  customerId: string | null
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  customer: string | null
  userId: string | null
  /** Your number that they wrote to last. */
  phoneNumber: string | null
  assignee: EventAssignee | null
  timestamp: string
}

/** Data of `conversation.assigned`. */
export interface ConversationAssignedData extends ConversationClosedData {
  previousAssignee: EventAssignee | null
}

/** Data of `customer.preference_changed`. */
export interface CustomerPreferenceData {
  customerId: string | null
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  customer: string | null
  userId: string | null
  /** Your number. */
  phoneNumber: string
  category: 'marketing' | Word
  preference: 'opted_out' | 'opted_in' | Word
  /** Said in WhatsApp or by a stop word, or recorded for the customer. */
  source: 'whatsapp' | 'keyword' | 'console' | 'api' | Word
  /** The platform's time: of two changes the later one counts. */
  timestamp: string
}

/** Data of `payment.updated`. */
export interface PaymentData {
  /** Of the order, as you named it. */
  referenceId: string
  /** In the words of Meta. */
  status: 'pending' | 'captured' | 'failed' | Word
  /** `value` divided by `offset`. */
  amount: { value: number; offset: number } | null
  currency: string | null
  /** At the payment provider. */
  transaction: { id: string | null; type: string | null; status: string | null } | null
  /** `null` where Meta does not name a message of yours. */
  messageId: string | null
  customerId: string | null
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  customer: string | null
  userId: string | null
  /** Your number. */
  phoneNumber: string
  /** Meta's time: of two events the later one counts. */
  timestamp: string
}

/** Data of the events about one of your numbers. `previous` is what it was before. */
export interface NumberEventData<Previous> {
  phoneNumber: string
  numberId: string
  previous: Previous
  timestamp: string
}

/** Data of the events about the standing of a WhatsApp Business account at Meta. */
export interface AccountStandingData {
  channelId: string
  wabaId: string
  /** Where it is about one of the account's numbers. */
  phoneNumber: string | null
  /** In the words of Meta, such as `UTILITY_TEMPLATE_ABUSE`. */
  reason: string | null
  restrictions: { type: string; expiresAt: string | null }[]
  timestamp: string
}

/** Data of the events about the connection of a channel. */
export interface ChannelEventData {
  channelId: string
  wabaId: string
  timestamp: string
}

/** Data of the events about a budget: the budget with its period. */
export type BudgetEventData = Answer<'Budget'> & { timestamp: string }

/** Data of the events about a template: the template as it is now, and what it was before. */
export interface TemplateEventData extends Template {
  /** What changed: more than the status can. */
  change: Answer<'TemplateWithHistory'>['history'][number]['kind']
  previousStatus: Template['status']
  previousCategory: Template['category']
  previousQuality: Template['quality']
  /** Counts the changes of this template from 1, so that a late event can be told. */
  sequence: number
  /** When it changed. */
  timestamp: string
}

/** Data of the events about a broadcast: the broadcast as it was then. */
export interface BroadcastEventData extends Broadcast {
  timestamp: string
}

/** Data by type. A type of the API document that has no row here does not compile. */
interface EventData {
  'message.sent': MessageEventData
  'message.delivered': MessageEventData
  'message.read': MessageEventData
  'message.failed': MessageEventData & { error: MessageFailure }
  'message.canceled': MessageEventData
  'message.received': ReceivedMessageData
  'message.standby': StandbyMessageData
  'message.echoed': EchoedMessageData
  'conversation.control_changed': ConversationControlData
  'conversation.assigned': ConversationAssignedData
  'conversation.closed': ConversationClosedData
  'customer.preference_changed': CustomerPreferenceData
  'payment.updated': PaymentData
  'broadcast.started': BroadcastEventData
  'broadcast.held': BroadcastEventData
  'broadcast.paused': BroadcastEventData
  'broadcast.resumed': BroadcastEventData
  'broadcast.completed': BroadcastEventData
  'broadcast.canceled': BroadcastEventData
  'template.status_changed': TemplateEventData
  'template.quality_changed': TemplateEventData
  'template.category_changed': TemplateEventData
  'template.category_change_announced': TemplateEventData
  'number.quality_changed': NumberEventData<string | null> & { quality: string | null }
  'number.limit_changed': NumberEventData<string | null> & { messagingLimit: string | null }
  'number.name_changed': NumberEventData<string | null> & { displayName: string | null }
  'number.username_changed': NumberEventData<string | null> & {
    username: string | null
    state: 'approved' | 'reserved' | 'deleted' | Word
    /** Meta took it away. */
    revoked: boolean
  }
  'number.throughput_changed': NumberEventData<number> & { sendsPerSecond: number }
  'account.restricted': AccountStandingData
  'account.warned': AccountStandingData
  'account.restored': AccountStandingData
  'channel.token_expiring': ChannelEventData & { expiresAt: string }
  'channel.token_lost': ChannelEventData
  'channel.disconnected': ChannelEventData & { reason: string | null; initiatedBy: 'USER' | 'SYSTEM' | Word | null }
  'channel.reconnected': ChannelEventData & { cause: 'meta' | 'token' | Word }
  'budget.warned': BudgetEventData
  'budget.exceeded': BudgetEventData
  'webhook.failing': Webhook
  'webhook.disabled': Webhook
  'account.quota_warning': ExceededLimit
}

type KnownType = Schemas['WebhookTestRequest']['type']

/**
 * Everything that can happen, told apart by `type`. A newer gateway can send types that are not listed: what is left
 * after the ones you handle is an `UnknownEvent`.
 */
export type PosternEvent = { [T in KnownType]: EventOf<T, EventData[T]> }[KnownType]

/**
 * An event of a type that this version does not know.
 *
 * ```ts
 * switch (event.type) {
 *   case 'message.received': return answer(event.data)
 *   // ... all the others
 *   default: {
 *     const unknown: UnknownEvent = event
 *     console.log('ignored', unknown.type)
 *   }
 * }
 * ```
 */
export type UnknownEvent = EventOf<string, Record<string, unknown>>

/** The request that proves a webhook is yours: answer 200 with the challenge as the body. */
export interface WebhookChallenge {
  type: 'webhook.verification'
  challenge: string
}
