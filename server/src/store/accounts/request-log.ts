import { kysely } from '../engine/cursor.ts'
import type { Listing } from '../engine/list.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

export const requestLogColumns = {
  id: 'text',
  account_id: 'text',
  key_id: 'text?',
  at: 'int',
  method: 'text',
  route: 'text',
  status: 'int',
  code: 'text?',
  duration_ms: 'int',
  body: 'text?',
  /** This and the answer only of accounts that have numbers of the sandbox only; the body is then whole too. */
  path: 'text?',
  answer: 'text?',
} as const

export type RequestLogRow = RowOf<typeof requestLogColumns>
const columns = Object.keys(requestLogColumns).join(', ')

export const insertRequests = operation({
  name: 'request_log.insert',
  input: requestLogColumns,
  sql: `insert into request_log (${columns}) select ${columns} from rows where true on conflict (id) do nothing`,
})

const { body: _body, path: _path, answer: _answer, ...listedColumns } = requestLogColumns
const listed = Object.keys(listedColumns)
  .map((column) => `r.${column}`)
  .join(', ')

/**
 * Newest first, of one account or, with an empty id, of all. Rows appear when a request ends and carry when it began:
 * `ended_from` finds those that ended since, and `from_at` keeps the search for them short. `like` comes escaped with `\`.
 */
export const tailRequestLog = query({
  name: 'request_log.tail',
  params: {
    account_id: 'text',
    from_at: 'int',
    ended_from: 'int',
    status_min: 'int',
    status_max: 'int',
    like: 'text',
    count: 'int',
  },
  returns: { ...listedColumns, key_name: 'text?' },
  lane: 'list',
  sql: `select ${listed}, k.name as key_name from request_log r left join api_keys k on k.id = r.key_id
        where r.at >= :from_at and r.at + r.duration_ms >= :ended_from
          and r.status >= :status_min and r.status <= :status_max
          and (:account_id = '' or r.account_id = :account_id) and r.route like :like escape '\\'
        order by r.at desc, r.id desc limit :count`,
})

/** Keeps the newest rows of one account; deletes a bounded number of the others, the oldest first. */
export const trimRequests = operation({
  name: 'request_log.trim',
  input: { account_id: 'text', keep: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `older as (select id from request_log where account_id = (select account_id from rows) and (at, id) < (
             select at, id from request_log where account_id = (select account_id from rows)
             order by at desc, id desc limit 1 offset (select keep - 1 from rows))
           order by at, id limit (select count from rows))`,
  sql: 'delete from request_log where id {in:older} returning id',
})

const requestColumns = Object.keys(requestLogColumns)
  .map((column) => `r.${column}`)
  .join(', ')

type RequestFilters = { outcome: 'all' | 'refused' | 'accepted'; keyId: string; search: string }

/** Newest first. An empty filter lets everything through. */
export function requestListing(
  accountId: string,
  { outcome, keyId, search }: RequestFilters,
): Listing<RequestLogRow & { key_name: string | null }> {
  const { sql } = kysely()
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return {
    table: 'request_log',
    columns: `${requestColumns}, k.name as key_name`,
    joins: 'left join api_keys k on k.id = r.key_id',
    key: ['id'],
    along: ['at', 'id'],
    order: 'desc',
    time: 'at',
    fixed: { account_id: accountId },
    only: outcome === 'refused' ? 'r.status >= 400' : undefined,
    filters: [
      ...(outcome === 'accepted' ? [sql`r.status < 400`] : []),
      ...(keyId === '' ? [] : [sql`r.key_id = ${keyId}`]),
      ...(search === '' ? [] : [sql`(r.id = ${search} or r.code = ${search} or r.route like ${like} escape '\\')`]),
    ],
  }
}
