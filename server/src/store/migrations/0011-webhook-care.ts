import type { Migration } from './migration.ts'

/** What nodes share of a webhook's pace and backlog, which quotas were warned of, and indexes for replays. */
export const webhookCare: Migration = {
  id: 11,
  name: 'webhook care',
  statements: [
    // When the starts allowed by max_per_second were last used up, in milliseconds with fractions.
    'alter table webhook_states add column paced_at double precision not null default 0',
    // Since when more is waiting than may; null when it fits.
    'alter table webhook_states add column overfull_since bigint',
    // The window (its start) an account was last warned of, so that it is once.
    `create table quota_warnings (
      account_id {key} primary key,
      day_start bigint not null
    )`,
    `create index deliveries_replayable on deliveries (webhook_id, id)
      where status in ('failed', 'skipped', 'cancelled', 'expired')`,
    'create index deliveries_of_replay on deliveries (replay_id, status) where replay_id is not null',
  ],
}
