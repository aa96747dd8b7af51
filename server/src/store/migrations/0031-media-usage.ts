import type { Migration } from './migration.ts'

/**
 * Bytes of stored files per account, counted with each blob: a sum over a million of them would hold up the writer. And
 * the index of the media lane in a form whose accounts SQLite hops through instead of sorting them.
 */
export const mediaUsage: Migration = {
  id: 31,
  name: 'media usage',
  statements: [
    `create table media_usage (
      account_id {key} primary key,
      bytes bigint not null
    )`,
    'insert into media_usage (account_id, bytes) select account_id, sum(size) from blobs group by account_id',
    'drop index jobs_by_account',
    'create index jobs_by_account on jobs (lane, account_id, run_at)',
  ],
}
