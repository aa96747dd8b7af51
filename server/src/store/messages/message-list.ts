import type { CompiledQuery } from 'kysely'
import { sendPaths } from '../../contract/messages/send-requests.ts'
import { requestLogColumns } from '../accounts/request-log.ts'
import { kysely, listCompiler } from '../engine/cursor.ts'
import type { Engine } from '../engine/dialect.ts'
import { query } from '../engine/operation.ts'
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

type MessageListOptions = {
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

const consoleColumns = Object.keys(requestLogColumns)
  .map((column) => `r.${column}`)
  .join(', ')

const refusedSends = `r.account_id = :account_id and r.at >= :since and r.status >= 400 and r.method = 'POST'
          and r.route in (${sendPaths.map((path) => `'${path}'`).join(', ')})
          and r.code <> 'send_outcome_unknown'
          and not exists (select 1 from messages m where m.account_id = r.account_id and m.api_key_id = r.key_id
            and m.created_at >= r.at and m.created_at <= r.at + r.duration_ms + 50
            and m.error like '%"code":"' || r.code || '"%')`

/**
 * Sends that were refused before there was a message. One the platform refused has a message of its own, made while the
 * request ran and failed for the same reason; that one is in the list of messages. An empty filter lets everything by.
 */
export const listNotSent = query({
  name: 'request_log.not_sent',
  params: {
    account_id: 'text',
    before_at: 'int',
    before_id: 'text',
    since: 'int',
    until: 'int',
    route: 'text',
    key_id: 'text',
    search: 'text',
    code: 'text',
    count: 'int',
  },
  returns: requestLogColumns,
  lane: 'list',
  sql: `select ${consoleColumns} from request_log r
        where ${refusedSends}
          and (r.at, r.id) < (:before_at, :before_id) and r.at < :until
          and (:route = '' or r.route = :route) and (:key_id = '' or r.key_id = :key_id)
          and (:search = '' or r.id = :search or r.code = :search) and (:code = '' or r.code = :code)
        order by r.at desc, r.id desc limit :count`,
})

/** The newest of them by their cause, the most frequent first. */
export const countNotSent = query({
  name: 'request_log.count_not_sent',
  params: { account_id: 'text', since: 'int', count: 'int' },
  returns: { code: 'text', count: 'int' },
  lane: 'list',
  sql: `select code, count(*) as count from (
          select r.code from request_log r where ${refusedSends} order by r.at desc, r.id desc limit :count) as newest
        group by code order by 2 desc, code`,
})
