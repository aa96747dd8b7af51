import { query } from '../engine/operation.ts'
import { requestLogColumns } from './request-log.ts'

const columns = Object.keys(requestLogColumns)
  .map((column) => `r.${column}`)
  .join(', ')

/** Newest first. An empty filter lets everything through; `like` comes escaped with `\`. */
export const searchRequests = query({
  name: 'request_log.search',
  params: {
    account_id: 'text',
    before_at: 'int',
    before_id: 'text',
    outcome: 'text',
    key_id: 'text',
    search: 'text',
    like: 'text',
    count: 'int',
  },
  returns: { ...requestLogColumns, key_name: 'text?' },
  lane: 'list',
  sql: `select ${columns}, k.name as key_name from request_log r left join api_keys k on k.id = r.key_id
        where r.account_id = :account_id and (r.at, r.id) < (:before_at, :before_id)
          and (:outcome = 'all' or (:outcome = 'refused' and r.status >= 400)
            or (:outcome = 'accepted' and r.status < 400))
          and (:key_id = '' or r.key_id = :key_id)
          and (:search = '' or r.id = :search or r.code = :search or r.route like :like escape '\\')
        order by r.at desc, r.id desc limit :count`,
})
