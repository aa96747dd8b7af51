import type { Migration } from './migration.ts'

/** Indexes for statements that read more rows than they gave. */
export const plans: Migration = {
  id: 30,
  name: 'plans',
  statements: [
    `create index numbers_connected on numbers (account_id, preferred_at desc, connected_at, id)
      where disconnected_at is null`,
    'create index webhook_states_overfull on webhook_states (webhook_id) where overfull_since is not null',
    'create index setup_links_of_user on setup_links (user_id) where used_at is null',
  ],
}
