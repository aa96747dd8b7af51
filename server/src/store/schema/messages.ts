import type { TableStatements } from './table-statements.ts'

/** Messages in both directions, and the send rate of a number. */
export const messages: TableStatements = {
  statements: [
    // No index names the status: on PostgreSQL a new version of a row that changes no indexed column stays on its page
    // and is written into none of its indexes, if there is room. Of such a version PostgreSQL logs what is between the first
    // byte that differs and the last: what changes stands behind what doesn't, and the history, whose newest step is its first,
    // is the end of the row. sent_by is the person who sent it in the console. opaque is
    // what a client of Meta's dialect finds in its statuses; alias is 1 where it was told an id of ours instead of Meta's.
    // message_events limits the events of a broadcast's message: to failed, or to none. reserved is what budgets hold for it.
    `create table messages (
      id {key} primary key,
      account_id {key} not null,
      number_id {key} not null,
      direction text not null,
      type text not null,
      customer_id {key},
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
      content text,
      content_purged_at bigint,
      created_at bigint not null,
      send_at bigint,
      expires_at bigint,
      broadcast_id {key},
      group_no bigint,
      place bigint,
      message_events text,
      reserved text,
      channel_message_id {key},
      status text not null,
      outcome text,
      error text,
      event_sequence bigint not null,
      sent_at bigint,
      delivered_at bigint,
      read_at bigint,
      failed_at bigint,
      settle_by bigint,
      next_attempt_at bigint,
      attempts bigint not null default 0,
      waiting_for text,
      revision bigint not null,
      history text not null
    )`,
    'create unique index messages_channel_id on messages (account_id, channel_message_id) where channel_message_id is not null',
    'create index messages_list on messages (account_id, created_at, id)',
    'create index messages_customer on messages (account_id, customer_id, created_at, id) where customer_id is not null',
    'create index messages_reference on messages (account_id, client_reference, created_at, id) where client_reference is not null',
    'create index messages_in_flight on messages (settle_by) where settle_by is not null',
    // What is queued is either under way or unknown. Both are few, and neither column is set by a status.
    `create index messages_open on messages (account_id, created_at, id)
      where (settle_by is not null or outcome = 'unknown')`,
    // Only what waits has a next attempt.
    'create index messages_waiting on messages (account_id, next_attempt_at, id) where next_attempt_at is not null',
    // Few messages fail, so this costs a send that succeeds nothing.
    'create index messages_failures on messages (account_id, created_at, id) where error is not null',
    // One message for each recipient of a broadcast, and never another.
    `create unique index messages_broadcast on messages (broadcast_id, group_no, place) where broadcast_id is not null`,
    // A broadcast is over when none of its messages is under way or waits.
    `create index messages_broadcast_open on messages (broadcast_id)
      where broadcast_id is not null and (settle_by is not null or next_attempt_at is not null)`,
    // Which message names which file: in its content, in the header of its template or above its buttons.
    `create table message_files (
      media_id {key} not null,
      message_id {key} not null,
      primary key (media_id, message_id)
    )`,
    'create index message_files_of_message on message_files (message_id)',
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
    'create index threads_words on threads (noted_at) where (summary is not null or saved_name is not null)',
    // Rates of numbers and customers, where processes share them. No index names what a send changes.
    `create table pacing (
      slot_key {key} primary key,
      empty_at double precision not null
    )`,
  ],
  postgres: [
    // With pages filled to 70 %, 95 of 100 status changes stay on their page; each writes half as much log.
    'alter table messages set (fillfactor = 70)',
    // After a crash of PostgreSQL all rates begin anew, as after one of a process that keeps them in its memory.
    'alter table pacing set unlogged',
  ],
}

/** Sends that wait for their time or for room, and which process sends for which number. */
export const waiting: TableStatements = {
  statements: [
    // One row for each message with status waiting, deleted in the unit that starts, cancels or ends it: the one that
    // deletes it decides. rank 0 is a one-time code, which goes first. held is 1 until a person says that it may go.
    `create table waiting_sends (
      message_id {key} primary key,
      account_id {key} not null,
      number_id {key} not null,
      key_id {key},
      client_reference {key},
      rank bigint not null,
      due_at bigint not null,
      expires_at bigint not null,
      attempts bigint not null,
      held bigint not null,
      request text not null
    )`,
    'create index waiting_sends_due on waiting_sends (number_id, rank, due_at, message_id) where held = 0',
    'create index waiting_sends_account on waiting_sends (account_id, client_reference, message_id)',
    'create index waiting_sends_expiry on waiting_sends (expires_at)',
    `create table send_lanes (
      number_id {key} primary key,
      claim {key} not null,
      lease_until bigint not null
    )`,
  ],
}
