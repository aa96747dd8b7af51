import type { ErrorCode, ErrorDetail } from '../errors.ts'
import type { Answer, Filters, Input, Moment, Word } from '../http/wire.ts'
import type { TemplateComponent, TemplateValue } from './component-types.ts'
import type { MessageContent } from './content-types.ts'

/** Fields every send takes. */
export interface SendBase
  extends Pick<Input<'SendText'>, 'to' | 'from' | 'replyTo' | 'clientReference' | 'queue' | 'sendAt' | 'validFor'> {
  /** Recipient: a phone number in international format, or their WhatsApp user id. */
  to: string
  /** Your sending number, or its id. Default: the account's default number. */
  from?: string | null
  /** Id of the message to quote. */
  replyTo?: string | null
  /** Your own reference, 1 to 128 characters; it comes back in the record and in events. */
  clientReference?: string | null
  /** Stores the message and resolves at once, with the status `waiting`; it is sent as soon as number and Meta allow. */
  queue?: boolean | null
  /** When to send it, a date-time up to 30 days ahead; implies `queue`. */
  sendAt?: string | null
  /** Seconds after `sendAt`, or after now, in which a message that waits may still be sent. */
  validFor?: number | null
}

/** A template and the values it is filled with. */
export interface TemplateContent extends Pick<Input<'SendTemplate'>, 'template' | 'language' | 'components'> {
  /** Name of the template, for example `order_confirmation`. */
  template: string
  /** Language code, for example `en_US`. */
  language: string
  /** Values of the body in order: short for a `body` component. */
  body?: readonly TemplateValue[]
  /** Values of header, body and buttons, in full. */
  components?: readonly TemplateComponent[] | null
}

/** A text message. */
export interface TextMessage extends SendBase, Omit<Input<'SendText'>, keyof SendBase | 'fallback'> {
  /** 1 to 4096 characters. */
  message: string
  /** Shows a preview of the first link. */
  previewUrl?: boolean | null
  /** Sends it at any time, without an approved template. */
  directSend?: NonNullable<Input<'SendText'>['directSend']> | null
  /** A template to send instead when the customer's 24 hour window is closed. */
  fallback?: TemplateContent | null
}

/** A template message. */
export interface TemplateMessage
  extends SendBase,
    TemplateContent,
    Omit<Input<'SendTemplate'>, keyof SendBase | keyof TemplateContent> {}

/** A file message: an uploaded file (`mediaId`) or a link, not both. */
export type MediaMessage = MediaMessageBase & FileSource

/** A sticker: an uploaded WebP file (`mediaId`) or a link, not both. */
export type StickerMessage = SendBase & FileSource

type FileSource = { mediaId: string; link?: never } | { link: string; mediaId?: never }

interface MediaMessageBase extends SendBase, Omit<Input<'SendMedia'>, keyof SendBase | 'mediaId' | 'link'> {
  /** Up to 1024 characters; not for audio. */
  caption?: string | null
  /** Name shown to the customer; only for documents. */
  filename?: string | null
  /** Shows audio as recorded in the chat; OGG with Opus only. */
  voice?: boolean | null
}

/** A place on the map. */
export interface LocationMessage extends SendBase, Omit<Input<'SendLocation'>, keyof SendBase> {
  /** -90 to 90. */
  latitude: number
  /** -180 to 180. */
  longitude: number
  name?: string | null
  /** Shown below the name. */
  address?: string | null
}

/** Contact cards. */
export interface ContactsMessage extends SendBase, Omit<Input<'SendContacts'>, keyof SendBase> {
  /** One to 257 cards. */
  contacts: ContactCard[]
}

/** A contact card. With `waId`, digits only, a phone number offers to write to it. */
export type ContactCard = Input<'SendContacts'>['contacts'][number]

/** An emoji on a message; it quotes none. */
export interface ReactionMessage extends Omit<SendBase, 'replyTo'>, Omit<Input<'SendReaction'>, keyof SendBase> {
  /** Your sending number, or its id. Default: the number of the message. */
  from?: string | null
  /** The message to react to: one of this customer, at most 30 days old. */
  messageId: string
  /** Exactly one; an empty text removes your reaction. */
  emoji: string
}

/** Where a message is. More states can appear. */
export type MessageStatus =
  | 'waiting'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'canceled'
  | 'received'
  | Word

/** What kind a message is. More can appear. */
export type MessageType =
  | 'text'
  | 'template'
  | 'image'
  | 'document'
  | 'audio'
  | 'video'
  | 'interactive'
  | 'location'
  | 'contacts'
  | 'sticker'
  | 'reaction'
  | Word

/** Answer of `messages.send()`. `used` tells which of the two was sent, when the call had a `fallback`. */
export type SentText = Answer<'SentText'>

/** Answer of `messages.sendTemplate()`. `timestamp` is when Meta accepted the message. */
export type SentTemplate = Answer<'SentTemplate'>

/** Answer of all other sends, such as `messages.sendMedia()`. */
export type SentMessage = Answer<'SentOther'>

/** Answer of `messages.cancel()`. */
export type CanceledMessage = Answer<'CanceledMessage'>

/** Answer of `messages.cancelAll()`. */
export type CanceledMessages = Answer<'CanceledMessages'>

/** Answer of `messages.markRead()`. */
export type MarkedRead = Answer<'MarkedRead'>

/** What `messages.markRead()` does beside it. */
export interface MarkReadParams extends Input<'MarkRead'> {
  /** Also shows the customer that an answer is being typed. */
  typing?: boolean | null
}

/** Answer of a send with `dryRun: true`: what would have happened. Nothing is sent or stored. */
export interface DryRun extends Answer<'DryRun'> {
  type: MessageType | null
  /** Which of the two would be sent, when the call had a `fallback`. */
  used: 'text' | 'template' | Word | null
  content: MessageContent | null
  /** What is left of the plan's quotas; `null` on a plan without quotas. */
  quota: Answer<'DryRun'>['quota']
  /** How fast the number sends, and how long this message would wait now. */
  pace: Answer<'DryRun'>['pace']
  /** Why it would not be sent; empty when it would. */
  problems: { code: ErrorCode; message: string; details: ErrorDetail[] }[]
}

/** The 24 hours after a customer's last message in which anything but templates may be sent. */
export type MessageWindow = Answer<'Message'>['window']

/** Why a message failed. */
export interface MessageFailure extends NonNullable<Answer<'MessageListItem'>['error']> {
  /** A code of the error table, for example `recipient_unreachable`. */
  code: ErrorCode
}

/** A message in a list. */
export interface MessageSummary extends Answer<'MessageListItem'> {
  type: MessageType
  /** `null` for a customer without a known number; `userId` then tells who it is. */
  from: string | null
  to: string | null
  /** WhatsApp user id of the customer. */
  userId: string | null
  /** The group a customer wrote in; `null` for a private chat. Do not answer it to `from`. */
  groupId: string | null
  status: MessageStatus
  /** `unknown` while it is not known whether Meta accepted the message. */
  outcome: 'unknown' | Word | null
  /** True while Meta holds it back to check the quality of its template. */
  held: boolean
  /** Which of the two was sent, when the call had a `fallback`. */
  used: 'text' | 'template' | Word | null
  error: MessageFailure | null
  /** The customer, on inbound messages. */
  contact: { name: string | null } | null
  /** When what was said was erased; the record stays. */
  contentPurgedAt: string | null
}

/** One step in the life of a message: `at` by Meta's clock, `recordedAt` by the gateway's. */
export interface StatusChange extends Step {
  status: MessageStatus
  /** True when a later step proves this one. */
  inferred: boolean
}

type Step = Answer<'Message'>['history'][number]

/** Everything known about a message. */
export interface Message extends MessageSummary, Omit<Answer<'Message'>, keyof MessageSummary> {
  /** `null` once the retention period is over. */
  content: MessageContent | null
  history: StatusChange[]
  window: MessageWindow
}

/** Filters of `messages.list()`. */
export interface MessageFilters extends Omit<Filters<'listMessages'>, 'status' | 'since' | 'until'> {
  /** Items per page, 1 to 100. Default: 25. */
  limit?: number
  /** Where to start, from `page.nextCursor`. */
  cursor?: string
  /** One state, or several. */
  status?: MessageStatus | readonly MessageStatus[]
  type?: MessageType
  /** Only those of which it is not known whether Meta accepted them. */
  outcome?: 'unknown'
  /** The customer's number, or their WhatsApp user id. */
  phoneNumber?: string
  /** From this moment on. */
  since?: Moment
  /** Before this moment. */
  until?: Moment
  /** Newest first (`desc`) unless told otherwise. */
  order?: 'desc' | 'asc'
}
