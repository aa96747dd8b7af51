import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readList } from '../store/engine/list.ts'
import { type MessageFilters, messageListing } from '../store/messages/message-list.ts'
import { toListItem } from './message-record.ts'
import { readNumbers } from './number-facts.ts'

export type ListRequest = PageRequest & { filters: MessageFilters; order: 'asc' | 'desc' }

/** A page of messages by time; the cursor knows its filters and is rejected with others. */
export async function listMessages(rt: Runtime, accountId: string, request: ListRequest) {
  const { filters, order, ...page } = request
  const boundTo = ['messages', accountId, { ...namedFilters(filters), order }]
  const listing = messageListing(accountId, filters, order)
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
function namedFilters({ phone, userId, clientReference, apiKeyId, errorCode, ...others }: MessageFilters) {
  return {
    ...others,
    phone_number: phone ?? userId,
    client_reference: clientReference,
    api_key_id: apiKeyId,
    error_code: errorCode,
  }
}
