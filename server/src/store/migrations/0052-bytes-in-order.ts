import type { Migration } from './migration.ts'

/**
 * Every index is in the order of bytes, as on SQLite. In the order of a language, comparing takes longer, and an index is
 * wrong after an update of the system that changes that order. Takes as long as it takes to build these indexes again.
 */
export const bytesInOrder: Migration = {
  id: 52,
  name: 'bytes in order',
  statements: [],
  postgres: [
    'alter table events alter column subject type {key}',
    'alter table deliveries alter column replay_id type {key}, alter column status type {key}',
    'alter table jobs alter column lane type {key}, alter column kind type {key}, alter column subject type {key}',
    'alter table users alter column email type {key}',
    'alter table blobs alter column kind type {key}',
  ],
}
