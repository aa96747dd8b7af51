import type { Migration } from './migration.ts'

const tables = 'events, deliveries, jobs, users, blobs'

/**
 * Every index is in the order of bytes, as on SQLite. In the order of a language, comparing takes longer, and an index is
 * wrong after an update of the system that changes that order. Takes as long as it takes to build these indexes again.
 *
 * All tables are locked first: a statement that had one of them and waited for another would be in the way. What was known of
 * the columns goes with their type. And statements that nodes of the version before have prepared would fail from now on, so
 * their connections end; new ones wait for this to be over.
 */
export const bytesInOrder: Migration = {
  id: 52,
  name: 'bytes in order',
  statements: [],
  postgres: [
    `lock table ${tables} in access exclusive mode`,
    'alter table events alter column subject type {key}',
    'alter table deliveries alter column replay_id type {key}, alter column status type {key}',
    'alter table jobs alter column lane type {key}, alter column kind type {key}, alter column subject type {key}',
    'alter table users alter column email type {key}',
    'alter table blobs alter column kind type {key}',
    `analyze ${tables}`,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
        and starts_with(application_name, current_setting('application_name'))
        and wait_event is distinct from 'advisory'`,
  ],
}
