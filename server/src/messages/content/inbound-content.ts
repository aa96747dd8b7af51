import { formatInstant } from '../../lib/instant.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { InboundContent, InboundItem } from '../../platform/callback-item.ts'
import type { MessageRow } from '../../store/messages/messages.ts'

/** The content and origin of a customer's message; each field is present only if known. */
export function inboundContent(item: InboundItem, mediaId: string | null): Record<string, unknown> {
  const { referral, referredProduct, forwarded, from } = item
  return {
    ...writtenContent(item.content, mediaId),
    ...(referral && { referral }),
    ...(referredProduct && {
      referred_product: { catalog_id: referredProduct.catalogId, product_id: referredProduct.productId },
    }),
    ...(forwarded && { forwarded }),
    ...(from.username !== null && { username: from.username }),
  }
}

/** The shapes of the contract: `text`, `media`, `reply`, and what the platform has no common form for under its type. */
export function writtenContent(content: InboundContent, mediaId: string | null): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return { text: content.text }
    case 'image':
    case 'document':
    case 'audio':
    case 'video': {
      const { mimeType, sha256, caption, filename, voice, sticker } = content.media
      return {
        media: { media_id: mediaId, mime_type: mimeType, size: null, sha256, caption, filename, voice, sticker },
      }
    }
    case 'button_reply':
    case 'list_reply':
      return { reply: content.reply }
    case 'location':
      return {
        location: {
          latitude: content.latitude,
          longitude: content.longitude,
          name: content.name,
          address: content.address,
        },
      }
    case 'contacts':
      return { contacts: content.contacts }
    case 'reaction':
      return { reaction: { message_id: content.channelMessageId, emoji: content.emoji } }
    case 'flow_reply': {
      const { name, values, json } = content
      return { flow_reply: { name, answers: values, json }, text: content.text }
    }
    case 'call_permission_reply': {
      const { granted, permanent, expiresAt, automatic } = content
      return { call_permission: { granted, permanent, expires_at: formatInstant(expiresAt), automatic } }
    }
    case 'payment_method_reply': {
      const { method, referenceId: reference_id, lastFourDigits: last_four_digits } = content
      const chosen = { credential_id: content.credentialId, chosen_at: formatInstant(content.chosenAt) }
      return { payment_method: { method, reference_id, last_four_digits, ...chosen } }
    }
    case 'order': {
      const products = content.products.map(({ productId, ...product }) => ({ product_id: productId, ...product }))
      return { order: { catalog_id: content.catalogId, products }, text: content.text }
    }
    case 'edit':
      return { edit: { message_id: content.channelMessageId, type: content.editedType }, text: content.text }
    case 'deletion':
      return { deletion: { message_id: content.channelMessageId } }
    case 'media_placeholder':
      return { media_placeholder: {}, text: null }
    case 'template':
      return { text: content.text }
    case 'interactive':
      return { text: content.body }
    case 'system':
      return { system: { type: content.change }, text: content.text }
    default:
      return {
        unsupported: {
          type: content.platformType,
          about: content.about,
          meta_code: content.failures[0]?.upstream.code ?? null,
          detail: content.detail,
        },
        text: content.text,
      }
  }
}

type Content = {
  text?: string | null
  media?: { caption?: string | null; filename?: string | null; mime_type?: string | null } | null
  reply?: { title?: string | null } | null
  location?: Place | null
  contacts?: { name?: { formatted_name?: string } | null; phones?: { phone?: string }[] | null }[] | null
  reaction?: { emoji?: string | null } | null
  order?: { products: readonly unknown[] } | null
  deletion?: object | null
  flow_reply?: { name?: string | null } | null
  call_permission?: { granted: boolean } | null
  payment_method?: { reference_id: string } | null
  media_placeholder?: object | null
  unsupported?: { meta_code?: number | null } | null
  interactive?: { body?: string | null } | null
  /** Of a message whose form only Meta knows. */
  meta?: unknown
}

type Place = { latitude: number; longitude: number; name?: string | null; address?: string | null }

const charactersMax = 120

/** The text of a message; null if it has none, or no longer. */
export function wordsOf({ content }: Pick<MessageRow, 'content'>): string | null {
  if (content === null) return null
  const said = JSON.parse(content) as Content
  const { text, media, reply, location, contacts, reaction, order, deletion, interactive } = said
  return (
    (said.flow_reply ? formOf(said.flow_reply, text) : text) ??
    interactive?.body ??
    media?.caption ??
    media?.filename ??
    media?.mime_type ??
    reply?.title ??
    (location ? placeOf(location) : null) ??
    contacts?.map(({ name, phones }) => name?.formatted_name ?? phones?.[0]?.phone ?? 'Contact').join(', ') ??
    (reaction ? (reaction.emoji ?? 'Removed a reaction') : null) ??
    (order ? orderOf(order.products.length) : null) ??
    (deletion ? 'Deleted a message' : null) ??
    (said.call_permission ? permissionOf(said.call_permission) : null) ??
    (said.payment_method ? `Chose a card for order ${said.payment_method.reference_id}` : null) ??
    (said.media_placeholder ? 'A file from before' : null) ??
    (said.unsupported ? unsupportedOf(said.unsupported) : null) ??
    wordsIn(said.meta)
  )
}

/** The words where most of Meta's forms have theirs. */
function wordsIn(meta: unknown): string | null {
  if (!isRecord(meta)) return null
  const places = [meta.body, meta.caption, meta.text].map((place) => (isRecord(place) ? place.text : place))
  return (places.find((words) => typeof words === 'string' && words !== '') as string | undefined) ?? null
}

/** Meta's text for a Flow is the word alone, which in a list reads as if the business had sent something. */
function formOf({ name }: { name?: string | null }, text: string | null | undefined): string {
  if (text && text !== 'Sent') return text
  return name === 'address_message' ? 'Sent an address' : 'Filled in a form'
}

function orderOf(products: number): string {
  return products === 1 ? 'Order of 1 product' : `Order of ${products} products`
}

function permissionOf({ granted }: { granted: boolean }): string {
  return granted ? 'Allowed calls' : 'Declined calls'
}

/** Written on a linked device that Meta cannot read. */
const onPhoneOnly = 131_060

function unsupportedOf({ meta_code }: { meta_code?: number | null }): string {
  return meta_code === onPhoneOnly ? 'Only the phone shows this message' : 'A message that WhatsApp does not pass on'
}

function placeOf({ latitude, longitude, name, address }: Place): string {
  return name ?? address ?? `${latitude}, ${longitude}`
}

/** The beginning of it, for a line in a list. */
export function previewOf(row: Pick<MessageRow, 'content'>): string | null {
  const words = wordsOf(row)
  return words === null ? null : Array.from(words).slice(0, charactersMax).join('')
}
