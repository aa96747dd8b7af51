import type { ErrorDetail, UpstreamError } from '../errors.ts'
import type { TemplateComponent, TemplateValue } from './component-types.ts'

/** Fields every send takes. */
export interface SendBase {
  /** Recipient: a phone number in international format, or the platform's id of the customer. */
  to: string
  /** Your sending number. Default: the account's default number. */
  from?: string
  /** Id of the message to quote. */
  replyTo?: string
  /** Your own reference, 1 to 128 characters; it comes back in the record and in events. */
  clientReference?: string
}

/** A template and the values it is filled with. */
export interface TemplateContent {
  /** Name of the template, for example `order_confirmation`. */
  template: string
  /** Language code, for example `en_US`. */
  language: string
  /** Values of the body in order: short for a `body` component. */
  body?: readonly TemplateValue[]
  /** Values of header, body and buttons, in full. */
  components?: readonly TemplateComponent[]
}

/** A text message. */
export interface TextMessage extends SendBase {
  /** 1 to 4096 characters. */
  message: string
  /** Shows a preview of the first link. */
  previewUrl?: boolean
  /** A template to send instead when the customer's 24 hour window is closed. */
  fallback?: TemplateContent
}

/** A template message. */
export interface TemplateMessage extends SendBase, TemplateContent {}

/** A file message: an uploaded file (`mediaId`) or a link, not both. */
export type MediaMessage = SendBase & {
  type: 'image' | 'document' | 'audio' | 'video'
  /** Up to 1024 characters; not for audio. */
  caption?: string
  /** Name shown to the customer; only for documents. */
  filename?: string
} & ({ mediaId: string; link?: never } | { link: string; mediaId?: never })

/** Up to three buttons under a text. */
export interface ButtonsMessage extends SendBase {
  type: 'buttons'
  body: string
  header?: InteractiveHeader
  footer?: string
  buttons: readonly { id: string; title: string }[]
}

/** A menu of up to ten rows. */
export interface ListMessage extends SendBase {
  type: 'list'
  body: string
  header?: InteractiveHeader
  footer?: string
  /** Label of the button that opens the menu. */
  button: string
  sections: readonly { title?: string; rows: readonly { id: string; title: string; description?: string }[] }[]
}

/** One to ten labels the customer can tap; up to three show as buttons, more as a menu. */
export interface QuickRepliesMessage extends SendBase {
  type: 'quick_replies'
  body: string
  replies: readonly string[]
}

/** Header of an interactive message; files only above buttons. */
export type InteractiveHeader =
  | { type: 'text'; text: string }
  | { type: 'image' | 'document' | 'video'; mediaId?: string; link?: string }

/** A message with buttons, a menu or quick replies. */
export type InteractiveMessage = ButtonsMessage | ListMessage | QuickRepliesMessage

/** Where a message is. More states can appear. */
export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received' | (string & {})

/** Answer of `messages.send()`. */
export interface SentText {
  /** The channel's id of the message. */
  messageId: string
  status: 'sent' | (string & {})
  /** Which of the two was sent; only when the call had a `fallback`. */
  used?: 'text' | 'template' | (string & {})
}

/** Answer of `messages.sendTemplate()`. */
export interface SentTemplate {
  messageId: string
  to: string
  template: string
  status: 'sent' | (string & {})
  /** When the platform took the message. */
  timestamp: string
}

/** Answer of `messages.sendMedia()` and `messages.sendInteractive()`. */
export interface SentMessage {
  messageId: string
  to: string
  type: string
  status: 'sent' | (string & {})
  timestamp: string
}

/** Answer of a send with `dryRun: true`: what would have happened. Nothing is sent or stored. */
export interface DryRun {
  dryRun: true
  wouldSend: boolean
  window: MessageWindow | null
  template: Record<string, unknown> | null
  media: Record<string, unknown> | null
  quota: Record<string, unknown> | null
  pace: Record<string, unknown> | null
  /** Why it would not be sent; empty when it would. */
  problems: { code: string; message: string; details?: ErrorDetail[] }[]
}

/** The 24 hours after a customer's last message in which anything but templates may be sent. */
export interface MessageWindow {
  state: 'open' | 'closed' | 'unknown' | (string & {})
  expiresAt: string | null
}

/** Why a message failed. */
export interface MessageFailure {
  /** A code of the error table, for example `recipient_unreachable`. */
  code: string
  message: string
  retryable: boolean
  upstream: UpstreamError | null
}

/** A message in a list. */
export interface MessageSummary {
  messageId: string
  direction: 'outbound' | 'inbound' | (string & {})
  type: 'text' | 'template' | 'image' | 'document' | 'audio' | 'video' | 'interactive' | (string & {})
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  from: string | null
  to: string | null
  /** The platform's id of the customer. */
  userId: string | null
  status: MessageStatus
  template: string | null
  language: string | null
  clientReference: string | null
  replyTo: string | null
  createdAt: string
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failedAt: string | null
  error: MessageFailure | null
}

/** What a message says. */
export interface MessageContent {
  text?: string
  media?: { mediaId: string; mimeType: string; size: number; sha256: string; caption: string | null }
  /** The button or row the customer tapped. */
  reply?: { id: string; title: string }
  /** An interactive message as it was sent. */
  interactive?: Record<string, unknown>
}

/** One step in the life of a message. */
export interface StatusChange {
  status: MessageStatus
  /** The platform's time. */
  at: string
  /** The gateway's time. */
  recordedAt: string
  source: 'gateway' | 'channel' | (string & {})
  /** True when a later step proves this one. */
  inferred?: boolean
}

/** Everything known about a message. */
export interface Message extends MessageSummary {
  /** `null` once the retention period is over. */
  content: MessageContent | null
  contentPurgedAt?: string | null
  /** The customer, on inbound messages. */
  contact?: { name: string | null }
  history: StatusChange[]
  window: MessageWindow | null
}

/** Filters of `messages.list()`. */
export interface MessageFilters {
  /** Items per page, 1 to 100. Default: 25. */
  limit?: number
  /** Where to start, from `page.nextCursor`. */
  cursor?: string
  direction?: 'outbound' | 'inbound'
  /** One state, or several. */
  status?: MessageStatus | readonly MessageStatus[]
  type?: string
  /** The customer's number. */
  phoneNumber?: string
  template?: string
  clientReference?: string
  apiKeyId?: string
  /** From this moment on. */
  since?: string | Date
  /** Before this moment. */
  until?: string | Date
  /** Newest first (`desc`) unless told otherwise. */
  order?: 'desc' | 'asc'
}
