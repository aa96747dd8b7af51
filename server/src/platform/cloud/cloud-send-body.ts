import type { ContactCard } from '../../contract/messages/send-content.ts'
import type { Place } from '../../contract/template-values.ts'
import type { OutboundContent, OutboundMessage, TemplateMessage } from '../outbound-message.ts'
import { interactiveToWire } from './interactive-to-wire.ts'
import type { JsonObject } from './lenient-json.ts'
import { given, media } from './template-to-wire.ts'

/** The body of `POST /{phone_number_id}/messages`. */
export function cloudSendBody(message: OutboundMessage, content: Composed, correlation: string): JsonObject {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient(message),
    ...(message.replyTo !== undefined && { context: { message_id: message.replyTo } }),
    ...typedContent(content),
    ...directFields(content),
    biz_opaque_callback_data: correlation,
  }
}

function directFields(content: Composed): JsonObject {
  const direct = 'direct' in content ? content.direct : undefined
  if (!direct) return {}
  const { category, ttl_seconds, template_name } = direct
  return { category, ...given({ ttl_seconds }), ...(template_name && { direct_send_config: { template_name } }) }
}

/** Without `+` the platform may put the business number's own country code in front of a customer's number. */
function recipient({ to }: OutboundMessage): JsonObject {
  if ('userId' in to) return { recipient: to.userId }
  return { to: to.phone.startsWith('+') ? to.phone : `+${to.phone}` }
}

type Composed = Exclude<OutboundContent, { type: 'wire' }>

function typedContent(content: Composed): JsonObject {
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
    case 'interactive':
      return { type: 'interactive', interactive: interactiveToWire(content.interactive) }
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

type Values = TemplateMessage['components'][number]
type Part = Exclude<Values, { type: 'carousel' }>

function componentValues(component: Values): JsonObject {
  if (component.type !== 'carousel') return partValues(component)
  const cards = component.cards.map((card) => ({ ...card, components: card.components.map(partValues) }))
  return { type: 'carousel', cards }
}

function partValues(component: Part): JsonObject {
  const { parameters, ...named } = component
  return {
    ...named,
    ...(named.type === 'button' && { index: String(named.index) }),
    ...(parameters.length > 0 && { parameters: parameters.map(templateValue) }),
  }
}

/** The contract writes values as Meta does, all but files and degrees. */
function templateValue(value: Part['parameters'][number]): JsonObject {
  if (value.type === 'location') return { type: value.type, location: location(value.location) }
  if (!('media' in value)) return value
  const { type, media: reference } = value
  const filename = type === 'document' ? reference.filename : undefined
  return { type, [type]: { ...media(reference), ...given({ filename }) } }
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
