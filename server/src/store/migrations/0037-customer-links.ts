import type { Migration } from './migration.ts'

/** A send looks for the customer behind a changed address, so links are found by their new side within an account. */
export const customerLinks: Migration = {
  id: 37,
  name: 'customer links',
  statements: [
    'create index contact_aliases_of_account on contact_aliases (account_id, alias)',
    'drop index contact_aliases_of_alias',
  ],
}
