import type { InboundContent, InboundItem, InboundMedia, UnhandledItem } from '../../callback-item.ts'
import { classifyReported } from '../classify-failure.ts'
import { booleanOf, type JsonObject, listOf, numberOf, objectOf, sha256HexOf, textOf } from '../lenient-json.ts'
import { dedupeKey, type Place, phoneOf, rawOf, timeOf, unhandled } from './callback-facts.ts'

/**
 * One entry of `messages`. Whatever the content looks like, a message with an id and a sender stays a message: what
 * cannot be read becomes `unsupported`, never nothing.
 */
export function parseMessage(value: unknown, place: Place): InboundItem | UnhandledItem {
  const message = objectOf(value)
  if (!message) return unhandled('unreadable_item', place, value)
  const channelMessageId = textOf(message.id)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const from = senderOf(message, place)
  if (from.phone === null && from.userId === null) return unhandled('no_sender', place, value)
  const type = textOf(message.type) ?? 'unknown'
  const context = objectOf(message.context)
  return {
    kind: 'message',
    dedupeKey: dedupeKey('message', channelMessageId),
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    channelMessageId,
    at: timeOf(message.timestamp),
    from,
    content: contentOf(type, message),
    replyTo: textOf(context?.id),
    forwarded: context?.forwarded === true || context?.frequently_forwarded === true,
    groupId: textOf(message.group_id),
    referral: rawOf(message.referral),
    opensWindow: type !== 'system' && type !== 'edit' && type !== 'revoke',
  }
}

/** Number changes come without `contacts`, and customers with a user name come without a number. */
function senderOf(message: JsonObject, place: Place): InboundItem['from'] {
  const phone = phoneOf(message.from)
  const userId = textOf(message.from_user_id)
  const contact =
    phone === null && userId === null
      ? onlyContact(place)
      : (place.contacts.get(userId ?? '') ?? place.contacts.get(phone ?? ''))
  const profile = objectOf(contact?.profile)
  return {
    phone: phone ?? phoneOf(contact?.wa_id),
    userId: userId ?? textOf(contact?.user_id),
    name: textOf(profile?.name),
    username: textOf(profile?.username),
  }
}

/** A message that names no sender is from the one person the change mentions, if there is just one. */
function onlyContact({ contacts }: Place): JsonObject | undefined {
  const people = new Set(contacts.values())
  return people.size === 1 ? people.values().next().value : undefined
}

function contentOf(type: string, message: JsonObject): InboundContent {
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
  const type = textOf(node?.type)
  if (type !== 'button_reply' && type !== 'list_reply') return null
  return reply(type, objectOf(node?.[type]))
}

function reply(type: 'button_reply' | 'list_reply', node: JsonObject | null): InboundContent | null {
  const id = textOf(node?.id)
  if (id === null) return null
  return { type, reply: { id, title: textOf(node?.title), description: textOf(node?.description) } }
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
