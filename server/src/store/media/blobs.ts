import { operation, query } from '../engine/operation.ts'

/** Says that bytes of this id may exist and belong to nothing; from `due_at` on anyone may remove them. */
export const insertLooseBlob = operation({
  name: 'blobs.loosen',
  input: { id: 'text', place: 'text', account_id: 'text', due_at: 'int' },
  key: ['id', 'place'],
  sql: `insert into loose_blobs (id, place, account_id, due_at, doomed)
        select id, place, account_id, due_at, 0 from rows`,
})

/** Fails the unit when the removal of the bytes has begun. Due at once, in case another blob has the same bytes. */
export const holdLooseBlob = operation({
  name: 'blobs.hold',
  input: { id: 'text', place: 'text', now: 'int' },
  key: ['id', 'place'],
  returns: { id: 'text', place: 'text' },
  required: true,
  sql: `update loose_blobs set due_at = rows.now from rows
        where loose_blobs.id = rows.id and loose_blobs.place = rows.place and loose_blobs.doomed = 0
        returning loose_blobs.id, loose_blobs.place`,
})

/** One blob per account and content: the second file with the same bytes adds a reference to the first blob. */
export const keepBlob = operation({
  name: 'blobs.keep',
  input: { id: 'text', place: 'text', account_id: 'text', sha256: 'text', size: 'int', kind: 'text', now: 'int' },
  key: ['account_id', 'sha256'],
  sql: `insert into blobs (id, place, account_id, sha256, size, kind, refs, created_at)
        select id, place, account_id, sha256, size, kind, 1, now from rows where true
        on conflict (account_id, sha256) do update set refs = blobs.refs + 1`,
})

/** Bytes that became a blob are loose no more; those of a repeated content stay loose. */
export const settleLooseBlob = operation({
  name: 'blobs.settle',
  input: { id: 'text', place: 'text' },
  key: ['id', 'place'],
  returns: { id: 'text', place: 'text' },
  sql: `delete from loose_blobs
        where (id, place) in (select id, place from rows)
          and exists (select 1 from blobs where blobs.id = loose_blobs.id and blobs.place = loose_blobs.place)
        returning id, place`,
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
  returns: { id: 'text', place: 'text' },
  sql: `insert into loose_blobs (id, place, account_id, due_at, doomed)
        select b.id, b.place, b.account_id, rows.now, 0 from rows join blobs b on b.id = rows.id where b.refs <= 0
        returning id, place`,
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
  returns: { id: 'text', place: 'text' },
  alone: true,
  ctes: `due as (select {row:id, place} from loose_blobs where due_at <= (select now from rows)
           order by due_at limit (select count from rows) {skip_locked})`,
  sql: `update loose_blobs set doomed = 1, due_at = (select again_at from rows)
        where ({row:id, place}) {in:due} returning id, place`,
})

export const doomLooseBlob = operation({
  name: 'blobs.doom_one',
  input: { id: 'text', place: 'text' },
  key: ['id', 'place'],
  returns: { id: 'text', place: 'text' },
  sql: 'update loose_blobs set doomed = 1 where (id, place) in (select id, place from rows) returning id, place',
})

export const forgetLooseBlob = operation({
  name: 'blobs.forget_loose',
  input: { id: 'text', place: 'text' },
  key: ['id', 'place'],
  sql: 'delete from loose_blobs where (id, place) in (select id, place from rows)',
})

/** Bytes that nothing refers to any more and that could not be removed yet. */
export const countDoomedBlobs = query({
  name: 'blobs.doomed_of_account',
  params: { account_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from loose_blobs where account_id = :account_id and doomed = 1',
})

/** Files per place, for the operator: it reads every blob. */
export const blobPlaces = query({
  name: 'blobs.places',
  params: {},
  returns: { place: 'text', files: 'int', bytes: 'int' },
  lane: 'list',
  sql: 'select place, count(*) as files, sum(size) as bytes from blobs group by place order by place',
})

/** The same of bytes that wait for their removal. */
export const doomedPlaces = query({
  name: 'blobs.doomed_places',
  params: {},
  returns: { place: 'text', files: 'int' },
  lane: 'list',
  sql: 'select place, count(*) as files from loose_blobs where doomed = 1 group by place order by place',
})

export const blobsElsewhere = query({
  name: 'blobs.elsewhere',
  params: { place: 'text', after: 'text', count: 'int' },
  returns: { id: 'text', account_id: 'text', place: 'text', size: 'int', sha256: 'text' },
  lane: 'list',
  sql: `select id, account_id, place, size, sha256 from blobs where place <> :place and id > :after
        order by id limit :count`,
})

/** Its bytes were copied: they are read from the new place from now on. Fails the unit when the blob is gone. */
export const relocateBlob = operation({
  name: 'blobs.relocate',
  input: { id: 'text', from_place: 'text', to_place: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update blobs set place = rows.to_place from rows
        where blobs.id = rows.id and blobs.place = rows.from_place and blobs.refs > 0
        returning blobs.id`,
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
  ctes: `announced as (select l.id from loose_blobs l
           where l.id in (select blob_id from rows) and l.place = 'here' and l.doomed = 0 for share of l)`,
  sql: `insert into blob_chunks (blob_id, seq, bytes)
        select blob_id, seq, bytes from rows where blob_id in (select id from announced)
        returning blob_id, seq`,
})

export const findBlob = query({
  name: 'blobs.find',
  params: { id: 'text' },
  returns: { size: 'int', place: 'text' },
  sql: 'select size, place from blobs where id = :id',
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
