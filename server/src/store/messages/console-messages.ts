import { sendPaths } from '../../contract/messages/send-requests.ts'
import { requestLogColumns } from '../accounts/request-log.ts'
import { query } from '../engine/operation.ts'

const columns = Object.keys(requestLogColumns)
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
  sql: `select ${columns} from request_log r
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
