import type { Customer, InboundItem, UnhandledItem } from '../../callback-item.ts'
import { type JsonObject, objectOf, textOf } from '../lenient-json.ts'
import { contentOf } from './callback-content.ts'
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

/** A customer's number or user id is another one from now on. */
type IdentityChange = { current: Customer; former: string[] }

/**
 * Reads `user_changed_number` and `user_changed_user_id`. `from` names the former number; a changed user id may come with
 * neither `from` nor `contacts`. Some name the former id only at the end of their sentence ("... changed from A to B"),
 * which counts where B is who they are now: the customer's own name stands in that sentence too.
 */
function identityChangeOf(system: JsonObject | null, sender: Customer): IdentityChange | null {
  const type = textOf(system?.type)
  if (!system || (type !== 'user_changed_number' && type !== 'user_changed_user_id')) return null
  const current: Customer = {
    phone: phoneOf(system.wa_id) ?? phoneOf(system.new_wa_id) ?? (type === 'user_changed_number' ? null : sender.phone),
    userId: textOf(system.user_id) ?? (type === 'user_changed_number' ? sender.userId : null),
  }
  const isCurrent = (address: string) => address === current.phone || address === current.userId
  const [, told, now] = / changed from (\S+) to (\S+)$/.exec(textOf(system.body) ?? '') ?? []
  const toldFormer = isCurrent(addressOf(now) ?? '') ? addressOf(told) : null
  const former = [sender.phone, sender.userId, textOf(system.previous_user_id), toldFormer]
  const known = former.filter((address) => address !== null && !isCurrent(address)) as string[]
  return { current, former: [...new Set(known)] }
}

function addressOf(word = ''): string | null {
  return /^[A-Z]{2}\.[0-9A-Za-z.]+$/.test(word) ? word : phoneOf(word)
}
