import type { ReportedFailure } from './cloud/classify-failure.ts'
import type { RelayPiece } from './relay-dialect.ts'

/** One thing the platform told us. A callback body holds up to 1,000 of them. */
export type CallbackItem =
  | StatusItem
  | PaymentItem
  | InboundItem
  | TemplateStatusItem
  | TemplateQualityItem
  | TemplateCategoryItem
  | TemplateComponentsItem
  | NumberQualityItem
  | NumberNameItem
  | AccountItem
  | CapabilityItem
  | UserPreferenceItem
  | CallItem
  | IdentityItem
  | EchoItem
  | PastMessageItem
  | HistoryProgressItem
  | SavedContactItem
  | HandoverItem
  | UnhandledItem

type Common = {
  /** Equal for repeats of the same fact and at most 300 characters, so that a unique index can drop repeats. */
  dedupeKey: string
  wabaId: string | null
  /** Absent on everything that concerns the business account: route those by `wabaId`. */
  phoneNumberId: string | null
}

/** `phone` is E.164 with `+`; a customer who hides the number has only a `userId`. */
export type Customer = { phone: string | null; userId: string | null; parentId?: string }

export type StatusItem = Common & {
  kind: 'status'
  channelMessageId: string
  /** `other` for words we do not know; `platformStatus` keeps them. */
  status: 'sent' | 'delivered' | 'read' | 'failed' | 'played' | 'other'
  platformStatus: string
  /** Milliseconds since 1970; null when the platform's time cannot be read. */
  at: number | null
  recipient: Customer
  /** The correlation data of the send. */
  correlation: string | null
  failures: ReportedFailure[]
  /** `free`: Meta says outright that it is not charged; a type that begins with `free_` says the same. */
  pricing: { type: string | null; category: string | null; free?: true } | null
  /** The platform's own words, while it waits for its message and tools are to hear them. */
  wire?: RelayPiece
}

/** The status of an order's payment, as the platform names it: `pending`, `captured` or `failed`. */
export type PaymentItem = Common & {
  kind: 'payment'
  /** Of a message where it is one of ours; no page says so. */
  channelMessageId: string | null
  /** Of the order, as its sender named it. */
  referenceId: string
  status: string
  at: number | null
  customer: Customer
  currency: string | null
  /** `value` divided by `offset`. */
  amount: { value: number; offset: number } | null
  transaction: { id: string | null; type: string | null; status: string | null } | null
}

export type InboundItem = Common & {
  kind: 'message'
  channelMessageId: string
  at: number | null
  from: Customer & { name: string | null; username: string | null }
  content: InboundContent
  /** The platform's id of the message this one answers. */
  replyTo: string | null
  forwarded: boolean
  groupId: string | null
  /** The advertisement the customer came from, as the platform wrote it. */
  referral: Record<string, unknown> | null
  /** The product of a catalog that the customer asked about. */
  referredProduct: { catalogId: string | null; productId: string } | null
  /** Numbers and user ids the customer had until now, from a note about a change. */
  formerAddresses: string[]
  /** False where the customer wrote nothing new (number changes, edits, deletions) or wrote to a group. */
  opensWindow: boolean
  /** Another responder handles the conversation: this is a copy, and not ours to reply to. */
  standby?: true
  /** The conversation was passed to us, and this is what the previous responder wrote for the next. */
  summary?: string
}

export type InboundContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'document' | 'audio' | 'video'; media: InboundMedia }
  | { type: 'button_reply' | 'list_reply'; reply: { id: string; title: string | null; description: string | null } }
  | { type: 'location'; latitude: number; longitude: number; name: string | null; address: string | null }
  | { type: 'contacts'; contacts: Record<string, unknown>[] }
  /** `emoji` null: the customer took the reaction back. */
  | { type: 'reaction'; channelMessageId: string; emoji: string | null }
  /** The customer's input; `json` if the values could not be parsed. */
  | {
      type: 'flow_reply'
      name: string | null
      text: string | null
      values: Record<string, unknown> | null
      json: string | null
    }
  /** Whether the business may call; `automatic` where the customer's own call allowed it. */
  | {
      type: 'call_permission_reply'
      granted: boolean
      permanent: boolean
      expiresAt: number | null
      automatic: boolean
    }
  /** A saved card that the customer chose to pay an order with; the business charges it by its `credentialId`. */
  | {
      type: 'payment_method_reply'
      method: string
      referenceId: string
      credentialId: string | null
      lastFourDigits: string | null
      chosenAt: number | null
    }
  | { type: 'order'; catalogId: string | null; text: string | null; products: OrderedProduct[] }
  /** The customer changed a message; `text` is what it says now. */
  | { type: 'edit'; channelMessageId: string; editedType: string; text: string | null }
  /** The customer deleted a message for everyone. */
  | { type: 'deletion'; channelMessageId: string }
  /** A file of the past whose bytes may follow. */
  | { type: 'media_placeholder' }
  /** Another responder's message without a type of its own. */
  | { type: 'template'; name: string; language: string | null; text: string | null }
  | { type: 'interactive'; body: string | null }
  /** A note of the platform about the customer, such as `user_changed_number`. */
  | { type: 'system'; change: string; text: string | null }
  /** Everything the contract has no form for: polls, types of the future. */
  | {
      type: 'unsupported'
      platformType: string
      text: string | null
      /** For edits and deletions the message they are about. */
      about: string | null
      /** Why the platform does not pass it on. */
      failures: ReportedFailure[]
      detail: Record<string, unknown> | null
    }

/** `price` is that of one piece. */
export type OrderedProduct = {
  productId: string
  quantity: number | null
  price: number | null
  currency: string | null
}

export type InboundMedia = {
  platformMediaId: string
  mimeType: string | null
  /** Lower-case hex. */
  sha256: string | null
  caption: string | null
  filename: string | null
  voice: boolean
  sticker: boolean
}

type TemplateEvent = Common & {
  templateId: string | null
  name: string | null
  language: string | null
  at: number | null
}

export type TemplateStatusItem = TemplateEvent & {
  kind: 'template_status'
  /** The platform's word, upper case. */
  event: string
  /** A code such as INVALID_FORMAT. */
  reason: string | null
  /** The reviewer's note. */
  description: string | null
  recommendation: string | null
  category: string | null
  /** FIRST_PAUSE, SECOND_PAUSE, ... */
  note: string | null
  /** Since when the platform refuses to send it. */
  disabledAt: number | null
}

export type TemplateQualityItem = TemplateEvent & {
  kind: 'template_quality'
  previousQuality: string | null
  quality: string
}

export type TemplateCategoryItem = TemplateEvent & {
  kind: 'template_category'
  /** `announced`: `category` is still valid and `nextCategory` will follow. `changed`: `category` is the new one. */
  phase: 'announced' | 'changed'
  category: string | null
  previousCategory: string | null
  nextCategory: string | null
}

export type TemplateComponentsItem = TemplateEvent & { kind: 'template_components' }

export type NumberQualityItem = Common & {
  kind: 'number_quality'
  displayPhoneNumber: string | null
  event: string | null
  currentLimit: string | null
  oldLimit: string | null
}

export type NumberNameItem = Common & {
  kind: 'number_name'
  displayPhoneNumber: string | null
  decision: string | null
  requestedName: string | null
  rejectionReason: string | null
}

/** Bans, restrictions, reviews, alerts, security notices, and errors that belong to no message. */
export type AccountItem = Common & {
  kind: 'account'
  field: string
  event: string | null
  at: number | null
  failures: ReportedFailure[]
  detail: Record<string, unknown> | null
}

export type CapabilityItem = Common & {
  kind: 'capability'
  maxDailyConversationsPerBusiness: string | null
  maxPhoneNumbersPerBusiness: string | null
}

export type UserPreferenceItem = Common & {
  kind: 'user_preference'
  customer: Customer
  /** `marketing_messages` is the only one so far. */
  category: string | null
  /** `stop` or `resume`. */
  value: string
  at: number | null
}

/** A customer's ids are other ones from now on. */
export type IdentityItem = Common & {
  kind: 'identity'
  customer: Customer
  former: string[]
  at: number | null
}

/** A voice call. Calls themselves are not handled; one that the customer made or accepted opens the window. */
export type CallItem = Common & {
  kind: 'call'
  customer: Customer & { name: string | null }
  /** `connect`, `terminate`, or for calls of the business `ringing`, `accepted`, `rejected`. */
  event: string
  at: number | null
  opensWindow: boolean
}

/** A message of the business that did not go through us: from the WhatsApp Business app, or from another responder. */
export type EchoItem = Common & {
  kind: 'echo'
  channelMessageId: string
  at: number | null
  to: Customer & { name: string | null }
  content: InboundContent
  sentThrough: 'business_app' | 'other_responder'
  replyTo: string | null
}

/** A message from before the number was connected, in either direction. */
export type PastMessageItem = Common & {
  kind: 'past_message'
  channelMessageId: string
  at: number | null
  direction: 'inbound' | 'outbound'
  customer: Customer
  content: InboundContent
  status: 'received' | 'sent' | 'delivered' | 'read' | 'failed'
  /** Only the file of a message that came before it. */
  isAsset: boolean
}

/** Progress of the history transfer, or why there is none. */
export type HistoryProgressItem = Common & {
  kind: 'history_progress'
  phase: number | null
  chunk: number | null
  percent: number | null
  failures: ReportedFailure[]
}

/** A contact in the address book of the phone that the number is on. */
export type SavedContactItem = Common & {
  kind: 'saved_contact'
  customer: Customer
  /** Null where it was removed. */
  name: string | null
  at: number | null
}

/** A conversation changed hands. The platform says so to the new responder (`passed`) or to the previous one (`taken`). */
export type HandoverItem = Common & {
  kind: 'handover'
  customer: Customer
  change: 'passed' | 'taken'
  at: number | null
  /** Whose it is now, in the platform's words; null where it does not say. */
  role: string | null
  previousRole: string | null
  /** The previous responder's note for the next. */
  summary: string | null
  note: string | null
}

/** Kept and counted, so that nothing the platform says vanishes silently. */
export type UnhandledItem = Common & {
  kind: 'unhandled'
  reason: UnhandledReason
  field: string | null
  /** The item as JSON text. */
  raw: string
}

export type UnhandledReason =
  | 'not_json'
  | 'unknown_object'
  | 'unreadable_entry'
  | 'unknown_field'
  /** Understood, and of no use here: clicks on marketing messages, errors of calls, payments. */
  | 'not_used'
  | 'unreadable_item'
  | 'no_message_id'
  | 'no_sender'
