import { openCursor, type PageRequest, toPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { listMessagesQuery, type MessageFilters } from '../store/messages/message-list.ts'
import { toListItem } from './message-record.ts'
import { readNumbers } from './number-facts.ts'

export type ListRequest = PageRequest & { filters: MessageFilters; order: 'asc' | 'desc' }

/** A page of messages by time; the cursor knows its filters and is rejected with others. */
export async function listMessages(rt: Runtime, accountId: string, request: ListRequest) {
  const { filters, limit, order, cursor } = request
  const boundTo = ['messages', accountId, { ...namedFilters(filters), order }]
  const after = openCursor(rt, cursor, boundTo)
  const position = after && { createdAt: Number(after[0]), id: String(after[1]) }
  const rows = await rt.store.list(
    listMessagesQuery(rt.store.engine, accountId, { filters, order, position, count: limit + 1 }),
    accountId,
  )
  const positionOf = (row: (typeof rows)[number]) => [row.created_at, row.id]
  const { shown, pagination } = toPage(rt, rows, { limit, boundTo, positionOf })
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
