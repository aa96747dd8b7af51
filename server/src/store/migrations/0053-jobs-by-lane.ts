import type { Migration } from './migration.ts'

/**
 * Each lane has an index of its own that no statement of the other lane can use. A queue is empty most of the time, so the
 * statistics of PostgreSQL say that every way to its jobs is as short as any other; it then took the index by time for the
 * jobs of one account, and read those of all accounts for each claim.
 */
export const jobsByLane: Migration = {
  id: 53,
  name: 'jobs by lane',
  statements: [
    'drop index jobs_next',
    'drop index jobs_by_account',
    `create index jobs_main on jobs (lane, run_at) where lane = 'main'`,
    `create index jobs_media on jobs (lane, account_id, run_at) where lane = 'media'`,
  ],
}
