import type { Interactive } from '../contract/messages/interactive-content.ts'
import type { ContactCard } from '../contract/messages/send-content.ts'
import type { TemplateCategory, TemplateContent } from '../contract/template-content.ts'
import type { ComponentValues } from '../contract/template-values.ts'
import type { WireBody } from './dialect.ts'

/** A message on its way out, in our own words; cloud/cloud-messages.ts knows how the platform spells it. */
export type OutboundMessage = {
  to: Recipient
  /** The platform's id of the message to quote. Ignored by the platform for reactions. */
  replyTo?: string
  content: OutboundContent
}

export type WireEdge = 'messages' | 'marketing_messages'

/** A customer is known by phone number (E.164 with `+`) or, when the number is hidden, by the platform's user id. */
type Recipient = { phone: string } | { userId: string }

export type OutboundContent =
  | { type: 'text'; text: string; previewUrl?: boolean; direct?: OutboundDirectSend }
  | TemplateMessage
  | { type: 'image' | 'video'; media: MediaReference; caption?: string }
  | { type: 'document'; media: MediaReference; caption?: string; filename?: string }
  | { type: 'audio'; media: MediaReference; voice?: boolean }
  | { type: 'sticker'; media: MediaReference }
  | { type: 'interactive'; interactive: OutboundInteractive; direct?: OutboundDirectSend }
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  /** Cards are written as the platform writes them, without nulls. */
  | { type: 'contacts'; contacts: ContactCard[] }
  /** An empty emoji takes an earlier reaction back. */
  | { type: 'reaction'; channelMessageId: string; emoji: string }
  /** A whole body in the platform's own words. Its recipient is the client's, and the edge is where the client posted it. */
  | { type: 'wire'; edge: WireEdge; body: WireBody }

/** Sent at any time, without an approved template; the platform makes one of it. */
export type OutboundDirectSend = {
  category: 'utility' | 'authentication'
  ttl_seconds?: number
  template_name?: string
}

export type MediaReference = { platformMediaId: string } | { link: string }

export type TemplateMessage = {
  type: 'template'
  name: string
  /** By the latest category that is known. */
  isMarketing?: boolean
  /** Must equal the approved template's language exactly: `en` is not `en_US`. */
  language: string
  components: ComponentValues<MediaReference & { filename?: string }>[]
}

/** Nulls are for what was not given. */
export type OutboundInteractive = Interactive<OutboundFile>
export type OutboundFile = { media: MediaReference; filename?: string | null }

/** A message template as the platform lists it. */
export type PlatformTemplate = {
  templateId: string
  /** The platform's word, upper case: APPROVED, PENDING, REJECTED, PAUSED, DISABLED, IN_APPEAL, ... */
  status: string
  /** Null where the platform names none that is known here; the content is then filed under utility. */
  category: TemplateCategory | null
  rejectedReason: string | null
  /** GREEN, YELLOW, RED or UNKNOWN. */
  quality: string | null
  content: TemplateContent
}

/** The samples of its files are handles, uploaded for the review. */
export type TemplateDraft = { content: TemplateContent }

/** The components are replaced by those of the content; the category only where it is given. */
export type TemplateChange = TemplateDraft & { category?: TemplateCategory }
