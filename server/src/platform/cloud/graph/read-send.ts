import type { WireBody, WireRead, WireSend } from '../../dialect.ts'
import { type JsonObject, listOf, objectOf, parseObject, textOf, wordOf } from '../lenient-json.ts'

/** A body that marks a message as read, and perhaps shows the customer that a reply is being typed. */
export function readRead(body: WireBody): WireRead | null {
  const messageId = textOf(body.message_id)
  if (wordOf(body.status) !== 'read' || messageId === null) return null
  return { messageId, typing: objectOf(body.typing_indicator) !== null }
}

/** Whatever the body is, it can be sent: a form that is not known here is one the platform may know. */
export function readSend(body: WireBody): WireSend {
  const type = wordOf(body.type) || 'text'
  const said = objectIn(body[type]) ?? {}
  const quoted = textOf(objectOf(body.context)?.message_id)
  return {
    to: textOf(body.to) ?? textOf(body.recipient),
    toGroup: wordOf(body.recipient_type) === 'group',
    type: type === 'interactive' ? `interactive.${wordOf(said.type)}` : type,
    request: requestOf(type, said, body.contacts),
    quoted,
    opaque: textOf(body.biz_opaque_callback_data),
    hasCategory: textOf(body.category) !== null && wordOf(body.category) !== 'service',
  }
}

type Request = NonNullable<WireSend['request']>

function requestOf(type: string, said: JsonObject, contacts: unknown): Request | null {
  switch (type) {
    case 'text':
      return { kind: 'text', body: given({ message: said.body, preview_url: said.preview_url }) }
    case 'template':
      return {
        kind: 'template',
        body: given({
          template: said.name,
          language: textOf(objectOf(said.language)?.code) ?? said.language,
          components: said.components,
        }),
      }
    case 'image':
    case 'video':
    case 'audio':
    case 'document': {
      const { caption, filename, voice } = said
      return { kind: 'media', body: given({ type, ...fileOf(said), caption, filename, voice }) }
    }
    case 'sticker':
      return { kind: 'sticker', body: fileOf(said) }
    case 'location': {
      const { name, address } = said
      const place = { latitude: Number(said.latitude), longitude: Number(said.longitude) }
      return { kind: 'location', body: given({ ...place, name, address }) }
    }
    case 'contacts':
      return { kind: 'contacts', body: { contacts } }
    case 'reaction':
      return { kind: 'reaction', body: given({ message_id: said.message_id, emoji: said.emoji ?? '' }) }
    case 'interactive':
      return interactiveOf(said)
    default:
      return null
  }
}

function interactiveOf(said: JsonObject): Request | null {
  const action = objectIn(said.action) ?? {}
  const form = formOf(wordOf(said.type), action)
  if (!form) return null
  const body = textOf(objectOf(said.body)?.text)
  const footer = textOf(objectOf(said.footer)?.text)
  return { kind: 'interactive', body: given({ ...form, header: headerOf(said.header), body, footer }) }
}

function formOf(type: string, action: JsonObject): JsonObject | null {
  const parameters = objectOf(action.parameters) ?? {}
  switch (type) {
    case 'button':
      return { type: 'buttons', buttons: listOf(action.buttons).map((one) => objectOf(objectOf(one)?.reply)) }
    case 'list':
      return { type: 'list', button: action.button, sections: action.sections }
    case 'cta_url':
      return { type: 'cta_url', button: parameters.display_text, url: parameters.url }
    case 'location_request_message':
      return { type: 'location_request' }
    case 'call_permission_request':
      return { type: 'call_permission' }
    case 'product':
      return { type: 'product', catalog_id: action.catalog_id, product_id: action.product_retailer_id }
    case 'product_list':
      return {
        type: 'product_list',
        catalog_id: action.catalog_id,
        product_sections: listOf(action.sections).map((section) => ({
          title: objectOf(section)?.title,
          product_ids: listOf(objectOf(section)?.product_items).map((item) => objectOf(item)?.product_retailer_id),
        })),
      }
    case 'catalog_message':
      return { type: 'catalog', thumbnail_product_id: parameters.thumbnail_product_retailer_id }
    case 'flow': {
      const payload = objectOf(parameters.flow_action_payload)
      const { flow_id: id, flow_name: name, flow_token: token, mode, flow_action: action } = parameters
      const flow = given({ id, name, token, mode, action, screen: payload?.screen, screen_data: payload?.data })
      return { type: 'flow', button: parameters.flow_cta, flow }
    }
    default:
      return null
  }
}

function headerOf(header: unknown): JsonObject | undefined {
  const said = objectOf(header)
  if (!said) return undefined
  const type = wordOf(said.type)
  if (type === 'text') return { type, text: said.text }
  const file = objectOf(said[type]) ?? {}
  return given({ type, ...fileOf(file), filename: file.filename })
}

function fileOf({ id, link }: JsonObject): JsonObject {
  return given({ media_id: textOf(id), link: textOf(link) })
}

/** Some tools write an object as JSON inside a text. */
function objectIn(value: unknown): JsonObject | null {
  return objectOf(value) ?? parseObject(textOf(value) ?? '')
}

/** A field that is null was left out: tools write either. */
function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}
