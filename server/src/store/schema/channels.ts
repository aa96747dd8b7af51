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
      currency text,
      time_zone text,
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
    // budget_mark is 0 without budgets, and otherwise another one with every change of them.
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
      budget_mark bigint not null default 0,
      last_inbound_at bigint,
      connected_at bigint not null,
      disconnected_at bigint,
      updated_at bigint not null,
      unique (account_id, phone_number_id)
    )`,
    'create index numbers_of_channel on numbers (channel_id)',
    `create index numbers_connected on numbers (account_id, preferred_at desc, connected_at, id)
      where disconnected_at is null`,
    // Embedded Signup: from the browser that leaves for Meta until the channel has the token.
    `create table signups (
      id {key} primary key,
      account_id {key} not null,
      user_id {key} not null,
      state_hash {key} not null unique,
      browser_hash text not null,
      redirect_uri text not null,
      on_business_app bigint not null,
      step text not null,
      access_token text,
      claimed_waba_id text,
      channel_id text,
      phone_number_id text,
      contacts_sync text,
      history_sync text,
      problem text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index signups_of_account on signups (account_id, created_at)',
    'create index signups_age on signups (updated_at)',
    // Words with which customers stop or start marketing messages of a number, as JSON lists.
    `create table keywords (
      number_id {key} primary key,
      account_id {key} not null,
      stop_words text not null,
      start_words text not null,
      updated_at bigint not null
    )`,
    // What was last told of a channel, a number or a payment, by topic: an event is published when it changes, and once.
    // `previous` is null until the first change.
    `create table told_states (
      subject {key} not null,
      topic {key} not null,
      account_id {key} not null,
      value text not null,
      previous text,
      at bigint not null,
      primary key (subject, topic)
    )`,
    'create index told_states_of_account on told_states (account_id)',
    `create index told_states_payments on told_states (at) where topic = 'payment'`,
    // What is still to be applied, as it came. Applied account by account, so that nobody's thousands delay anybody else's. No
    // index names what a claim changes, and the body stands behind it: PostgreSQL logs of a claim what changed, and SQLite
    // finds what is due without reading bodies that are long.
    `create table callback_queue (
      account_id {key} not null,
      id {key} not null,
      channel_id {key} not null,
      size bigint not null,
      received_at bigint not null,
      attempts bigint not null,
      claim text,
      lease_until bigint not null,
      body bytea not null,
      primary key (account_id, id)
    ) {rows_in_key}`,
    // Hashes of channel and body: the platform's repeats are dropped, on whatever day they come. Times are whole hours, so
    // that their index is small.
    `create table callback_seen (
      hash bytea not null primary key,
      seen_at bigint not null
    ) {rows_in_key}`,
    'create index callback_seen_age on callback_seen (seen_at)',
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
  // As the queue of deliveries; half of each page is left for the claims.
  postgres: [
    `alter table callback_queue set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
       autovacuum_vacuum_cost_delay = 0)`,
  ],
}
