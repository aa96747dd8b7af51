import { operation, query, type RowOf } from './operation.ts'

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
} as const

export type RequestLogRow = RowOf<typeof requestLogColumns>
const columns = Object.keys(requestLogColumns).join(', ')

export const insertRequests = operation({
  name: 'request_log.insert',
  input: requestLogColumns,
  key: ['id'],
  sql: `insert into request_log (${columns}) select ${columns} from rows where true on conflict (id) do nothing`,
})

export const readRequests = query({
  name: 'request_log.read',
  params: { account_id: 'text', before_at: 'int', before_id: 'text', count: 'int' },
  returns: requestLogColumns,
  lane: 'list',
  sql: `select ${columns} from request_log
        where account_id = :account_id and (at, id) < (:before_at, :before_id) order by at desc, id desc limit :count`,
})

export const expireRequests = operation({
  name: 'request_log.expire',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  sql: `delete from request_log where id in (
          select id from request_log where at < (select before from rows) order by at limit (select count from rows))
        returning id`,
})

/** Keeps the newest rows of one account. */
export const trimRequests = operation({
  name: 'request_log.trim',
  input: { account_id: 'text', keep: 'int' },
  alone: true,
  sql: `delete from request_log where account_id = (select account_id from rows) and at < (
          select at from request_log where account_id = (select account_id from rows)
          order by at desc, id desc limit 1 offset (select keep from rows))`,
})
