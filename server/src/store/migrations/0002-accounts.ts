import type { Migration } from './migration.ts'

/** Who may come in, with what, and how often. */
export const accounts: Migration = {
  id: 2,
  name: 'accounts',
  statements: [
    `create table users (
      id {key} primary key,
      account_id {key} not null,
      email text unique,
      name text not null,
      role text not null,
      password_hash text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index users_account on users (account_id)',
    `create table setup_links (
      token_hash {key} primary key,
      user_id {key} not null,
      purpose text not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    // epoch changes with everything that could change an answer about the key: see accounts/check-token.ts.
    `create table api_keys (
      id {key} primary key,
      account_id {key} not null,
      public_key {key} not null unique,
      name text not null,
      scopes text not null,
      status text not null,
      epoch bigint not null,
      secret_mac text not null,
      previous_secret_mac text,
      previous_secret_until bigint,
      expires_at bigint,
      allowed_ips text,
      phone_number_ids text,
      created_by {key} not null,
      created_at bigint not null,
      last_used_at bigint,
      last_used_ip text,
      revision bigint not null
    )`,
    'create index api_keys_account on api_keys (account_id, created_at)',
    `create table signing_keys (
      kid {key} primary key,
      sealed text not null,
      status text not null,
      created_at bigint not null,
      retired_at bigint
    )`,
    `create table token_chains (
      id {key} primary key,
      account_id {key} not null,
      key_id {key} not null,
      created_at bigint not null,
      revoked_at bigint,
      refresh_closed_at bigint
    )`,
    'create index token_chains_key on token_chains (key_id, created_at)',
    `create table tokens (
      id {key} primary key,
      chain_id {key} not null,
      key_id {key} not null,
      account_id {key} not null,
      scopes text not null,
      issued_at bigint not null,
      expires_at bigint not null,
      revoked_at bigint,
      successor_id {key},
      replaced_at bigint
    )`,
    'create index tokens_chain on tokens (chain_id)',
    'create index tokens_age on tokens (expires_at)',
    `create table quotas (
      account_id {key} primary key,
      hour_start bigint not null,
      hour_used bigint not null,
      day_start bigint not null,
      day_used bigint not null
    )`,
    `create table quota_usage (
      account_id {key} not null,
      hour_start bigint not null,
      used bigint not null,
      primary key (account_id, hour_start)
    )`,
    `create table audit_log (
      account_id {key} not null,
      seq bigint not null,
      id {key} not null,
      action text not null,
      occurred_at bigint not null,
      entry text not null,
      prev_hash text not null,
      hash text not null,
      primary key (account_id, seq)
    )`,
    `create table request_log (
      id {key} primary key,
      account_id {key} not null,
      key_id {key},
      at bigint not null,
      method text not null,
      route text not null,
      status bigint not null,
      code text,
      duration_ms bigint not null,
      body text
    )`,
    'create index request_log_account on request_log (account_id, at, id)',
    'create index request_log_age on request_log (at)',
  ],
}
