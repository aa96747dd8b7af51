import { AppError } from '../contract/app-error.ts'
import { erasedIds } from '../events/masked-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readList } from '../store/engine/list.ts'
import { findMedia } from '../store/media/media.ts'
import { type MessageFilters, messageListing } from '../store/messages/message-list.ts'
import { findMessage, type MessageRow } from '../store/messages/messages.ts'
import { customerBy } from './customers/find-customer.ts'
import { priceOfMessage } from './message-price.ts'
import { customerOf, toListItem, toRecord } from './message-record.ts'
import { findNumber, type NumberFacts, readNumbers } from './number-facts.ts'
import { marketingPreference } from './receive-preferences.ts'
import { type CustomerWindow, lastInbound, windowState } from './window.ts'

/** The whole record, by the channel's id or the provisional one. */
export async function getMessage(rt: Runtime, accountId: string, id: string, seesCosts = false) {
  const row = await requireMessage(rt, accountId, id)
  return recordOf(rt, row, { seesCosts })
}

/** The same of a message that was read; `shown` is it without people, for readers who see none. */
export async function recordOf(
  rt: Runtime,
  row: MessageRow,
  { seesCosts, shown = row }: { seesCosts: boolean; shown?: MessageRow },
) {
  const { account_id: accountId } = row
  const number = await findNumber(rt, accountId, row.number_id)
  const record = toRecord(shown, number?.phoneNumber ?? null, await customerWindow(rt, row, number))
  const content = await withFileFacts(rt, row, record.content)
  const price = await priceOfMessage(rt, row, seesCosts)
  return { ...record, content, price, marketing: await customerMarketing(rt, row) }
}

export async function requireMessage(rt: Runtime, accountId: string, id: string): Promise<MessageRow> {
  const row = await findMessageBy(rt, accountId, id)
  if (!row) throw new AppError('message_not_found', 'No message has this id.')
  return row
}

type Content = Record<string, unknown> & {
  media?: Record<string, unknown> & { media_id?: string | null; size?: number | null }
}

/** Size and hash of what a customer sent are known once the file has been fetched, which is after the message came. */
async function withFileFacts(rt: Runtime, row: MessageRow, content: Content | null): Promise<Content | null> {
  const { media } = content ?? {}
  if (row.direction !== 'inbound' || !media?.media_id || media.size != null) return content
  const [file] = await rt.store.read(findMedia, { account_id: row.account_id, id: media.media_id })
  if (!file || file.size === null) return content
  return { ...content, media: { ...media, size: file.size, sha256: file.sha256, mime_type: file.mime_type } }
}

async function customerMarketing(rt: Runtime, row: MessageRow) {
  const address = customerOf(row)
  if (address === null) return { state: 'unknown' as const, since: null }
  const { state, at } = await marketingPreference(rt, { id: row.number_id, accountId: row.account_id }, address)
  return { state, since: formatInstant(at) }
}

async function customerWindow(rt: Runtime, row: MessageRow, number: NumberFacts | null): Promise<CustomerWindow> {
  const address = customerOf(row)
  if (!number || address === null) return { state: 'unknown', expiresAt: null }
  return windowState({
    policy: rt.config.windowPolicy,
    channelKind: number.kind,
    numberConnectedAt: number.connectedAt,
    ...(await lastInbound(rt, { id: row.number_id, accountId: row.account_id }, address)),
    now: rt.clock.now(),
  })
}

/** By the channel's id or ours. A message whose customer was erased is still found by the channel's. */
export async function findMessageBy(rt: Runtime, accountId: string, id: string): Promise<MessageRow | null> {
  const look = (known: string) => rt.store.read(findMessage, { account_id: accountId, id: known })
  const [row] = await look(id)
  if (row) return row
  const erasedId = (await erasedIds(rt, accountId))(id)
  const [erased] = erasedId === id ? [] : await look(erasedId)
  return erased ?? null
}

/** `address`: of the customer whose messages are wanted. */
export type ListRequest = PageRequest & { filters: MessageFilters; address?: string | null; order: 'asc' | 'desc' }

/** A page of messages by time; the cursor knows its filters and is rejected with others. */
export async function listMessages(rt: Runtime, accountId: string, request: ListRequest) {
  const { filters, address = null, order, ...page } = request
  const boundTo = ['messages', accountId, { ...namedFilters(filters), phone_number: address ?? undefined, order }]
  const customer = address === null ? null : await customerBy(rt, accountId, address)
  // An address that nobody has is nobody's id.
  const theirs = address === null ? filters : { ...filters, customerId: customer?.id ?? address }
  const listing = messageListing(accountId, theirs, order)
  const { shown, pagination } = await readPage(rt, listing, { ...page, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  const numbers = await readNumbers(rt, accountId)
  return {
    messages: shown.map((row) => toListItem(row, numbers.get(row.number_id)?.phoneNumber ?? null)),
    pagination,
  }
}

/** By the names the caller uses. */
function namedFilters({ customerId, clientReference, apiKeyId, errorCode, ...others }: MessageFilters) {
  return {
    ...others,
    customer_id: customerId,
    client_reference: clientReference,
    api_key_id: apiKeyId,
    error_code: errorCode,
  }
}
