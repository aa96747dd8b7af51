import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { listMessagesQuery, type MessageFilters } from '../store/messages/message-list.ts'
import { toListItem } from './message-record.ts'
import { readNumbers } from './number-facts.ts'

export type MessagePage = {
  messages: ReturnType<typeof toListItem>[]
  pagination: { limit: number; has_more: boolean; next_cursor: string | null }
}

export type ListRequest = { filters: MessageFilters; limit: number; order: 'asc' | 'desc'; cursor: string | null }

/** A page of messages by time; the cursor knows its filters and is refused with others. */
export async function listMessages(rt: Runtime, accountId: string, request: ListRequest): Promise<MessagePage> {
  const { filters, limit, order, cursor } = request
  const boundTo = ['messages', accountId, filters, order]
  const after = cursor === null ? null : rt.cursors.open(cursor, boundTo)
  if (cursor !== null && after === null) {
    throw new AppError(
      'invalid_cursor',
      'The cursor is unknown, expired, or was made for other filters. Start again without it.',
    )
  }
  const position = after === null ? null : { createdAt: Number(after[0]), id: String(after[1]) }
  const rows = await rt.store.list(
    listMessagesQuery(rt.store.engine, accountId, { filters, order, position, count: limit + 1 }),
  )
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const numbers = await readNumbers(rt, accountId)
  return {
    messages: page.map((row) => toListItem(row, numbers.get(row.number_id)?.phoneNumber ?? null)),
    pagination: {
      limit,
      has_more: last !== undefined,
      next_cursor: last ? rt.cursors.seal([last.created_at, last.id], boundTo) : null,
    },
  }
}
