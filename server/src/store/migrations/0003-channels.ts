import type { Migration } from './migration.ts'

/** Connected business chat accounts, their numbers, and everything the platform tells us about them. */
export const channels: Migration = {
  id: 3,
  name: 'channels',
  statements: [
    // callback_id is the only part of the callback address: 128 random bits that say nothing about the row.
    `create table channels (
      id {key} primary key,
      callback_id {key} not null unique,
      account_id {key} not null,
      kind text not null,
      waba_id {key} not null,
      app_id text,
      access_token text,
      app_secret text,
      verify_token text,
      base_url text not null,
      graph_version text not null,
      status text not null,
      name text,
      business_verified bigint not null,
      token_expires_at bigint,
      last_event_at bigint,
      checked_at bigint,
      check_steps text,
      connected_at bigint not null,
      disconnected_at bigint,
      updated_at bigint not null,
      revision bigint not null,
      unique (account_id, waba_id)
    )`,
    // The default is the number that was preferred last, then the oldest: nothing to keep in step when one leaves.
    `create table numbers (
      id {key} primary key,
      channel_id {key} not null,
      account_id {key} not null,
      phone_number_id {key} not null,
      phone_number text not null,
      display_name text,
      status text not null,
      quality text,
      sends_per_second bigint not null,
      messaging_limit text,
      preferred_at bigint not null,
      last_inbound_at bigint,
      connected_at bigint not null,
      disconnected_at bigint,
      updated_at bigint not null,
      unique (account_id, phone_number_id)
    )`,
    'create index numbers_of_channel on numbers (channel_id)',
    // body_hash drops the platform's repeats of a body that is stored already.
    `create table callbacks (
      id {key} primary key,
      channel_id {key} not null,
      account_id {key} not null,
      body_hash {key} not null,
      body bytea not null,
      received_at bigint not null,
      attempts bigint not null,
      claim text,
      lease_until bigint not null,
      applied_at bigint,
      unique (channel_id, body_hash)
    )`,
    'create index callbacks_due on callbacks (id) where applied_at is null',
    'create index callbacks_age on callbacks (received_at)',
    // What is no message and no status, and those of them that found no place yet.
    `create table callback_items (
      channel_id {key} not null,
      key_hash {key} not null,
      account_id {key} not null,
      callback_id {key} not null,
      kind text not null,
      state text not null,
      reason text,
      item text not null,
      received_at bigint not null,
      attempts bigint not null,
      due_at bigint not null,
      expires_at bigint not null,
      claim text,
      updated_at bigint not null,
      primary key (channel_id, key_hash)
    )`,
    `create index callback_items_waiting on callback_items (due_at) where state = 'waiting'`,
    'create index callback_items_unhandled on callback_items (account_id, received_at)',
    'create index callback_items_age on callback_items (updated_at)',
  ],
}
