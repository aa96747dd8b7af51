import type { ItemInContext, ItemOutcome } from '../../channels/callbacks/callback-items.ts'
import { erasedIds } from '../../events/masked-event.ts'
import { dayMs } from '../../lib/durations.ts'
import { addressKey, countryOf } from '../../lib/phone.ts'
import type { HistoryProgressItem, PastMessageItem, SavedContactItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { nameFile } from '../../store/messages/message-list.ts'
import { findMessagesByChannelId, type NewMessage, newMessage } from '../../store/messages/messages.ts'
import { fillPlaceholder, findThreads, insertPast, nameCustomer, saveName } from '../../store/messages/threads.ts'
import { writtenContent } from '../content/inbound-content.ts'
import { addInbound, asCustomer } from '../customers/as-customer.ts'
import { type HistoryEntry, storedHistory } from '../message-record.ts'
import { addMedia } from '../receive-messages.ts'
import { windowMs } from '../window.ts'

type Past = ItemInContext<PastMessageItem>

/**
 * Messages from before the number was connected, by the thousand and in any order. They have their own times, open no
 * window, are told to nobody and counted nowhere.
 */
export async function receivePast(rt: Runtime, batch: readonly Past[]): Promise<ItemOutcome[]> {
  const known = batch.filter(({ context, item }) => context.number !== null && !item.isAsset)
  const names = await savedNames(rt, known)
  const unit = new Unit()
  await addPeople(rt, known, names)
  for (const entry of known) await addPast(rt, unit, entry)
  if (unit.calls.length > 0) await rt.store.write(unit)
  const outcomes: ItemOutcome[] = []
  for (const entry of batch) {
    if (!entry.context.number) outcomes.push('unhandled')
    else outcomes.push(entry.item.isAsset ? await addFile(rt, entry) : 'applied')
  }
  return outcomes
}

/** Whom the messages are from and to, each once: before their messages, which find them by their addresses. */
async function addPeople(rt: Runtime, batch: readonly Past[], names: ReadonlyMap<string, string>): Promise<void> {
  const now = rt.clock.now()
  const people = Map.groupBy(batch, ({ item: { customer }, context }) =>
    [context.accountId, context.number?.id, customer.phone, customer.userId].join(' '),
  )
  for (const [first, ...others] of people.values()) {
    if (!first) continue
    const { item, context } = first
    const { accountId, number } = context
    const numberId = number?.id ?? ''
    const times = [first, ...others].flatMap((one) => (one.item.direction === 'inbound' ? timeOf(rt, one) : []))
    // Customers who wrote before have no open window: Meta says so even of those who wrote an hour ago.
    const at = Math.min(Math.max(0, ...times), now - windowMs)
    const name = names.get(nameKey(numberId, item.customer.phone)) ?? null
    const channelId = context.channel.id
    const identity = { ...item.customer, name, channelId, at: Math.max(at, timeOf(rt, first)) }
    await asCustomer(rt, accountId, identity, (unit, customerId) => {
      if (times.length > 0) addInbound(unit, { accountId, numberId, customerId, at, unread: 0 })
      return rt.store.write(unit)
    })
  }
}

function timeOf(rt: Runtime, { item, context }: Past): number {
  return Math.min(item.at ?? context.receivedAt, rt.clock.now())
}

async function addPast(rt: Runtime, unit: Unit, entry: Past): Promise<void> {
  const { item } = entry
  const at = timeOf(rt, entry)
  if (at < rt.clock.now() - rt.config.retentionMetadataDays * dayMs) return
  const row = pastRow(rt, entry, at)
  const erased_id = (await erasedIds(rt, row.account_id))(item.channelMessageId)
  unit.add(insertPast, { ...row, erased_id })
}

function pastRow(rt: Runtime, { item, context }: Past, at: number): NewMessage {
  const { direction, customer, content, status } = item
  const recordedAt = rt.clock.now()
  const history: HistoryEntry[] = [{ status, at, recordedAt, source: 'channel', inferred: false }]
  const isContentKept = at >= recordedAt - rt.config.retentionContentDays * dayMs
  const address = customer.phone ?? customer.userId
  return newMessage({
    id: rt.newId(direction === 'inbound' ? 'in' : 'out', at),
    account_id: context.accountId,
    number_id: context.number?.id ?? '',
    direction,
    type: content.type,
    status,
    channel_message_id: item.channelMessageId,
    customer_address: address === null ? null : addressKey(address),
    phone: customer.phone,
    user_id: customer.userId,
    country: address === null ? null : countryOf(address),
    content: isContentKept ? JSON.stringify(writtenContent(content, null)) : null,
    content_purged_at: isContentKept ? null : recordedAt,
    history: storedHistory(history),
    origin: 'history',
    sent_at: direction === 'outbound' ? at : null,
    created_at: at,
  })
}

/** The bytes of a message that came without them; in any order, so that it may have to wait for its message. */
async function addFile(rt: Runtime, { item, context }: Past): Promise<ItemOutcome> {
  const params = { account_id: context.accountId, ids: [item.channelMessageId] }
  const [row] = await rt.store.read(findMessagesByChannelId, params)
  if (!row) return 'unmatched'
  if (row.type !== 'media_placeholder' || row.content === null) return 'applied'
  const unit = new Unit()
  const place = { numberId: row.number_id, accountId: row.account_id }
  const media = addMedia(rt, unit, item, place)
  if (media === null) return 'unhandled'
  unit.add(nameFile, { media_id: media, message_id: row.id })
  const content = JSON.stringify(writtenContent(item.content, media))
  unit.add(fillPlaceholder, { id: row.id, type: item.content.type, content })
  try {
    await rt.store.write(unit)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  return 'applied'
}

async function savedNames(rt: Runtime, batch: readonly Past[]): Promise<ReadonlyMap<string, string>> {
  const byNumber = Map.groupBy(batch, ({ context }) => context.number?.id ?? '')
  const found = await Promise.all(
    [...byNumber].map(async ([number_id, entries]) => {
      const addresses = [...new Set(entries.flatMap(({ item }) => item.customer.phone ?? []))]
      const rows = addresses.length === 0 ? [] : await rt.store.read(findThreads, { number_id, addresses })
      return rows.map(({ address, saved_name }) => [nameKey(number_id, address), saved_name] as const)
    }),
  )
  return new Map(found.flat().flatMap(([key, name]) => (name === null ? [] : [[key, name] as const])))
}

function nameKey(numberId: string, address: string | null): string {
  return `${numberId} ${address}`
}

/** The address book of the phone. A name that a customer gave themselves wins. */
export async function receiveSavedContacts(
  rt: Runtime,
  batch: readonly ItemInContext<SavedContactItem>[],
): Promise<ItemOutcome[]> {
  const unit = new Unit()
  for (const { item, context } of batch) {
    if (!context.number) continue
    const { id: number_id } = context.number
    for (const address of [item.customer.phone, item.customer.userId]) {
      if (address === null) continue
      const noted_at = rt.clock.now()
      unit.add(saveName, { number_id, address, account_id: context.accountId, saved_name: item.name, noted_at })
      const named = { account_id: context.accountId, address: addressKey(address), name: item.name, noted_at }
      unit.add(nameCustomer, named)
    }
  }
  if (unit.calls.length > 0) await rt.store.write(unit)
  return batch.map(({ context }) => (context.number ? 'applied' : 'unhandled'))
}

/** The progress of the transfer is recorded with its item; errors are for the operator. */
export async function receiveProgress(
  rt: Runtime,
  batch: readonly ItemInContext<HistoryProgressItem>[],
): Promise<ItemOutcome[]> {
  for (const { item, context } of batch) {
    const { phase, chunk, percent, failures } = item
    const about = { account_id: context.accountId, channel_id: context.channel.id, phase, chunk, percent }
    if (failures.length === 0) rt.log.info(about, 'channel.history_received')
    else rt.log.warn({ ...about, codes: failures.map(({ upstream }) => upstream.code) }, 'channel.history_failed')
  }
  return batch.map(() => 'applied')
}
