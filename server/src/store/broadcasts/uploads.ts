import { operation, query, type RowOf } from '../engine/operation.ts'

export const uploadColumns = {
  id: 'text',
  broadcast_id: 'text',
  account_id: 'text',
  state: 'text',
  lease_until: 'int?',
  first_group: 'int',
  last_group: 'int',
  columns: 'text',
  lines: 'int',
  accepted: 'int',
  invalid: 'int',
  duplicates: 'int',
  created_at: 'int',
} as const
export type UploadRow = RowOf<typeof uploadColumns>
const list = Object.keys(uploadColumns).join(', ')

export const insertUpload = operation({
  name: 'broadcast_uploads.insert',
  input: uploadColumns,
  key: ['id'],
  sql: `insert into broadcast_uploads (${list}) select ${list} from rows`,
})

/** It goes on receiving, or is complete. Reverts the unit where its lease was taken for lost. */
export const saveUpload = operation({
  name: 'broadcast_uploads.save',
  input: uploadColumns,
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update broadcast_uploads set state = rows.state, lease_until = rows.lease_until, columns = rows.columns,
          lines = rows.lines, accepted = rows.accepted, invalid = rows.invalid, duplicates = rows.duplicates
        from rows where broadcast_uploads.id = rows.id and broadcast_uploads.state = 'receiving'
        returning broadcast_uploads.id`,
})

/** Uploads of a broadcast that are to be deleted: all, or those before a group. */
export const dropUploads = operation({
  name: 'broadcast_uploads.drop',
  input: { broadcast_id: 'text', before_group: 'int' },
  key: ['broadcast_id'],
  sql: `update broadcast_uploads set state = 'dropped', lease_until = 0
        from rows where broadcast_uploads.broadcast_id = rows.broadcast_id
          and broadcast_uploads.first_group < rows.before_group`,
})

export const dropGroups = operation({
  name: 'broadcast_groups.drop',
  input: { broadcast_id: 'text', before_group: 'int' },
  key: ['broadcast_id'],
  sql: `delete from broadcast_groups where broadcast_id in (select broadcast_id from rows)
          and group_no < (select max(before_group) from rows r where r.broadcast_id = broadcast_groups.broadcast_id)`,
})

/** Those whose request is gone, before another begins. */
export const dropReceiving = operation({
  name: 'broadcast_uploads.drop_receiving',
  input: { broadcast_id: 'text' },
  key: ['broadcast_id'],
  sql: `update broadcast_uploads set state = 'dropped', lease_until = 0 from rows
        where broadcast_uploads.broadcast_id = rows.broadcast_id and broadcast_uploads.state = 'receiving'`,
})

/** One whose request is gone. */
export const dropUpload = operation({
  name: 'broadcast_uploads.drop_one',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: `update broadcast_uploads set state = 'dropped', lease_until = 0 from rows
        where broadcast_uploads.id = rows.id and broadcast_uploads.state = 'receiving'
          and broadcast_uploads.lease_until < rows.now`,
})

export const deleteUpload = operation({
  name: 'broadcast_uploads.delete',
  input: { id: 'text' },
  key: ['id'],
  sql: 'delete from broadcast_uploads where id in (select id from rows)',
})

export const findUpload = query({
  name: 'broadcast_uploads.find',
  params: { broadcast_id: 'text', id: 'text' },
  returns: uploadColumns,
  sql: `select ${list} from broadcast_uploads where id = :id and broadcast_id = :broadcast_id`,
})

export const findUploads = query({
  name: 'broadcast_uploads.of_broadcast',
  params: { broadcast_id: 'text' },
  returns: uploadColumns,
  sql: `select ${list} from broadcast_uploads where broadcast_id = :broadcast_id order by first_group`,
})

/** Broadcasts that ended before a time and still have their recipients. */
export const findEndedWithRecipients = query({
  name: 'broadcast_uploads.of_ended',
  params: { before: 'int', count: 'int' },
  returns: { broadcast_id: 'text' },
  lane: 'list',
  sql: `select distinct u.broadcast_id from broadcasts b join broadcast_uploads u on u.broadcast_id = b.id
        where b.updated_at < :before and b.ended_at is not null and u.state = 'complete' limit :count`,
})

/** What is to be deleted, or was given up by its request. */
export const findLostUploads = query({
  name: 'broadcast_uploads.lost',
  params: { now: 'int', count: 'int' },
  returns: uploadColumns,
  lane: 'list',
  sql: `select ${list} from broadcast_uploads where state <> 'complete' and lease_until < :now limit :count`,
})

export const insertProblems = operation({
  name: 'broadcast_problems.insert',
  input: { upload_id: 'text', page: 'int', problems: 'text' },
  key: ['upload_id', 'page'],
  sql: 'insert into broadcast_problems (upload_id, page, problems) select upload_id, page, problems from rows',
})

export const readProblems = query({
  name: 'broadcast_problems.read',
  params: { upload_id: 'text', page: 'int' },
  returns: { problems: 'text' },
  sql: 'select problems from broadcast_problems where upload_id = :upload_id and page = :page',
})

export const deleteProblems = operation({
  name: 'broadcast_problems.delete',
  input: { upload_id: 'text' },
  key: ['upload_id'],
  sql: 'delete from broadcast_problems where upload_id in (select upload_id from rows)',
})
