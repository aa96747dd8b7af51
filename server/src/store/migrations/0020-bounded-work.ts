import type { Migration } from './migration.ts'

/** Indexes for work that grew with the whole table, and what retention has seen of the clock. */
export const boundedWork: Migration = {
  id: 20,
  name: 'bounded work',
  statements: [
    // Issuing a token looks at the chains of its key that can still be refreshed, not at all there ever were.
    'create index token_chains_open on token_chains (key_id, created_at, id) where refresh_closed_at is null',
    'create index token_chains_age on token_chains (created_at, id)',
    'create index setup_links_age on setup_links (expires_at)',
    'create index quota_usage_age on quota_usage (hour_start)',
    'create index sessions_idle on sessions (last_seen_at)',
    `create index deliveries_held_age on deliveries (created_at) where status = 'held'`,
    'create index events_oldest on events (created_at, seq)',
    'drop index events_age',
    `create table retention_clock (
      id bigint primary key,
      seen_at bigint not null,
      paused_until bigint not null
    )`,
  ],
}
