import type { Migration } from './migration.ts'

/** What every other part leans on: accounts, events in commit order, and jobs with a lease. */
export const house: Migration = {
  id: 1,
  name: 'house',
  statements: [
    `create table installation (
      name {key} primary key,
      value text not null
    )`,
    `create table probes (
      id bigint primary key,
      touched_at bigint not null
    )`,
    `create table accounts (
      id {key} primary key,
      name text not null,
      plan text not null,
      status text not null,
      created_at bigint not null,
      updated_at bigint not null,
      revision bigint not null
    )`,
    // seq gives order within a transaction, tx order between transactions: see docs/decisions/0004.
    `create table events (
      seq {serial},
      tx bigint not null,
      id {key} not null unique,
      account_id {key} not null,
      type text not null,
      subject text,
      sequence bigint not null,
      created_at bigint not null,
      body text not null
    )`,
    'create index events_feed on events (account_id, tx, seq)',
    'create index events_age on events (created_at)',
    `create table jobs (
      id {key} primary key,
      kind text not null,
      subject text not null,
      account_id {key},
      payload text not null,
      run_at bigint not null,
      attempts bigint not null,
      claim text,
      lease_until bigint not null,
      last_error text,
      created_at bigint not null,
      unique (kind, subject)
    )`,
    'create index jobs_due on jobs (run_at)',
  ],
}
