import type { Migration } from './migration.ts'

/** What the console counts and looks for: calls of a key, and messages by the reason they failed. */
export const consoleFigures: Migration = {
  id: 12,
  name: 'console figures',
  statements: [
    `create table key_calls (
      account_id {key} not null,
      hour_start bigint not null,
      key_id {key} not null,
      calls bigint not null,
      primary key (account_id, hour_start, key_id)
    )`,
    'create index key_calls_age on key_calls (hour_start)',
    // Few messages fail, so this costs a send that succeeds nothing.
    'create index messages_failures on messages (account_id, created_at, id) where error is not null',
  ],
}
