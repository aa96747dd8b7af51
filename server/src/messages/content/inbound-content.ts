import { formatInstant } from '../../lib/instant.ts'
import type { InboundContent, InboundItem } from '../../platform/callback-item.ts'

/** What a customer wrote, and where it came from: each of these is there only where it is known. */
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
function writtenContent(content: InboundContent, mediaId: string | null): Record<string, unknown> {
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
    case 'order': {
      const products = content.products.map(({ productId, ...product }) => ({ product_id: productId, ...product }))
      return { order: { catalog_id: content.catalogId, products }, text: content.text }
    }
    case 'edit':
      return { edit: { message_id: content.channelMessageId, type: content.editedType }, text: content.text }
    case 'deletion':
      return { deletion: { message_id: content.channelMessageId } }
    case 'system':
      return { system: { type: content.change }, text: content.text }
    default:
      return {
        unsupported: { type: content.platformType, about: content.about, detail: content.detail },
        text: content.text,
      }
  }
}
