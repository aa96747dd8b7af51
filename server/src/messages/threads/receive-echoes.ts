import type { ItemInContext, ItemOutcome } from '../../channels/callbacks/callback-items.ts'
import type { EventData } from '../../contract/events.ts'
import { erasedIds } from '../../events/masked-event.ts'
import { publishEvent } from '../../events/publish-event.ts'
import { formatInstant } from '../../lib/instant.ts'
import { addressKey, countryOf } from '../../lib/phone.ts'
import type { EchoItem, HandoverItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { noteReplyElsewhere } from '../../store/messages/conversations.ts'
import { nameFile } from '../../store/messages/message-list.ts'
import { findMessagesByChannelId, type NewMessage, newMessage } from '../../store/messages/messages.ts'
import { insertEcho, noteNewOwner, noteOwner } from '../../store/messages/threads.ts'
import { writtenContent } from '../content/inbound-content.ts'
import { customerBy, customerSubject } from '../customers/find-customer.ts'
import { addRecipient } from '../customers/recipient.ts'
import { type HistoryEntry, publishMessageEvent, storedHistory } from '../message-record.ts'
import { addMedia } from '../receive-messages.ts'
import { addOwner, type OwnerChange } from './thread-owner.ts'

/**
 * Messages that the business sent without the gateway: shown in the conversation and published as events, nothing else. It opens no
 * window, makes no customer, and is counted nowhere.
 */
export async function receiveEchoes(rt: Runtime, batch: readonly ItemInContext<EchoItem>[]): Promise<ItemOutcome[]> {
  return Promise.all(batch.map((entry) => receiveEcho(rt, entry)))
}

async function receiveEcho(rt: Runtime, { item, context }: ItemInContext<EchoItem>): Promise<ItemOutcome> {
  const { number } = context
  if (!number) return 'unhandled'
  const unit = new Unit()
  const at = item.at ?? context.receivedAt
  const media = addMedia(rt, unit, item, { numberId: number.id, accountId: context.accountId })
  const row = echoRow(rt, { item, context }, { numberId: number.id, at, media })
  const erased_id = (await erasedIds(rt, row.account_id))(item.channelMessageId)
  const address = item.to.phone ?? item.to.userId
  if (address !== null) addRecipient(rt, unit, row, address)
  unit.add(insertEcho, { ...row, erased_id })
  if (address !== null && item.content.type !== 'reaction') {
    unit.add(noteReplyElsewhere, { account_id: row.account_id, address: addressKey(address), at })
  }
  if (media !== null) unit.add(nameFile, { media_id: media, message_id: row.id })
  const event = { type: 'message.echoed', status: 'sent', at, inferred: false, sequence: 1 } as const
  publishMessageEvent(rt, unit, row, { ...event, numberPhone: number.phoneNumber })
  try {
    await rt.store.write(unit)
    return 'applied'
  } catch (error) {
    // One of ours, a repeat, or one whose customer was erased.
    if (!(error instanceof ConditionFailed && error.operation === insertEcho.name)) throw error
    const erased = await rt.store.read(findMessagesByChannelId, { account_id: row.account_id, ids: [erased_id] })
    return erased.length > 0 ? 'erased' : 'applied'
  }
}

function echoRow(
  rt: Runtime,
  { item, context }: ItemInContext<EchoItem>,
  { numberId, at, media }: { numberId: string; at: number; media: string | null },
): NewMessage {
  const now = rt.clock.now()
  const { content, to } = item
  const history: HistoryEntry[] = [{ status: 'sent', at, recordedAt: now, source: 'channel', inferred: false }]
  const address = to.phone ?? to.userId
  return newMessage({
    id: rt.newId('out'),
    account_id: context.accountId,
    number_id: numberId,
    direction: 'outbound',
    type: content.type,
    status: 'sent',
    channel_message_id: item.channelMessageId,
    customer_address: address === null ? null : addressKey(address),
    phone: to.phone,
    user_id: to.userId,
    template: content.type === 'template' ? content.name : null,
    language: content.type === 'template' ? content.language : null,
    country: address === null ? null : countryOf(address),
    reply_to: item.replyTo,
    origin: item.sentThrough,
    content: JSON.stringify(writtenContent(content, media)),
    history: storedHistory(history),
    event_sequence: 1,
    created_at: now,
    sent_at: at,
  })
}

/** A conversation changed hands. One after another: two changes of one conversation may be in a batch. */
export async function receiveHandovers(
  rt: Runtime,
  batch: readonly ItemInContext<HandoverItem>[],
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const entry of batch) outcomes.push(await receiveHandover(rt, entry))
  return outcomes
}

async function receiveHandover(rt: Runtime, { item, context }: ItemInContext<HandoverItem>): Promise<ItemOutcome> {
  const { number, accountId } = context
  const address = item.customer.phone ?? item.customer.userId
  if (!number || address === null) return 'unhandled'
  const isOurs = item.change === 'passed'
  const change: OwnerChange = {
    owner: isOurs ? 'gateway' : 'other',
    role: isOurs ? null : item.role,
    summary: item.summary,
    at: item.at ?? context.receivedAt,
    isPassed: isOurs,
  }
  const place = { id: number.id, accountId }
  const known = await customerBy(rt, accountId, address)
  const all = new Set([address, ...(known?.addresses ?? []).map(({ shown }) => shown)])
  const [first = address, ...others] = all
  const unit = new Unit()
  addOwner(unit, place, [first], { change, now: rt.clock.now(), note: noteNewOwner })
  addOwner(unit, place, others, { change, now: rt.clock.now(), note: noteOwner })
  const data: EventData<'conversation.control_changed'> = {
    customer_id: known?.id ?? null,
    customer: item.customer.phone,
    user_id: item.customer.userId,
    phone_number: number.phoneNumber,
    owner: change.owner,
    role: item.role,
    previous_role: item.previousRole,
    summary: item.summary,
    note: item.note,
    timestamp: formatInstant(change.at),
  }
  const subject = known?.id ?? customerSubject(rt, accountId, address)
  publishEvent(rt, unit, { accountId, type: 'conversation.control_changed', subject, sequence: 1, data })
  try {
    await rt.store.write(unit)
  } catch (error) {
    // Late or repeated.
    if (!(error instanceof ConditionFailed && error.operation === noteNewOwner.name)) throw error
  }
  return 'applied'
}
