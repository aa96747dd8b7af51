import type { TableStatements } from './table-statements.ts'

/** API keys, their tokens, and the requests made with them. */
export const access: TableStatements = {
  statements: [
    // epoch changes with everything that could change a decision about the key: see access/tokens/check-token.ts.
    // kind: 'key' for programs that speak /v1, 'connection' for tools that speak Meta's dialect.
    `create table api_keys (
      id {key} primary key,
      account_id {key} not null,
      kind text not null,
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
    // What a tool has in place of an app at Meta. app_id looks like one of Meta's, and is unique over all accounts. relay_id is
    // the webhook by which it gets Meta's callbacks.
    `create table connections (
      id {key} primary key,
      account_id {key} not null,
      key_id {key} not null unique,
      app_id {key} not null unique,
      tool text not null,
      app_secret text not null,
      next_app_secret text,
      verify_token text,
      relay_id {key},
      options text not null,
      token_in_address_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      deleted_at bigint,
      revision bigint not null
    )`,
    'create index connections_of_account on connections (account_id, id)',
    'create index connections_relayed on connections (account_id) where relay_id is not null',
    'create index connections_of_relay on connections (relay_id) where relay_id is not null',
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
      refresh_closed_at bigint,
      revision bigint not null default 0
    )`,
    'create index token_chains_key on token_chains (key_id, created_at)',
    // Issuing a token reads the chains of its key that can still be refreshed, not all there ever were.
    'create index token_chains_open on token_chains (key_id, created_at, id) where refresh_closed_at is null',
    'create index token_chains_age on token_chains (created_at, id)',
    // parent_id is the token it was refreshed from, so that revoking a token reaches its descendants.
    `create table tokens (
      id {key} primary key,
      chain_id {key} not null,
      parent_id {key},
      key_id {key} not null,
      account_id {key} not null,
      scopes text not null,
      issued_at bigint not null,
      expires_at bigint not null,
      revoked_at bigint,
      refresh_closed_at bigint
    )`,
    'create index tokens_chain on tokens (chain_id)',
    'create index tokens_age on tokens (expires_at)',
    'create index tokens_parent on tokens (parent_id) where parent_id is not null',
    `create index tokens_refreshable on tokens (chain_id, issued_at, id)
      where refresh_closed_at is null and revoked_at is null`,
    `create table key_calls (
      account_id {key} not null,
      hour_start bigint not null,
      key_id {key} not null,
      calls bigint not null,
      primary key (account_id, hour_start, key_id)
    )`,
    'create index key_calls_age on key_calls (hour_start)',
    // No index names the outcome: on PostgreSQL the row with it stays on its page, and is written into no index.
    `create table idempotency_keys (
      account_id {key} not null,
      endpoint {key} not null,
      idempotency_key {key} not null,
      fingerprint text not null,
      message_id {key},
      outcome text,
      lease_until bigint not null,
      expires_at bigint not null,
      primary key (account_id, endpoint, idempotency_key)
    )`,
    'create index idempotency_keys_lease on idempotency_keys (lease_until)',
    // path and answer are stored only for accounts whose numbers are all of the sandbox.
    `create table request_log (
      id {key} primary key,
      account_id {key} not null,
      key_id {key},
      at bigint not null,
      method text not null,
      route text not null,
      path text,
      status bigint not null,
      code text,
      duration_ms bigint not null,
      body text,
      answer text
    ) {days:id}`,
    'create index request_log_account on request_log (account_id, at, id)',
    // Few requests are rejected: Home counts those of a day among all that succeeded.
    'create index request_log_refused on request_log (account_id, at, id) where status >= 400',
  ],
  // Each row grows by its outcome, once.
  postgres: ['alter table idempotency_keys set (fillfactor = 80)'],
}
