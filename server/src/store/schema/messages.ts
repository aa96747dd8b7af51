import type { TableStatements } from './table-statements.ts'

/** Messages in both directions, the customers behind them, and the send rate of a number. */
export const messages: TableStatements = {
  statements: [
    // No index names the status: on PostgreSQL a new version of a row that changes no indexed column stays on its page
    // and is written into none of its indexes, if there is room. sent_by is the person who sent it in the console. opaque is
    // what a client of Meta's dialect finds in its statuses; alias is 1 where it was told an id of ours instead of Meta's.
    `create table messages (
      id {key} primary key,
      account_id {key} not null,
      number_id {key} not null,
      direction text not null,
      type text not null,
      status text not null,
      channel_message_id {key},
      phone {key},
      user_id {key},
      group_id {key},
      customer_name text,
      template text,
      language text,
      category text,
      country text,
      api_key_id {key},
      sent_by {key},
      client_reference {key},
      reply_to text,
      opaque text,
      alias bigint not null default 0,
      used text,
      origin text,
      held bigint not null,
      outcome text,
      content text,
      content_purged_at bigint,
      error text,
      history text not null,
      event_sequence bigint not null,
      created_at bigint not null,
      sent_at bigint,
      delivered_at bigint,
      read_at bigint,
      failed_at bigint,
      settle_by bigint,
      revision bigint not null
    )`,
    'create unique index messages_channel_id on messages (account_id, channel_message_id) where channel_message_id is not null',
    'create index messages_list on messages (account_id, created_at, id)',
    'create index messages_customer on messages (account_id, phone, created_at, id) where phone is not null',
    'create index messages_user on messages (account_id, user_id, created_at, id) where user_id is not null',
    'create index messages_reference on messages (account_id, client_reference, created_at, id) where client_reference is not null',
    'create index messages_in_flight on messages (settle_by) where settle_by is not null',
    // What is queued is either under way or unknown. Both are few, and neither column is set by a status.
    `create index messages_open on messages (account_id, created_at, id)
      where (settle_by is not null or outcome = 'unknown')`,
    // Few messages fail, so this costs a send that succeeds nothing.
    'create index messages_failures on messages (account_id, created_at, id) where error is not null',
    // Which message names which file: in its content, in the header of its template or above its buttons.
    `create table message_files (
      media_id {key} not null,
      message_id {key} not null,
      primary key (media_id, message_id)
    )`,
    'create index message_files_of_message on message_files (message_id)',
    // A customer is known to a number by phone, by user id, or by both: then by two rows, of which that of the phone
    // counts unread messages. Meta can't list one blocked customer among up to 64,000, so blocked_at is noted here; a
    // message that comes later proves the block gone.
    `create table contacts (
      number_id {key} not null,
      address {key} not null,
      account_id {key} not null,
      phone {key},
      user_id {key},
      name text,
      last_inbound_at bigint,
      opted_out_at bigint,
      preference_at bigint,
      blocked_at bigint,
      unread bigint not null default 0,
      primary key (number_id, address)
    )`,
    'create index contacts_account on contacts (account_id, address)',
    'create index contacts_age on contacts (last_inbound_at)',
    'create index contacts_named on contacts (last_inbound_at) where name is not null',
    // The console's conversations by time, the unread ones apart.
    `create index contacts_unread on contacts (account_id, last_inbound_at, address)
      where unread > 0 and (phone is null or phone = address)`,
    `create index contacts_read on contacts (account_id, last_inbound_at, address)
      where unread = 0 and (phone is null or phone = address)`,
    // The platform may know a customer by another number than the one that was sent to: Mexico's 1, Brazil's 9.
    `create table contact_aliases (
      number_id {key} not null,
      address {key} not null,
      alias {key} not null,
      account_id {key} not null,
      noted_at bigint not null,
      primary key (number_id, address)
    )`,
    'create index contact_aliases_of_address on contact_aliases (account_id, address)',
    'create index contact_aliases_of_account on contact_aliases (account_id, alias)',
    'create index contact_aliases_age on contact_aliases (noted_at)',
    // What Meta says about the conversation of a customer with a number: who replies in it, where there is more than one
    // responder, and the name in the address book of a phone. Without a row nobody else was ever seen in it.
    `create table threads (
      number_id {key} not null,
      address {key} not null,
      account_id {key} not null,
      owner text,
      role text,
      summary text,
      changed_at bigint not null,
      passed_at bigint,
      saved_name text,
      noted_at bigint not null,
      primary key (number_id, address)
    )`,
    'create index threads_of_address on threads (account_id, address)',
    'create index threads_age on threads (noted_at)',
    `create table pacing (
      slot_key {key} primary key,
      empty_at double precision not null
    )`,
    'create index pacing_age on pacing (empty_at)',
  ],
  // With pages filled to 70 %, 95 of 100 status changes stay on their page; each writes half as much log.
  postgres: ['alter table messages set (fillfactor = 70)'],
}
