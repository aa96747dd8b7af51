import { countAnswer, countReceived } from '../analytics/count-message.ts'
import { writeAudited } from '../audit/audit.ts'
import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-items.ts'
import { erasedIds } from '../events/masked-event.ts'
import { countryOf } from '../lib/phone.ts'
import { enqueueInboundMedia } from '../media/inbound-media.ts'
import type { CallItem, IdentityItem, InboundItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { notePreference } from '../store/messages/contacts.ts'
import { nameFile } from '../store/messages/message-list.ts'
import { findMessagesByChannelId, type MessageRow, newMessage } from '../store/messages/messages.ts'
import { insertInbound } from '../store/messages/replies.ts'
import { takeFromStandby } from '../store/messages/threads.ts'
import { inboundContent } from './content/inbound-content.ts'
import { addInbound, asCustomer, noteWritten } from './customers/as-customer.ts'
import type { Identity } from './customers/identity.ts'
import { keywordIn } from './keywords.ts'
import { type HistoryEntry, messageFacts, publishMessageEvent, storedHistory } from './message-record.ts'
import { addOwner, addStandby } from './threads/thread-owner.ts'

type Entry = ItemInContext<InboundItem>

/** Incoming messages: stored once, the window opened, media fetched by a separate job, everything in one unit. */
export async function receiveMessages(rt: Runtime, batch: readonly Entry[]): Promise<ItemOutcome[]> {
  return Promise.all(batch.map((entry) => receiveMessage(rt, entry)))
}

function identityOf({ item, context }: Entry): Identity {
  const { formerAddresses: former, from } = item
  return { ...from, former, isOwn: true, channelId: context.channel.id, at: item.at ?? context.receivedAt }
}

async function receiveMessage(rt: Runtime, { item, context }: Entry, readsWords = true): Promise<ItemOutcome> {
  const { number } = context
  if (!number) return 'unhandled'
  const { accountId } = context
  const place = { numberId: number.id, accountId }
  const erased_id = (await erasedIds(rt, accountId))(item.channelMessageId)
  const answered = await answeredBy(rt, { item, context })
  try {
    await asCustomer(rt, accountId, identityOf({ item, context }), async (unit, customerId) => {
      const media = addMedia(rt, unit, item, place)
      const content = inboundContent(item, media)
      const row = inboundRow(rt, { item, context }, { numberId: place.numberId, customerId, content })
      unit.add(insertInbound, { ...row, erased_id })
      if (media !== null) unit.add(nameFile, { media_id: media, message_id: row.id })
      addReceived(rt, unit, row, { item, context, answered })
      const keyword = readsWords ? await keywordOf(rt, { item, context }, customerId) : null
      if (!keyword) return rt.store.write(unit)
      return writeAudited(rt, keyword.entry, (own) => {
        own.calls.push(...unit.calls)
        keyword.add(own)
      })
    })
    rt.metrics.messages.inc({ direction: 'inbound', type: item.content.type, status: 'received' })
  } catch (error) {
    // The customer has said something newer meanwhile: the message is stored without its meaning.
    if (error instanceof ConditionFailed && error.operation === notePreference.name && readsWords) {
      return receiveMessage(rt, { item, context }, false)
    }
    // The platform repeats itself: this one is here already.
    if (!(error instanceof ConditionFailed && error.operation === insertInbound.name)) throw error
    const ids = [erased_id, item.channelMessageId]
    const known = await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids })
    if (known.some(({ channel_message_id }) => channel_message_id === erased_id)) return 'erased'
    const copy = known.find(({ origin }) => origin === 'standby')
    if (copy && !item.standby) await takeCopy(rt, copy, { item, context, answered })
  }
  return 'applied'
}

/**
 * Our message that a customer quotes or whose button they tap. Reactions, changes of a message and words to a group are no
 * answer.
 */
async function answeredBy(rt: Runtime, { item, context }: Entry): Promise<MessageRow | null> {
  if (item.replyTo === null || !item.opensWindow || item.content.type === 'reaction') return null
  const params = { account_id: context.accountId, ids: [item.replyTo] }
  const [quoted] = await rt.store.read(findMessagesByChannelId, params)
  return quoted?.direction === 'outbound' ? quoted : null
}

type Answer = Entry & { answered: MessageRow | null }

/** A word that stops or starts marketing, where the message is nothing else. */
function keywordOf(rt: Runtime, { item, context }: Entry, customerId: string) {
  const { number, accountId } = context
  if (!number) return null
  const { phone, userId } = item.from
  const text = item.content.type === 'text' ? item.content.text : null
  return keywordIn(rt, { accountId, number, customerId, phone, userId, text, at: item.at ?? context.receivedAt })
}

/**
 * The effects of a customer's message besides storing it. Nobody is to reply to a reaction, or to what another responder
 * handles.
 */
function addReceived(rt: Runtime, unit: Unit, row: MessageRow, { item, context, answered }: Answer): void {
  const at = item.at ?? context.receivedAt
  const place = { numberId: row.number_id, accountId: row.account_id }
  const { standby = false } = item
  const customerId = row.customer_id
  const needsReply = !standby && item.content.type !== 'reaction'
  if (item.opensWindow && customerId !== null) {
    const activeAt = needsReply ? rt.clock.now() : at
    addInbound(unit, { ...place, customerId, at, activeAt, unread: needsReply ? 1 : 0 })
  }
  const thread = { id: row.number_id, accountId: row.account_id }
  const addresses = [item.from.phone, item.from.userId].filter((address) => address !== null)
  if (standby) addStandby(unit, thread, addresses, { at, now: rt.clock.now() })
  else if (item.summary !== undefined) {
    const change = { owner: 'gateway', role: null, summary: item.summary, at } as const
    addOwner(unit, thread, addresses, { change, now: rt.clock.now() })
  }
  publishMessageEvent(rt, unit, row, {
    numberPhone: context.number?.phoneNumber ?? null,
    type: standby ? 'message.standby' : 'message.received',
    status: 'received',
    at,
    inferred: false,
    sequence: row.event_sequence,
  })
  if (standby) return
  countReceived(unit, messageFacts(row))
  const isTap = item.content.type === 'button_reply' || item.content.type === 'list_reply'
  if (answered) countAnswer(unit, messageFacts(answered), isTap ? 'taps' : 'replies')
}

/** The conversation was passed to us, and with it a message of which we had the copy: now it is ours to reply to. */
async function takeCopy(rt: Runtime, copy: MessageRow, entry: Answer): Promise<void> {
  const taken = { ...copy, origin: null, event_sequence: copy.event_sequence + 1 }
  try {
    await asCustomer(rt, copy.account_id, identityOf(entry), async (unit, customerId) => {
      unit.add(takeFromStandby, { id: copy.id, event_sequence: taken.event_sequence })
      addReceived(rt, unit, { ...taken, customer_id: customerId }, entry)
      await rt.store.write(unit)
    })
    rt.metrics.messages.inc({ direction: 'inbound', type: copy.type, status: 'received' })
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.operation === takeFromStandby.name)) throw error
  }
}

export function addMedia(
  rt: Runtime,
  unit: Unit,
  item: Pick<InboundItem, 'content'>,
  place: ContactPlace,
): string | null {
  if (!('media' in item.content)) return null
  const { media } = item.content
  const mediaId = rt.newId('med')
  enqueueInboundMedia(rt, unit, {
    mediaId,
    ...place,
    kind: media.sticker ? 'sticker' : item.content.type,
    platformMediaId: media.platformMediaId,
    mimeType: media.mimeType,
    sha256: media.sha256,
    filename: media.filename,
  })
  return mediaId
}

function inboundRow(
  rt: Runtime,
  { item, context }: Entry,
  { numberId, customerId, content }: { numberId: string; customerId: string; content: Record<string, unknown> },
): MessageRow {
  const now = rt.clock.now()
  const at = item.at ?? context.receivedAt
  const history: HistoryEntry[] = [{ status: 'received', at, recordedAt: now, source: 'channel', inferred: false }]
  const address = item.from.phone ?? item.from.userId
  return newMessage({
    id: rt.newId('in'),
    account_id: context.accountId,
    number_id: numberId,
    direction: 'inbound',
    type: item.content.type,
    status: 'received',
    channel_message_id: item.channelMessageId,
    customer_id: customerId,
    phone: item.from.phone,
    user_id: item.from.userId,
    customer_name: item.from.name,
    country: address === null ? null : countryOf(address),
    reply_to: item.replyTo,
    group_id: item.groupId,
    origin: item.standby ? 'standby' : null,
    content: JSON.stringify(content),
    history: storedHistory(history),
    event_sequence: 1,
    created_at: now,
  })
}

/** A change that comes without a message. */
export async function receiveIdentities(
  rt: Runtime,
  batch: readonly ItemInContext<IdentityItem>[],
): Promise<ItemOutcome[]> {
  return Promise.all(
    batch.map(async ({ item: { customer, former, at }, context: { accountId, channel, receivedAt } }) => {
      const identity = { ...customer, former, channelId: channel.id, at: at ?? receivedAt }
      await asCustomer(rt, accountId, identity, (unit) => rt.store.write(unit))
      return 'applied' as const
    }),
  )
}

/** Calls open the 24-hour window like messages do; nothing else is done with them. */
export async function receiveCalls(rt: Runtime, batch: readonly ItemInContext<CallItem>[]): Promise<ItemOutcome[]> {
  return Promise.all(
    batch.map(async ({ item, context }) => {
      const { number, accountId } = context
      if (!number) return 'unhandled'
      const identity = { ...item.customer, channelId: context.channel.id, at: item.at ?? context.receivedAt }
      if (item.opensWindow) await noteWritten(rt, { accountId, numberId: number.id, identity, unread: 0 })
      return 'applied'
    }),
  )
}

type ContactPlace = { numberId: string; accountId: string }
