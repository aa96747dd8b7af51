import type { CompiledQuery } from 'kysely'
import type { Engine } from '../engine/dialect.ts'
import { kysely, listCompiler } from '../engine/list-query.ts'
import { type MessageRow, messageColumns } from './messages.ts'

export type MessageFilters = {
  direction?: string
  status?: readonly string[]
  type?: string
  phone?: string
  userId?: string
  template?: string
  clientReference?: string
  apiKeyId?: string
  /** Unresolved: queued, and nobody knows whether the platform has it. */
  outcome?: string
  /** Of the failure. */
  errorCode?: string
  since?: number
  until?: number
}

export type MessageListOptions = {
  filters: MessageFilters
  order: 'asc' | 'desc'
  position: { createdAt: number; id: string } | null
  count: number
}

const columns = Object.keys(messageColumns) as (keyof MessageRow)[]

/** Keyset over (created_at, id): a page costs the same on the first and on the millionth row. */
export function listMessagesQuery(
  engine: Engine,
  accountId: string,
  { filters, order, position, count }: MessageListOptions,
): CompiledQuery<MessageRow> {
  const { direction, status, type, phone, userId, template, clientReference, apiKeyId, outcome } = filters
  const { errorCode, since, until } = filters
  let query = listCompiler<{ messages: MessageRow }>(engine)
    .selectFrom('messages')
    .select(columns)
    .where('account_id', '=', accountId)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (status !== undefined) query = query.where('status', 'in', [...status])
  if (type !== undefined) query = query.where('type', '=', type)
  if (phone !== undefined) query = query.where('phone', '=', phone)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (template !== undefined) query = query.where('template', '=', template)
  if (clientReference !== undefined) query = query.where('client_reference', '=', clientReference)
  if (apiKeyId !== undefined) query = query.where('api_key_id', '=', apiKeyId)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (errorCode !== undefined) {
    const { sql } = kysely()
    const pattern = `%"code":"${errorCode.replace(/[\\%_]/g, '\\$&')}"%`
    query = query.where('error', 'is not', null).where(sql<boolean>`error like ${pattern} escape '\\'`)
  }
  if (since !== undefined) query = query.where('created_at', '>=', since)
  if (until !== undefined) query = query.where('created_at', '<', until)
  if (position) {
    const beyond = order === 'asc' ? '>' : '<'
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), beyond, tuple(position.createdAt, position.id)),
    )
  }
  return query.orderBy('created_at', order).orderBy('id', order).limit(count).compile()
}
