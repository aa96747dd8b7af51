import type { Migration } from './migration.ts'

/** People signed in to the console. The cookie's value is kept as a hash: a stolen table signs nobody in. */
export const consoleSessions: Migration = {
  id: 9,
  name: 'console',
  statements: [
    `create table sessions (
      id {key} primary key,
      token_hash {key} not null unique,
      user_id {key} not null,
      account_id {key} not null,
      ip text,
      user_agent text,
      created_at bigint not null,
      last_seen_at bigint not null,
      expires_at bigint not null,
      confirmed_at bigint not null
    )`,
    'create index sessions_user on sessions (user_id)',
    'create index sessions_account on sessions (account_id, last_seen_at)',
    'create index sessions_age on sessions (expires_at)',
  ],
}
