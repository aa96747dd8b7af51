import type { TableStatements } from './table-statements.ts'

/** Tenants, what they have used of their plan, and the audit log. */
export const accounts: TableStatements = {
  statements: [
    // delete_at: when it will be deleted, suspended until then. deleting_at: since when that is under way, and nothing stops it.
    `create table accounts (
      id {key} primary key,
      name text not null,
      plan text not null,
      status text not null,
      delete_at bigint,
      delete_asked_by text,
      deleting_at bigint,
      two_factor_required_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      revision bigint not null
    )`,
    'create index accounts_to_delete on accounts (delete_at) where delete_at is not null',
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
    'create index quota_usage_age on quota_usage (hour_start)',
    // The start of the window an account was last warned of, so that it is warned once.
    `create table quota_warnings (
      account_id {key} primary key,
      day_start bigint not null
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
    // For operators, who read the lines of all accounts together.
    'create index audit_log_id on audit_log (id)',
    // The newest line of each audit log, sealed: lines that are missing at the end are noticed.
    `create table audit_heads (
      account_id {key} primary key,
      sealed text not null
    )`,
    // Stands for the lines that are older than the retention of the audit log.
    `create table audit_anchors (
      account_id {key} primary key,
      seq bigint not null,
      hash text not null,
      sealed text not null
    )`,
  ],
}
