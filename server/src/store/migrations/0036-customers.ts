import type { Migration } from './migration.ts'

/** Messages know the group they were written in; contacts know when a customer last changed a preference. */
export const customers: Migration = {
  id: 36,
  name: 'customers',
  statements: [
    'alter table messages add column group_id {key}',
    'alter table contacts add column preference_at bigint',
  ],
}
