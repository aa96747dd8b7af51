import type { Migration } from './migration.ts'

/**
 * When a customer was blocked from here. Meta tells no one customer from its list of up to 64,000, so a conversation could not
 * say it otherwise. A message that comes later proves the block gone: the mark counts while nothing was received after it.
 */
export const blockedCustomers: Migration = {
  id: 56,
  name: 'blocked customers',
  statements: ['alter table contacts add column blocked_at bigint'],
}
