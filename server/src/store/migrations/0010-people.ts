import type { Migration } from './migration.ts'

const fileTypes = `('image', 'document', 'audio', 'video', 'interactive')`

/** Everything by which a person can be found again, so that nothing of them is left behind when they are erased. */
export const people: Migration = {
  id: 10,
  name: 'people',
  statements: [
    // Which message names which file: in its content, in the header of its template or above its buttons.
    `create table message_files (
      media_id {key} not null,
      message_id {key} not null,
      primary key (media_id, message_id)
    )`,
    'create index message_files_of_message on message_files (message_id)',
    // The channel may know a customer by another number than the one that was sent to: Mexico's 1, Brazil's 9.
    `create table contact_aliases (
      number_id {key} not null,
      address {key} not null,
      alias {key} not null,
      account_id {key} not null,
      noted_at bigint not null,
      primary key (number_id, address)
    )`,
    'create index contact_aliases_of_address on contact_aliases (account_id, address)',
    'create index contact_aliases_of_alias on contact_aliases (alias)',
    'create index contact_aliases_age on contact_aliases (noted_at)',
    'create index messages_user on messages (account_id, user_id, created_at, id) where user_id is not null',
    'create index contacts_age on contacts (last_inbound_at)',
    'create index contacts_named on contacts (last_inbound_at) where name is not null',
    // Callbacks are taken account by account, so that nobody's thousands are in anybody's way.
    'create index callbacks_of_account on callbacks (account_id, id) where applied_at is null',
    'drop index callbacks_due',
  ],
  sqlite: [
    `insert into message_files (media_id, message_id)
      select coalesce(json_extract(content, '$.media.media_id'), json_extract(content, '$.interactive.header.media_id')), id
      from messages where content is not null and type in ${fileTypes}
        and coalesce(json_extract(content, '$.media.media_id'), json_extract(content, '$.interactive.header.media_id')) is not null`,
  ],
  postgres: [
    `insert into message_files (media_id, message_id)
      select coalesce(content::jsonb #>> '{media,media_id}', content::jsonb #>> '{interactive,header,media_id}'), id
      from messages where content is not null and type in ${fileTypes}
        and coalesce(content::jsonb #>> '{media,media_id}', content::jsonb #>> '{interactive,header,media_id}') is not null`,
  ],
}
