import type { Migration } from './migration.ts'

/**
 * A token knows which one it was refreshed from, so that revoking a token reaches its descendants. `successor_id` and
 * `replaced_at` are no longer written; they stay for the version before. An anchor holds the place of the lines of the
 * audit log that are older than its retention.
 */
export const tokensAndAudit: Migration = {
  id: 22,
  name: 'tokens and audit',
  statements: [
    'alter table tokens add column parent_id {key}',
    'alter table tokens add column refresh_closed_at bigint',
    'alter table token_chains add column revision bigint not null default 0',
    'update tokens set parent_id = p.id from tokens p where p.successor_id = tokens.id',
    'create index tokens_parent on tokens (parent_id) where parent_id is not null',
    `create index tokens_refreshable on tokens (chain_id, issued_at, id)
      where refresh_closed_at is null and revoked_at is null`,
    `create table audit_anchors (
      account_id {key} primary key,
      seq bigint not null,
      hash text not null,
      sealed text not null
    )`,
  ],
}
