import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

const newMediaColumns = {
  id: 'text',
  account_id: 'text',
  direction: 'text',
  kind: 'text',
  mime_type: 'text',
  filename: 'text?',
  size: 'int?',
  sha256: 'text?',
  state: 'text',
  created_at: 'int',
  expires_at: 'int?',
  number_id: 'text?',
  platform_media_id: 'text?',
} as const
const mediaColumns = { ...newMediaColumns, blob_id: 'text?' } as const

export type MediaRow = RowOf<typeof mediaColumns>
const newColumns = Object.keys(newMediaColumns).join(', ')
const columns = Object.keys(mediaColumns).join(', ')

/** Finds its blob by content; a file that is still to be fetched has none. */
export const insertMedia = operation({
  name: 'media.insert',
  input: { ...newMediaColumns, link_hash: 'text?' },
  key: ['id'],
  returns: { id: 'text', blob_id: 'text?' },
  sql: `insert into media (${newColumns}, link_hash, blob_id)
        select ${newColumns}, link_hash,
          (select b.id from blobs b where b.account_id = rows.account_id and b.sha256 = rows.sha256)
        from rows
        returning id, blob_id`,
})

/** The bytes of an inbound file have come; fails the unit when the file was deleted meanwhile. */
export const settleMedia = operation({
  name: 'media.settle',
  input: { id: 'text', account_id: 'text', mime_type: 'text', size: 'int', sha256: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update media set state = 'ready', mime_type = rows.mime_type, size = rows.size, sha256 = rows.sha256,
          blob_id = (select b.id from blobs b where b.account_id = rows.account_id and b.sha256 = rows.sha256)
        from rows where media.id = rows.id and media.state = 'fetching'
        returning media.id`,
})

export const loseMedia = operation({
  name: 'media.lose',
  input: { id: 'text' },
  key: ['id'],
  sql: `update media set state = 'lost' from rows where media.id = rows.id and media.state = 'fetching'`,
})

/** Fails the unit when the file is gone already or has changed since it was read. */
export const dropMedia = operation({
  name: 'media.drop',
  input: { id: 'text', blob_id: 'text?' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update media set state = 'deleted', blob_id = null, filename = null, sha256 = null, link_hash = null,
          platform_media_id = null
        from rows
        where media.id = rows.id and media.state <> 'deleted'
          and coalesce(media.blob_id, '') = coalesce(rows.blob_id, '')
        returning media.id`,
})

/** The last trace of deleted files, a bounded number at a time. */
export const forgetDeletedMedia = expireBefore({
  table: 'media',
  key: ['id'],
  time: 'created_at',
  only: "state = 'deleted'",
})

export const findMedia = query({
  name: 'media.find',
  params: { account_id: 'text', id: 'text' },
  returns: mediaColumns,
  sql: `select ${columns} from media where id = :id and account_id = :account_id`,
})

/** Files by what the platform calls them. */
export const findMediaOfPlatform = query({
  name: 'media.of_platform',
  params: { account_id: 'text', platform_media_ids: 'text[]' },
  returns: mediaColumns,
  sql: `select ${columns} from media
        where account_id = :account_id and platform_media_id in {list:platform_media_ids} and state <> 'deleted'`,
})

/** The platform has an upload too; fails the unit when the file was deleted meanwhile. */
export const namePlatformMedia = operation({
  name: 'media.name_platform',
  input: { id: 'text', number_id: 'text', platform_media_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update media set number_id = rows.number_id, platform_media_id = rows.platform_media_id from rows
        where media.id = rows.id and media.state <> 'deleted' returning media.id`,
})

export const mediaOfLink = query({
  name: 'media.of_link',
  params: { account_id: 'text', link_hash: 'text', since: 'int' },
  returns: mediaColumns,
  sql: `select ${columns} from media
        where account_id = :account_id and link_hash = :link_hash and created_at > :since and state = 'ready'
        order by created_at desc limit 1`,
})

export const dueMedia = query({
  name: 'media.due',
  params: { now: 'int', count: 'int' },
  returns: mediaColumns,
  lane: 'list',
  sql: `select ${columns} from media
        where state <> 'deleted' and expires_at is not null and expires_at <= :now order by expires_at limit :count`,
})

/** The platform's id of a blob uploaded for a number. */
export const keepPlatformUpload = operation({
  name: 'media_uploads.keep',
  input: { blob_id: 'text', number_id: 'text', platform_media_id: 'text', expires_at: 'int' },
  key: ['blob_id', 'number_id'],
  sql: `insert into media_uploads (blob_id, number_id, platform_media_id, expires_at)
        select blob_id, number_id, platform_media_id, expires_at from rows where true
        on conflict (blob_id, number_id) do update
        set platform_media_id = excluded.platform_media_id, expires_at = excluded.expires_at`,
})

export const findPlatformUpload = query({
  name: 'media_uploads.find',
  params: { blob_id: 'text', number_id: 'text', now: 'int' },
  returns: { platform_media_id: 'text' },
  sql: `select platform_media_id from media_uploads
        where blob_id = :blob_id and number_id = :number_id and expires_at > :now`,
})

export const forgetPlatformUploads = operation({
  name: 'media_uploads.forget',
  input: { blob_id: 'text' },
  key: ['blob_id'],
  sql: `delete from media_uploads where blob_id in (select blob_id from rows)
          and not exists (select 1 from blobs where blobs.id = media_uploads.blob_id)`,
})

export const expirePlatformUploads = operation({
  name: 'media_uploads.expire',
  input: { now: 'int', count: 'int' },
  returns: { blob_id: 'text' },
  alone: true,
  ctes: `ended as (select {row:blob_id, number_id} from media_uploads where expires_at <= (select now from rows)
           order by expires_at limit (select count from rows))`,
  sql: `delete from media_uploads where ({row:blob_id, number_id}) {in:ended} and expires_at <= (select now from rows)
        returning blob_id`,
})

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
