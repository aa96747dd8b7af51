import { operation, query } from '../engine/operation.ts'

/** After `keepBlob`: bytes that became a blob count, those that the account had already do not. */
export const countBlob = operation({
  name: 'media_usage.add',
  input: { id: 'text', account_id: 'text' },
  key: ['account_id'],
  sql: `insert into media_usage (account_id, bytes)
        select rows.account_id, coalesce((select b.size from blobs b where b.id = rows.id), 0) from rows where true
        on conflict (account_id) do update set bytes = media_usage.bytes + excluded.bytes`,
})

/** After `countBlob`: fails the unit when the new blob takes the account beyond its plan. */
export const requireMediaRoom = operation({
  name: 'media_usage.require_room',
  input: { id: 'text', account_id: 'text', bytes_max: 'int' },
  key: ['account_id'],
  returns: { account_id: 'text' },
  required: true,
  sql: `update media_usage set bytes = media_usage.bytes from rows
        where media_usage.account_id = rows.account_id
          and (media_usage.bytes <= rows.bytes_max or not exists (select 1 from blobs b where b.id = rows.id))
        returning media_usage.account_id`,
})

/** Before `dropUnusedBlob`. */
export const uncountUnusedBlob = operation({
  name: 'media_usage.subtract',
  input: { id: 'text', account_id: 'text' },
  key: ['account_id'],
  sql: `update media_usage set bytes = media_usage.bytes - b.size from rows join blobs b on b.id = rows.id
        where media_usage.account_id = rows.account_id and b.refs <= 0`,
})

export const findMediaUsage = query({
  name: 'media_usage.find',
  params: { account_id: 'text' },
  returns: { bytes: 'int' },
  sql: 'select bytes from media_usage where account_id = :account_id',
})
