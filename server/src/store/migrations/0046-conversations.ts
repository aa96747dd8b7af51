import type { Migration } from './migration.ts'

/**
 * The console's conversations are the customers who wrote: how many of their messages nobody has read yet, and in two
 * indexes by time, the unread ones apart. A customer with a number and a user id has two rows; the one of the number
 * counts. Nothing here is written by a send. Messages know the person who sent them by hand.
 */
export const conversations: Migration = {
  id: 46,
  name: 'conversations',
  statements: [
    'alter table contacts add column unread bigint not null default 0',
    'alter table messages add column sent_by {key}',
    `create index contacts_unread on contacts (account_id, last_inbound_at, address)
      where unread > 0 and (phone is null or phone = address)`,
    `create index contacts_read on contacts (account_id, last_inbound_at, address)
      where unread = 0 and (phone is null or phone = address)`,
  ],
}
