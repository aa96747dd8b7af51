import type { Migration } from './migration.ts'

/** Refused requests of an account, which are few: Home counts those of a day among all that succeeded. */
export const refusedRequests: Migration = {
  id: 55,
  name: 'refused requests',
  statements: ['create index request_log_refused on request_log (account_id, at, id) where status >= 400'],
}
