import type { TableStatements } from './table-statements.ts'

/**
 * Jobs wait in lanes: one for customers' files, served by account, and one for everything else, so that 48,000 pictures of
 * one account delay nobody. A claimed job has its lease as `run_at`, so one index says what is due and what is next.
 */
export const jobs: TableStatements = {
  statements: [
    // again_at: when a job has to run again that was enqueued while it ran; otherwise null.
    `create table jobs (
      id {key} primary key,
      lane {key} not null default 'main',
      kind {key} not null,
      subject {key} not null,
      account_id {key},
      payload text not null,
      run_at bigint not null,
      again_at bigint,
      attempts bigint not null,
      claim text,
      lease_until bigint not null,
      last_error text,
      created_at bigint not null,
      unique (kind, subject)
    )`,
    // Each lane has an index that no statement of the other lane can use. A queue is empty most of the time, so
    // PostgreSQL's statistics call every way to its jobs equally short; it took the index by time for the jobs of one
    // account, and read those of all accounts for each claim.
    `create index jobs_main on jobs (lane, run_at) where lane = 'main'`,
    `create index jobs_media on jobs (lane, account_id, run_at) where lane = 'media'`,
  ],
}
