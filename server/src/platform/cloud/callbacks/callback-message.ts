import type { InboundItem, UnhandledItem } from '../../callback-item.ts'
import { type JsonObject, objectOf, textOf } from '../lenient-json.ts'
import { contentOf } from './callback-content.ts'
import { dedupeKey, type Place, phoneOf, rawOf, timeOf, unhandled } from './callback-facts.ts'
import { identityChangeOf } from './callback-system.ts'

/**
 * One entry of `messages`. Whatever the content looks like, a message with an id and a sender stays a message: what
 * cannot be read becomes `unsupported`, never nothing.
 */
export function parseMessage(value: unknown, place: Place): InboundItem | UnhandledItem {
  const message = objectOf(value)
  if (!message) return unhandled('unreadable_item', place, value)
  const channelMessageId = textOf(message.id)
  if (channelMessageId === null) return unhandled('no_message_id', place, value)
  const type = textOf(message.type) ?? (message.interactive ? 'interactive' : 'unknown')
  const sender = senderOf(message, place)
  const change = type === 'system' ? identityChangeOf(objectOf(message.system), sender) : null
  const from = change ? { ...sender, ...change.current } : sender
  if (from.phone === null && from.userId === null) return unhandled('no_sender', place, value)
  const context = objectOf(message.context)
  const groupId = textOf(message.group_id)
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
    groupId,
    referral: rawOf(message.referral),
    referredProduct: referredProductOf(objectOf(context?.referred_product)),
    formerAddresses: change?.former ?? [],
    // A message to a group opens no private chat.
    opensWindow: groupId === null && type !== 'system' && type !== 'edit' && type !== 'revoke',
  }
}

function referredProductOf(product: JsonObject | null): InboundItem['referredProduct'] {
  const productId = textOf(product?.product_retailer_id)
  return productId === null ? null : { catalogId: textOf(product?.catalog_id), productId }
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
