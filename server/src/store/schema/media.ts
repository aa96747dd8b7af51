import type { TableStatements } from './table-statements.ts'

/**
 * Files, and the bytes behind them. Several files of one account with the same bytes share a blob. Bytes that no blob
 * claims, because they are still being written or were just released, are listed in `loose_blobs`, so that they are found
 * whatever happens in between. `place` says where bytes are: `here`, or in a bucket, by its address.
 */
export const media: TableStatements = {
  statements: [
    `create table media (
      id {key} primary key,
      account_id {key} not null,
      direction text not null,
      kind text not null,
      mime_type text not null,
      filename text,
      size bigint,
      sha256 text,
      blob_id {key},
      state text not null,
      link_hash {key},
      number_id {key},
      platform_media_id {key},
      created_at bigint not null,
      expires_at bigint
    )`,
    `create index media_due on media (expires_at) where state <> 'deleted' and expires_at is not null`,
    `create index media_gone on media (created_at) where state = 'deleted'`,
    'create index media_of_link on media (account_id, link_hash, created_at) where link_hash is not null',
    'create index media_of_platform on media (account_id, platform_media_id) where platform_media_id is not null',
    `create table blobs (
      id {key} primary key,
      account_id {key} not null,
      sha256 {key} not null,
      size bigint not null,
      kind {key} not null,
      place {key} not null,
      refs bigint not null,
      created_at bigint not null,
      unique (account_id, sha256)
    )`,
    'create index blobs_by_kind on blobs (kind, size)',
    // Bytes of stored files per account, counted with each blob: a sum over a million of them would hold up the writer.
    `create table media_usage (
      account_id {key} primary key,
      bytes bigint not null
    )`,
    `create table loose_blobs (
      id {key} not null,
      place {key} not null,
      account_id {key} not null,
      due_at bigint not null,
      doomed bigint not null,
      primary key (id, place)
    )`,
    'create index loose_blobs_due on loose_blobs (due_at)',
    `create table media_uploads (
      blob_id {key} not null,
      number_id {key} not null,
      platform_media_id text not null,
      expires_at bigint not null,
      primary key (blob_id, number_id)
    )`,
    'create index media_uploads_due on media_uploads (expires_at)',
  ],
  // SQLite keeps bytes in files beside the database; see media/blobs/.
  postgres: [
    `create table blob_chunks (
      blob_id {key} not null,
      seq bigint not null,
      bytes bytea not null,
      primary key (blob_id, seq)
    )`,
    // Pictures, sound and films are compressed already.
    'alter table blob_chunks alter column bytes set storage external',
  ],
}
