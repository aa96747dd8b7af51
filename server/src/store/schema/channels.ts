import type { TableStatements } from './table-statements.ts'

/** Connected WhatsApp Business accounts, their numbers, and the platform's callbacks about them. */
export const channels: TableStatements = {
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
      marketing_messages bigint not null default 0,
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
    // The platform's apps behind the channels, each with a callback address of its own. An app belongs to one account. The
    // operator's own, whose secret is a setting, has the account '' and serves all.
    `create table channel_apps (
      id {key} primary key,
      callback_id {key} not null unique,
      account_id {key} not null,
      app_id {key} not null,
      app_secret text,
      verify_token text not null,
      handshake_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      unique (account_id, app_id)
    )`,
    // Which channel receives the callbacks of a WABA through an app. A row means: a token of that app proved its access.
    `create table channel_app_wabas (
      app_id {key} not null,
      waba_id {key} not null,
      channel_app_id {key} not null,
      channel_id {key} not null,
      account_id {key} not null,
      proved_at bigint not null,
      primary key (app_id, waba_id)
    )`,
    'create index channel_app_wabas_app on channel_app_wabas (channel_app_id)',
    'create index channel_app_wabas_channel on channel_app_wabas (channel_id)',
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
    `create index numbers_connected on numbers (account_id, preferred_at desc, connected_at, id)
      where disconnected_at is null`,
    // What was last told of a channel or number, by topic: an event is published when it changes, and once.
    `create table told_states (
      subject {key} not null,
      topic {key} not null,
      account_id {key} not null,
      value text not null,
      at bigint not null,
      primary key (subject, topic)
    )`,
    'create index told_states_of_account on told_states (account_id)',
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
    // Callbacks are applied account by account, so that nobody's thousands delay anybody else's.
    'create index callbacks_of_account on callbacks (account_id, id) where applied_at is null',
    'create index callbacks_age on callbacks (received_at)',
    // Items that are neither a message nor a status, and those that found no row to apply to yet.
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
