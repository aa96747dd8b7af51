/** A message on its way out, in our own words; cloud-send-body.ts knows how the platform spells it. */
export type OutboundMessage = {
  to: Recipient
  /** The platform's id of the message to quote. Ignored by the platform for reactions. */
  replyTo?: string
  content: OutboundContent
}

/** A customer is known by phone number (E.164 with `+`) or, when the number is hidden, by the platform's user id. */
export type Recipient = { phone: string } | { userId: string }

export type OutboundContent =
  | { type: 'text'; text: string; previewUrl?: boolean }
  | TemplateContent
  | { type: 'image' | 'video'; media: MediaReference; caption?: string }
  | { type: 'document'; media: MediaReference; caption?: string; filename?: string }
  | { type: 'audio'; media: MediaReference; voice?: boolean }
  | ButtonsContent
  | ListContent
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
  | { type: 'contacts'; contacts: ContactCard[] }
  /** An empty emoji takes an earlier reaction back. */
  | { type: 'reaction'; channelMessageId: string; emoji: string }

export type MediaReference = { platformMediaId: string } | { link: string }

export type TemplateContent = {
  type: 'template'
  name: string
  /** Must equal the approved template's language exactly: `en` is not `en_US`. */
  language: string
  /** Only components with values; a template without variables has none. */
  components: TemplateValues[]
}

export type TemplateValues =
  | { type: 'header'; parameters: TemplateParameter[] }
  | { type: 'body'; parameters: TemplateParameter[] }
  | { type: 'button'; subType: 'url'; index: number; text: string }
  | { type: 'button'; subType: 'quick_reply'; index: number; payload: string }
  | { type: 'button'; subType: 'copy_code'; index: number; code: string }

/** `name` only for templates whose placeholders are named; their order is then free. */
export type TemplateParameter = { name?: string } & (
  | { type: 'text'; text: string }
  | { type: 'currency'; fallbackValue: string; currencyCode: string; amount1000: number }
  | { type: 'date_time'; fallbackValue: string }
  | { type: 'image' | 'video'; media: MediaReference }
  | { type: 'document'; media: MediaReference; filename?: string }
  | { type: 'location'; latitude: number; longitude: number; name?: string; address?: string }
)

export type ButtonsContent = {
  type: 'buttons'
  header?: InteractiveHeader
  body: string
  footer?: string
  buttons: { id: string; title: string }[]
}

export type ListContent = {
  type: 'list'
  /** Lists take text headers only. */
  header?: { type: 'text'; text: string }
  body: string
  footer?: string
  /** Label of the button that opens the list. */
  button: string
  sections: { title?: string; rows: { id: string; title: string; description?: string }[] }[]
}

export type InteractiveHeader =
  | { type: 'text'; text: string }
  | { type: 'image' | 'video'; media: MediaReference }
  | { type: 'document'; media: MediaReference; filename?: string }

export type ContactCard = {
  formattedName: string
  firstName?: string
  lastName?: string
  phones?: { phone: string; type?: string }[]
  emails?: { email: string; type?: string }[]
  company?: string
}
