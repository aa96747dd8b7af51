import { sendPaths } from '../../contract/messages/send-requests.ts'
import { type RequestLogRow, requestLogColumns } from '../accounts/request-log.ts'
import { kysely } from '../engine/cursor.ts'
import type { Listing } from '../engine/list.ts'
import { operation, query } from '../engine/operation.ts'
import { isLike, type WordForms } from './conversation-list.ts'
import { type MessageRow, messageColumns } from './messages.ts'

export type MessageFilters = {
  direction?: string
  status?: readonly string[]
  type?: string
  customerId?: string
  template?: string
  clientReference?: string
  apiKeyId?: string
  /** Unresolved: queued, and nobody knows whether the platform has it. */
  outcome?: string
  /** Of the failure. */
  errorCode?: string
  /** Search in message texts, in the forms of `isLike`; only for messages with a known customer. */
  words?: WordForms
  since?: number
  until?: number
}

const columns = Object.keys(messageColumns)
  .map((column) => `r.${column}`)
  .join(', ')

/**
 * Along the narrowest index that one filter has. Conditions of partial indexes stand as their indexes have them; no index
 * names the status, see the schema. What waits stands in the order in which it is due.
 */
export function messageListing(
  accountId: string,
  { direction, status, type, customerId, template, clientReference, apiKeyId, ...others }: MessageFilters,
  order: 'asc' | 'desc',
): Listing<MessageRow> {
  const { outcome, errorCode, words, since, until } = others
  const { sql } = kysely()
  const failed = errorCode !== undefined || isOnly(status, 'failed')
  const open = outcome === 'unknown' || isOnly(status, 'queued')
  const indexed: [column: string, value: string][] = []
  if (clientReference !== undefined) indexed.push(['client_reference', clientReference])
  if (customerId !== undefined) indexed.push(['customer_id', customerId])
  const [narrowest, ...further] = indexed
  const pattern = errorCode && `%"code":"${errorCode.replace(/[\\%_]/g, '\\$&')}"%`
  const filters = [
    ...further.map(([column, value]) => sql`${sql.raw(`r.${column}`)} = ${value}`),
    direction === undefined ? null : sql`r.direction = ${direction}`,
    status === undefined ? null : sql`r.status in (${sql.join([...status])})`,
    type === undefined ? null : sql`r.type = ${type}`,
    template === undefined ? null : sql`r.template = ${template}`,
    apiKeyId === undefined ? null : sql`r.api_key_id = ${apiKeyId}`,
    outcome === undefined ? null : sql`r.outcome = ${outcome}`,
    words === undefined ? null : sql`${isLike('r.content', words)} and (r.phone is not null or r.user_id is not null)`,
    pattern === undefined ? null : sql`r.error like ${pattern} escape '\\'`,
  ].filter((condition) => condition !== null)
  const rare = open ? isOpen : failed ? hasError : undefined
  if (isOnly(status, 'waiting') && !narrowest) {
    const bounds = [
      since === undefined ? null : sql`r.created_at >= ${since}`,
      until === undefined ? null : sql`r.created_at < ${until}`,
    ].filter((condition) => condition !== null)
    return {
      table: 'messages',
      columns,
      key: ['id'],
      fixed: { account_id: accountId },
      only: 'r.next_attempt_at is not null',
      along: ['next_attempt_at', 'id'],
      order,
      time: null,
      filters: [...filters, ...bounds],
    }
  }
  return {
    table: 'messages',
    columns,
    key: ['id'],
    fixed: { account_id: accountId, ...(narrowest && { [narrowest[0]]: narrowest[1] }) },
    only: narrowest ? `r.${narrowest[0]} is not null` : rare,
    along: ['created_at', 'id'],
    order,
    since,
    until,
    time: 'created_at',
    filters,
  }
}

const isOpen = `(r.settle_by is not null or r.outcome = 'unknown')`
const hasError = 'r.error is not null'

function isOnly(status: readonly string[] | undefined, wanted: string): boolean {
  return status !== undefined && status.length > 0 && status.every((one) => one === wanted)
}

const requestColumns = Object.keys(requestLogColumns)
  .map((column) => `r.${column}`)
  .join(', ')

const isRefusedSend = `r.method = 'POST' and r.route in (${sendPaths.map((path) => `'${path}'`).join(', ')})
          and r.code <> 'send_outcome_unknown'
          and not exists (select 1 from messages m where m.account_id = r.account_id and m.api_key_id = r.key_id
            and m.created_at >= r.at and m.created_at <= r.at + r.duration_ms + 50
            and m.error like '%"code":"' || r.code || '"%')`

type NotSentFilters = {
  since?: number | undefined
  until?: number | undefined
  route?: string | undefined
  keyId?: string | undefined
  search?: string | undefined
  code?: string | undefined
}

/**
 * Sends that were refused before there was a message, newest first. One the platform refused has a message of its own, made
 * while the request ran and failed for the same reason; that one is in the list of messages.
 */
export function notSentListing(accountId: string, filters: NotSentFilters): Listing<RequestLogRow> {
  const { since, until, route, keyId, search, code } = filters
  const { sql } = kysely()
  return {
    table: 'request_log',
    columns: requestColumns,
    key: ['id'],
    along: ['at', 'id'],
    order: 'desc',
    time: 'at',
    fixed: { account_id: accountId },
    only: 'r.status >= 400',
    since,
    until,
    filters: [
      ...(route ? [sql`r.route = ${route}`] : []),
      ...(keyId ? [sql`r.key_id = ${keyId}`] : []),
      ...(search ? [sql`(r.id = ${search} or r.code = ${search})`] : []),
      ...(code ? [sql`r.code = ${code}`] : []),
      sql.raw(isRefusedSend),
    ],
  }
}

/** The newest of them by their cause, the most frequent first. */
export const countNotSent = query({
  name: 'request_log.count_not_sent',
  params: { account_id: 'text', since: 'int', count: 'int' },
  returns: { code: 'text', count: 'int' },
  lane: 'list',
  sql: `select code, count(*) as count from (
          select r.code from request_log r
          where r.account_id = :account_id and r.at >= :since and r.status >= 400 and ${isRefusedSend}
          order by r.at desc, r.id desc limit :count) as newest
        group by code order by 2 desc, code`,
})

/** A message names a file; in the unit of the message. */
export const nameFile = operation({
  name: 'message_files.name',
  input: { media_id: 'text', message_id: 'text' },
  key: ['media_id', 'message_id'],
  sql: `insert into message_files (media_id, message_id) select media_id, message_id from rows where true
        on conflict (media_id, message_id) do nothing`,
})

/** A file is gone, and who named it with it. */
export const forgetFileNames = operation({
  name: 'message_files.forget',
  input: { media_id: 'text' },
  key: ['media_id'],
  sql: 'delete from message_files where media_id in (select media_id from rows)',
})

/**
 * Files that belong to a person: what they sent, and what was sent to nobody else. A brochure that went to thousands is
 * the account's own. `addresses` are the person's; a message without any belongs to a person who was erased before.
 */
export const findFilesOf = query({
  name: 'message_files.of_person',
  params: { message_ids: 'text[]', addresses: 'text[]' },
  returns: { media_id: 'text' },
  lane: 'list',
  sql: `select distinct f.media_id from message_files f join messages m on m.id = f.message_id
        where f.message_id in {list:message_ids} and (m.direction = 'inbound' or not exists (
          select 1 from message_files o join messages other on other.id = o.message_id
          where o.media_id = f.media_id and coalesce(other.phone, other.user_id) is not null
            and coalesce(other.phone, '') not in {list:addresses}
            and coalesce(other.user_id, '') not in {list:addresses}))`,
})
