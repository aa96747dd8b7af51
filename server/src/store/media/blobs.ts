import { operation, query } from '../engine/operation.ts'

/** Says that bytes of this id may exist and belong to nothing; from `due_at` on anyone may remove them. */
export const insertLooseBlob = operation({
  name: 'blobs.loosen',
  input: { id: 'text', account_id: 'text', due_at: 'int' },
  key: ['id'],
  sql: `insert into loose_blobs (id, account_id, due_at, doomed)
        select id, account_id, due_at, 0 from rows`,
})

/** Fails the unit when the removal of the bytes has begun. Due at once, in case another blob has the same bytes. */
export const holdLooseBlob = operation({
  name: 'blobs.hold',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update loose_blobs set due_at = rows.now from rows
        where loose_blobs.id = rows.id and loose_blobs.doomed = 0
        returning loose_blobs.id`,
})

/** One blob per account and content: the second file with the same bytes adds a reference to the first blob. */
export const keepBlob = operation({
  name: 'blobs.keep',
  input: { id: 'text', account_id: 'text', sha256: 'text', size: 'int', kind: 'text', now: 'int' },
  key: ['account_id', 'sha256'],
  sql: `insert into blobs (id, account_id, sha256, size, kind, refs, created_at)
        select id, account_id, sha256, size, kind, 1, now from rows where true
        on conflict (account_id, sha256) do update set refs = blobs.refs + 1`,
})

/** Bytes that became a blob are loose no more; those of a repeated content stay loose. */
export const settleLooseBlob = operation({
  name: 'blobs.settle',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `delete from loose_blobs
        where id in (select id from rows) and exists (select 1 from blobs where blobs.id = loose_blobs.id)
        returning id`,
})

export const releaseBlob = operation({
  name: 'blobs.release',
  input: { id: 'text' },
  key: ['id'],
  sql: 'update blobs set refs = blobs.refs - 1 from rows where blobs.id = rows.id',
})

export const loosenUnusedBlob = operation({
  name: 'blobs.loosen_unused',
  input: { id: 'text', now: 'int' },
  key: ['id'],
  sql: `insert into loose_blobs (id, account_id, due_at, doomed)
        select b.id, b.account_id, rows.now, 0 from rows join blobs b on b.id = rows.id where b.refs <= 0`,
})

export const dropUnusedBlob = operation({
  name: 'blobs.drop_unused',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: 'delete from blobs where id in (select id from rows) and refs <= 0 returning id',
})

/** Takes bytes that are due for removal. Not finished within the time until `again_at`, they are taken again. */
export const doomLooseBlobs = operation({
  name: 'blobs.doom',
  input: { now: 'int', again_at: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `due as (select id from loose_blobs where due_at <= (select now from rows)
           order by due_at limit (select count from rows) {skip_locked})`,
  sql: `update loose_blobs set doomed = 1, due_at = (select again_at from rows)
        where id {in:due} returning id`,
})

export const doomLooseBlob = operation({
  name: 'blobs.doom_one',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: 'update loose_blobs set doomed = 1 where id in (select id from rows) returning id',
})

export const forgetLooseBlob = operation({
  name: 'blobs.forget_loose',
  input: { id: 'text' },
  key: ['id'],
  sql: 'delete from loose_blobs where id in (select id from rows)',
})

export const blobBytesByKind = query({
  name: 'blobs.bytes_by_kind',
  params: {},
  returns: { kind: 'text', bytes: 'int' },
  lane: 'list',
  sql: 'select kind, sum(size) as bytes from blobs group by kind',
})

/**
 * The bytes themselves, where PostgreSQL keeps them. The lock makes a removal of the bytes wait for this chunk, and a
 * writer that was paused for an hour and comes back after the removal fails here instead of leaving chunks behind.
 */
export const insertBlobChunk = operation({
  name: 'blob_chunks.insert',
  input: { blob_id: 'text', seq: 'int', bytes: 'blob' },
  key: ['blob_id', 'seq'],
  returns: { blob_id: 'text', seq: 'int' },
  required: true,
  ctes: `announced as (select l.id from loose_blobs l where l.id in (select blob_id from rows) and l.doomed = 0
           for share of l)`,
  sql: `insert into blob_chunks (blob_id, seq, bytes)
        select blob_id, seq, bytes from rows where blob_id in (select id from announced)
        returning blob_id, seq`,
})

export const findBlobSize = query({
  name: 'blobs.size',
  params: { id: 'text' },
  returns: { size: 'int' },
  sql: 'select size from blobs where id = :id',
})

export const readBlobChunk = query({
  name: 'blob_chunks.read',
  params: { blob_id: 'text', seq: 'int' },
  returns: { bytes: 'blob' },
  sql: 'select bytes from blob_chunks where blob_id = :blob_id and seq = :seq',
})

export const deleteBlobChunks = operation({
  name: 'blob_chunks.delete',
  input: { blob_id: 'text' },
  key: ['blob_id'],
  sql: 'delete from blob_chunks where blob_id in (select blob_id from rows)',
})
