import type { ContactCard } from '../../contract/messages/send-content.ts'
import type { Place } from '../../contract/template-values.ts'
import type {
  ButtonsContent,
  InteractiveHeader,
  ListContent,
  MediaReference,
  OutboundContent,
  OutboundMessage,
  TemplateMessage,
} from '../outbound-message.ts'
import type { JsonObject } from './lenient-json.ts'

/** The body of `POST /{phone_number_id}/messages`. */
export function cloudSendBody(message: OutboundMessage, correlation: string): JsonObject {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient(message),
    ...(message.replyTo !== undefined && { context: { message_id: message.replyTo } }),
    ...typedContent(message.content),
    biz_opaque_callback_data: correlation,
  }
}

/** Without `+` the platform may put the business number's own country code in front of a customer's number. */
function recipient({ to }: OutboundMessage): JsonObject {
  if ('userId' in to) return { recipient: to.userId }
  return { to: to.phone.startsWith('+') ? to.phone : `+${to.phone}` }
}

function typedContent(content: OutboundContent): JsonObject {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? false } }
    case 'template':
      return { type: 'template', template: template(content) }
    case 'image':
    case 'video':
      return { type: content.type, [content.type]: { ...media(content.media), ...given({ caption: content.caption }) } }
    case 'document': {
      const { caption, filename } = content
      return { type: 'document', document: { ...media(content.media), ...given({ caption, filename }) } }
    }
    case 'audio':
      return { type: 'audio', audio: { ...media(content.media), ...given({ voice: content.voice }) } }
    case 'sticker':
      return { type: 'sticker', sticker: media(content.media) }
    case 'buttons':
    case 'list':
      return { type: 'interactive', interactive: interactive(content) }
    case 'location':
      return { type: 'location', location: location(content) }
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts.map(contactCard) }
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: content.channelMessageId, emoji: content.emoji } }
  }
}

function template({ name, language, components }: TemplateMessage): JsonObject {
  return {
    name,
    language: { code: language },
    ...(components.length > 0 && { components: components.map(componentValues) }),
  }
}

function componentValues(component: TemplateMessage['components'][number]): JsonObject {
  const { parameters, ...named } = component
  return {
    ...named,
    ...(named.type === 'button' && { index: String(named.index) }),
    ...(parameters.length > 0 && { parameters: parameters.map(templateValue) }),
  }
}

/** The contract writes values as Meta does, all but files and degrees. */
function templateValue(value: TemplateMessage['components'][number]['parameters'][number]): JsonObject {
  if (value.type === 'location') return { type: value.type, location: location(value.location) }
  if (!('media' in value)) return value
  const { type, media: reference } = value
  const filename = type === 'document' ? reference.filename : undefined
  return { type, [type]: { ...media(reference), ...given({ filename }) } }
}

function interactive(content: ButtonsContent | ListContent): JsonObject {
  return {
    type: content.type === 'buttons' ? 'button' : 'list',
    ...(content.header && { header: interactiveHeader(content.header) }),
    body: { text: content.body },
    ...(content.footer !== undefined && { footer: { text: content.footer } }),
    action: content.type === 'buttons' ? buttonsAction(content) : listAction(content),
  }
}

function buttonsAction({ buttons }: ButtonsContent): JsonObject {
  return { buttons: buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) }
}

function listAction({ button, sections }: ListContent): JsonObject {
  const rowsOf = (rows: ListContent['sections'][number]['rows']): JsonObject[] =>
    rows.map(({ id, title, description }) => ({ id, title, ...given({ description }) }))
  return { button, sections: sections.map(({ title, rows }) => ({ ...given({ title }), rows: rowsOf(rows) })) }
}

function interactiveHeader(header: InteractiveHeader): JsonObject {
  if (header.type === 'text') return { type: 'text', text: header.text }
  const filename = header.type === 'document' ? header.filename : undefined
  return { type: header.type, [header.type]: { ...media(header.media), ...given({ filename }) } }
}

function location({ latitude, longitude, name, address }: Place): JsonObject {
  return { latitude: degrees(latitude), longitude: degrees(longitude), ...given({ name, address }) }
}

/** Six decimals are 11 cm; smaller values would be written as 1e-7. */
function degrees(value: number): string {
  return String(Number(value.toFixed(6)))
}

/** The platform wants one more part of the name than the whole. */
function contactCard(card: ContactCard): JsonObject {
  return { ...card, name: { first_name: card.name.formatted_name, ...card.name } }
}

function media(reference: MediaReference): JsonObject {
  return 'link' in reference ? { link: reference.link } : { id: reference.platformMediaId }
}

/** The entries that have a value: the platform refuses explicit nulls. */
function given(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined))
}
