import type { TableStatements } from './table-statements.ts'

/** Customers, the addresses they are known by, and what each number of ours knows of them. */
export const customers: TableStatements = {
  statements: [
    // One who was found to be another customer leaves an id that leads there. revision: of the addresses.
    `create table customers (
      id {key} primary key,
      account_id {key} not null,
      name text,
      named_at bigint,
      active_at bigint not null,
      created_at bigint not null,
      merged_into {key},
      merged_at bigint,
      revision bigint not null
    )`,
    'create index customers_active on customers (account_id, active_at, id) where merged_into is null',
    'create index customers_age on customers (active_at)',
    'create index customers_named on customers (named_at) where name is not null',
    'create index customers_merged on customers (merged_into) where merged_into is not null',
    'create index customers_merged_at on customers (merged_at) where merged_at is not null',
    // address is the one form of a number that several are written for (Mexico's 1, Brazil's 9), shown is how WhatsApp
    // writes it. One that the customer gave up has replaced_at. channel_id: through which a user id was seen last. An id is
    // of one business, so a customer of two businesses of an account has one id for each.
    `create table customer_addresses (
      account_id {key} not null,
      address {key} not null,
      shown {key} not null,
      customer_id {key} not null,
      channel_id {key},
      linked_at bigint not null,
      replaced_at bigint,
      primary key (account_id, address)
    )`,
    'create index customer_addresses_of on customer_addresses (customer_id)',
    // Meta can't list one blocked customer among up to 64,000, so blocked_at is noted here; a message that comes later
    // proves the block gone.
    `create table contacts (
      number_id {key} not null,
      customer_id {key} not null,
      account_id {key} not null,
      last_inbound_at bigint,
      opted_out_at bigint,
      preference_at bigint,
      preference_source text,
      preference_by text,
      blocked_at bigint,
      primary key (number_id, customer_id)
    )`,
    'create index contacts_customer on contacts (customer_id, account_id)',
    // The inbox: who wrote, or was written to by a person. waiting_since is the first message that has no reply yet, number_id
    // the number they wrote to last.
    `create table conversations (
      customer_id {key} primary key,
      account_id {key} not null,
      number_id {key},
      state {key} not null,
      assignee_id {key},
      assigned_at bigint,
      unread bigint not null default 0,
      waiting_since bigint,
      last_inbound_at bigint,
      active_at bigint not null,
      closed_at bigint
    )`,
    'create index conversations_active on conversations (account_id, state, active_at, customer_id)',
    `create index conversations_waiting on conversations (account_id, waiting_since, customer_id)
      where waiting_since is not null`,
    'create index conversations_assignee on conversations (assignee_id) where assignee_id is not null',
    // Waits of customers that a person ended a moment ago. customer is a keyed hash: it keeps one wait from being counted
    // twice. fold is set within the transaction that counts them.
    `create table replies (
      account_id {key} not null,
      customer {key} not null,
      waited_since bigint not null,
      replied_at bigint not null,
      user_id {key} not null,
      fold bigint,
      primary key (account_id, customer, waited_since)
    )`,
    'create index replies_age on replies (replied_at)',
    'create index replies_fold on replies (fold) where fold is not null',
    // The others, by the UTC day on which the wait began, by who replied and by how long it took.
    `create table reply_days (
      account_id {key} not null,
      day bigint not null,
      user_id {key} not null,
      bucket bigint not null,
      n bigint not null,
      waited_ms bigint not null,
      primary key (account_id, day, user_id, bucket)
    ) {rows_in_key}`,
    'create index reply_days_age on reply_days (day)',
    // Texts that agents send again and again.
    `create table saved_replies (
      id {key} primary key,
      account_id {key} not null,
      shortcut {key} not null,
      text text not null,
      updated_at bigint not null,
      unique (account_id, shortcut)
    )`,
  ],
}
