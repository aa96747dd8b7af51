/** What tests ask the store and the gateway does not. */
import { requestLogColumns } from '../../server/src/store/accounts/request-log.ts'
import { callbackItemColumns } from '../../server/src/store/channels/callback-items.ts'
import { query } from '../../server/src/store/engine/operation.ts'

export const readRequests = query({
  name: 'request_log.read',
  params: { account_id: 'text', before_at: 'int', before_id: 'text', count: 'int' },
  returns: requestLogColumns,
  lane: 'list',
  sql: `select ${Object.keys(requestLogColumns).join(', ')} from request_log
        where account_id = :account_id and (at, id) < (:before_at, :before_id) order by at desc, id desc limit :count`,
})

/** The newest first, of one state: what the platform said and nobody understood. */
export const listCallbackItems = query({
  name: 'callback_items.list',
  params: { account_id: 'text', state: 'text', count: 'int' },
  returns: callbackItemColumns,
  lane: 'list',
  sql: `select ${Object.keys(callbackItemColumns).join(', ')} from callback_items
        where account_id = :account_id and state = :state order by received_at desc, key_hash limit :count`,
})

export const countCallbacks = query({
  name: 'callbacks.count',
  params: {},
  returns: { stored: 'int', applied: 'int' },
  lane: 'list',
  sql: `select count(*) as stored, count(*) - (select count(*) from callback_queue) as applied from callback_seen`,
})

export const countJobs = query({
  name: 'jobs.count',
  params: { kind: 'text' },
  returns: { total: 'int' },
  sql: 'select count(*) as total from jobs where kind = :kind',
})

export const countBlobs = query({
  name: 'blobs.count',
  params: {},
  returns: { stored: 'int', loose: 'int' },
  lane: 'list',
  sql: 'select (select count(*) from blobs) as stored, (select count(*) from loose_blobs) as loose',
})
