import type { InboundContent, InboundMedia } from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import {
  booleanOf,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  parseObject,
  sha256HexOf,
  textOf,
} from '../lenient-json.ts'
import { rawOf, timeOf } from './callback-facts.ts'

/** The content of a message; unknown or unreadable types are `unsupported`. */
export function contentOf(type: string, message: JsonObject): InboundContent {
  return knownContent(type, message, objectOf(message[type])) ?? unsupported(type, message)
}

/** Null when the type is unknown or its node is not what it should be. */
function knownContent(type: string, message: JsonObject, node: JsonObject | null): InboundContent | null {
  switch (type) {
    case 'text': {
      const text = textOf(node?.body)
      return text === null ? null : { type, text }
    }
    case 'image':
    case 'document':
    case 'audio':
    case 'video':
    case 'sticker': {
      const media = mediaOf(node, type === 'sticker')
      return media && { type: type === 'sticker' ? 'image' : type, media }
    }
    case 'button':
      return reply('button_reply', { id: node?.payload ?? node?.text, title: node?.text })
    case 'interactive':
      return interactiveReply(node)
    case 'location':
      return locationOf(node)
    case 'contacts': {
      const contacts = listOf(message.contacts)
        .map(rawOf)
        .filter((card) => card !== null)
      return contacts.length > 0 ? { type, contacts } : null
    }
    case 'reaction': {
      const channelMessageId = textOf(node?.message_id)
      return channelMessageId === null ? null : { type, channelMessageId, emoji: textOf(node?.emoji) }
    }
    case 'order':
      return orderOf(node)
    case 'edit':
      return editOf(node)
    case 'revoke': {
      const channelMessageId = textOf(node?.original_message_id)
      return channelMessageId === null ? null : { type: 'deletion', channelMessageId }
    }
    case 'media_placeholder':
      return { type }
    case 'system': {
      const change = textOf(node?.type)
      return change === null ? null : { type, change, text: textOf(node?.body) }
    }
    default:
      return null
  }
}

function mediaOf(node: JsonObject | null, sticker: boolean): InboundMedia | null {
  const platformMediaId = textOf(node?.id)
  if (!node || platformMediaId === null) return null
  return {
    platformMediaId,
    mimeType: textOf(node.mime_type),
    sha256: sha256HexOf(node.sha256),
    caption: textOf(node.caption),
    filename: textOf(node.filename),
    voice: booleanOf(node.voice) ?? false,
    sticker,
  }
}

/** A tap on a template's quick reply comes as `button`, on an interactive one as `interactive`: one idea, one form. */
function interactiveReply(node: JsonObject | null): InboundContent | null {
  // Meta's page about addresses shows `interactive` as the type of an answer, so what is there decides.
  const answers = objectOf(node?.nfm_reply)
  if (answers) return formReply(answers)
  const type = textOf(node?.type)
  if (type === 'call_permission_reply') return callPermission(objectOf(node?.call_permission_reply))
  if (type === 'payment_method') return paymentMethod(objectOf(node?.payment_method))
  if (type !== 'button_reply' && type !== 'list_reply') return null
  return reply(type, objectOf(node?.[type]))
}

function reply(type: 'button_reply' | 'list_reply', node: JsonObject | null): InboundContent | null {
  const id = textOf(node?.id)
  if (id === null) return null
  return { type, reply: { id, title: textOf(node?.title), description: textOf(node?.description) } }
}

/** A customer's input in a Flow or an address form. The values are JSON text; the Flow defines their structure. */
function formReply(node: JsonObject): InboundContent | null {
  const json = textOf(node.response_json)
  if (json === null) return null
  const values = rawOf(parseObject(json))
  return { type: 'flow_reply', name: textOf(node.name), text: textOf(node.body), values, json: values ? null : json }
}

function callPermission(node: JsonObject | null): InboundContent | null {
  const response = textOf(node?.response)
  if (response !== 'accept' && response !== 'reject') return null
  const granted = response === 'accept'
  return {
    type: 'call_permission_reply',
    granted,
    permanent: booleanOf(node?.is_permanent) ?? false,
    expiresAt: granted ? timeOf(node?.expiration_timestamp) : null,
    automatic: textOf(node?.response_source) === 'automatic',
  }
}

/** Brazil: one click on an order with a saved card. The platform settles nothing; the business charges the card. */
function paymentMethod(node: JsonObject | null): InboundContent | null {
  const method = textOf(node?.payment_method)
  const referenceId = textOf(node?.reference_id)
  if (method === null || referenceId === null) return null
  return {
    type: 'payment_method_reply',
    method,
    referenceId,
    credentialId: textOf(node?.credential_id),
    lastFourDigits: textOf(node?.last_four_digits),
    chosenAt: timeOf(node?.payment_timestamp),
  }
}

function orderOf(node: JsonObject | null): InboundContent | null {
  const items = listOf(node?.product_items).map(objectOf)
  const products = items.flatMap((item) => {
    const productId = textOf(item?.product_retailer_id)
    if (!item || productId === null) return []
    const { quantity, item_price: price } = item
    return { productId, quantity: numberOf(quantity), price: numberOf(price), currency: textOf(item.currency) }
  })
  if (products.length === 0 || products.length < items.length) return null
  return { type: 'order', catalogId: textOf(node?.catalog_id), text: textOf(node?.text), products }
}

/** The message as it is now: its text, or the caption of its file. */
function editOf(node: JsonObject | null): InboundContent | null {
  const channelMessageId = textOf(node?.original_message_id)
  const message = objectOf(node?.message)
  const type = textOf(message?.type)
  if (channelMessageId === null || !message || type === null) return null
  const edited = objectOf(message[type])
  return { type: 'edit', channelMessageId, editedType: type, text: textOf(edited?.body) ?? textOf(edited?.caption) }
}

function locationOf(node: JsonObject | null): InboundContent | null {
  const latitude = numberOf(node?.latitude)
  const longitude = numberOf(node?.longitude)
  if (latitude === null || longitude === null) return null
  return { type: 'location', latitude, longitude, name: textOf(node?.name), address: textOf(node?.address) }
}

function unsupported(type: string, message: JsonObject): InboundContent {
  const node = objectOf(message[type])
  const edited = objectOf(objectOf(node?.message)?.text)
  return {
    type: 'unsupported',
    platformType: textOf(type === 'interactive' || type === 'unsupported' ? node?.type : null) ?? type,
    text: textOf(node?.body) ?? textOf(edited?.body) ?? textOf(node?.text),
    about: textOf(node?.original_message_id),
    failures: listOf(message.errors).map(classifyReported),
    detail: rawOf(node),
  }
}
