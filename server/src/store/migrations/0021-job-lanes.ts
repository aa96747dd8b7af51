import type { Migration } from './migration.ts'

/**
 * Jobs wait in lanes: one for files of customers, served by account, and one for everything else, so that 48,000 pictures
 * for one account delay nobody. A claimed job has its lease as `run_at`, so one index says what is due and what is next.
 */
export const jobLanes: Migration = {
  id: 21,
  name: 'job lanes',
  statements: [
    "alter table jobs add column lane text not null default 'main'",
    "update jobs set lane = 'media' where kind = 'media.fetch'",
    'update jobs set run_at = lease_until where claim is not null and lease_until > run_at',
    'create index jobs_next on jobs (lane, run_at)',
    "create index jobs_by_account on jobs (account_id, run_at) where lane = 'media'",
    'drop index jobs_due',
  ],
}
