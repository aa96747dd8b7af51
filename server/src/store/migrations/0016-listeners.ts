import type { Migration } from './migration.ts'

/** Forwarding webhooks of `postern listen`: one per API key, without an address, gone when nobody listens for a day. */
export const listeners: Migration = {
  id: 16,
  name: 'listeners',
  statements: [
    `create table listeners (
      id {key} primary key,
      account_id {key} not null,
      key_id {key} not null,
      created_at bigint not null,
      seen_at bigint not null
    )`,
    'create unique index listeners_of_key on listeners (account_id, key_id)',
    'create index listeners_age on listeners (seen_at)',
  ],
}
