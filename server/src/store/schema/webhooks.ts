import type { TableStatements } from './table-statements.ts'

/**
 * Events, the webhooks they are delivered to, and the log of attempts. Configuration and running state are two tables: the
 * state of a busy webhook changes hundreds of times a second, and events read the configuration inside every send.
 */
export const webhooks: TableStatements = {
  statements: [
    // seq gives order within a transaction, tx order between transactions: see docs/decisions/0004. traceparent says where
    // an event was caused, for the traces of its deliveries; null while tracing is off.
    `create table events (
      seq {counter},
      tx bigint not null,
      id {key} not null unique,
      account_id {key} not null,
      type text not null,
      subject {key},
      sequence bigint not null,
      created_at bigint not null,
      body text not null,
      traceparent text
    ) {days:id}`,
    'create index events_feed on events (account_id, tx, seq)',
    'create index events_of_subject on events (subject) where subject is not null',
    // `events` is text with spaces around every name, so that one comparison works on both engines. masked: the address was
    // set by a caller who sees no people. kind: 'events', or 'relay' for the callbacks of a connection.
    `create table webhooks (
      id {key} primary key,
      account_id {key} not null,
      kind text not null,
      url text not null,
      events text not null,
      active bigint not null,
      description text,
      max_in_flight bigint not null,
      max_per_second bigint,
      masked bigint not null default 0,
      secret text,
      previous_secret text,
      previous_secret_until bigint,
      verification text not null,
      verified_at bigint,
      verification_error text,
      verification_attempts bigint not null,
      verification_due_at bigint,
      verification_claim text,
      verification_lease_until bigint not null,
      disabled_at bigint,
      disabled_reason text,
      created_at bigint not null,
      updated_at bigint not null,
      revision bigint not null
    )`,
    'create index webhooks_of_account on webhooks (account_id, id)',
    `create index webhooks_to_verify on webhooks (verification_due_at) where verification = 'pending'`,
    // Counted in a row of its own, so that two registrations at once can't both take the last place.
    `create table webhook_places (
      account_id {key} primary key,
      taken bigint not null
    )`,
    // overfull_since: since when deliveries expire because the receiver is away; null when it is back. paced_at: when the starts allowed by
    // max_per_second were last used up, in milliseconds with fractions.
    `create table webhook_states (
      webhook_id {key} primary key,
      total_sent bigint not null,
      total_failed bigint not null,
      last_triggered bigint,
      last_success bigint,
      failing_since bigint,
      warned_at bigint,
      overfull_since bigint,
      paused_until bigint not null,
      paced_at double precision not null default 0,
      replay_id text,
      replay_matched bigint not null
    )`,
    'create index webhook_states_failing on webhook_states (failing_since) where failing_since is not null',
    'create index webhook_states_overfull on webhook_states (webhook_id) where overfull_since is not null',
    // What waits to be sent: few rows, each inserted and deleted once. The id is that of the event with two digits behind it.
    // No index names what a claim, a success or a first attempt changes. A status that is an end stays for a moment only,
    // until the row moves to 'deliveries'.
    `create table delivery_queue (
      webhook_id {key} not null,
      id {key} not null,
      account_id {key} not null,
      type text not null,
      subject {key},
      status text not null,
      due_at bigint not null,
      attempts bigint not null,
      step bigint not null,
      cause text not null,
      last_outcome text,
      last_attempt_at bigint,
      replay_id {key},
      created_at bigint not null,
      primary key (webhook_id, id)
    )`,
    `create index delivery_queue_due on delivery_queue (webhook_id, due_at, id) where status = 'pending'`,
    `create index delivery_queue_held on delivery_queue (webhook_id, id) where status = 'held'`,
    `create index delivery_queue_held_age on delivery_queue (created_at) where status = 'held'`,
    `create index delivery_queue_ended on delivery_queue (webhook_id, id) where status not in ('pending', 'held')`,
    'create index delivery_queue_of_replay on delivery_queue (replay_id) where replay_id is not null',
    // What is under way. A row of its own, because a claim that changed the row in the queue would write all its indexes.
    // PostgreSQL keeps no log of it: a crash of the database ends all claims, as a crash of the process ends its own.
    `create table delivery_claims (
      delivery_id {key} primary key,
      webhook_id {key} not null,
      subject {key},
      claim text not null,
      lease_until bigint not null
    )`,
    'create index delivery_claims_of_webhook on delivery_claims (webhook_id, subject)',
    // Ended deliveries, by day of their event. url, remote_ip, status_code and duration_ms are those of a first attempt that
    // succeeded, which has no row of its own in attempts. event_id only where the id does not tell: of listeners.
    `create table deliveries (
      webhook_id {key} not null,
      id {key} not null,
      account_id {key} not null,
      event_id {key},
      type text not null,
      subject {key},
      status text not null,
      attempts bigint not null,
      cause text not null,
      last_outcome text,
      last_attempt_at bigint,
      replay_id {key},
      created_at bigint not null,
      url text,
      remote_ip text,
      status_code bigint,
      duration_ms bigint,
      primary key (webhook_id, id)
    ) {days:id}`,
    `create index deliveries_replayable on deliveries (webhook_id, id)
      where status in ('failed', 'skipped', 'cancelled', 'expired')`,
    'create index deliveries_of_replay on deliveries (replay_id) where replay_id is not null',
    'create index deliveries_forwarded on deliveries (event_id) where event_id is not null',
    // By day of the delivery's event, so that all attempts of a delivery are in one place. An attempt that was late counts
    // for nothing.
    `create table attempts (
      delivery_id {key} not null,
      id {key} not null,
      webhook_id {key} not null,
      number bigint not null,
      cause text not null,
      late bigint not null,
      url text not null,
      started_at bigint not null,
      duration_ms bigint not null,
      status_code bigint,
      error_code text,
      error_message text,
      remote_ip text,
      response_headers text not null,
      response_body text,
      next_attempt_at bigint,
      primary key (delivery_id, id)
    ) {days:delivery_id}`,
    // What Meta reported, as it is passed on to the tools of connections. Repeats of Meta have the same key. facts: what only
    // the connection gets that sent the message. The id is one of events: deliveries find their body by it, and it tells the age.
    `create table relay_items (
      id {key} primary key,
      account_id {key} not null,
      key_hash {key} not null,
      body text not null,
      facts text not null
    )`,
    'create unique index relay_items_repeat on relay_items (account_id, key_hash)',
    // Forwarding webhooks of 'postern listen': one per API key, without an address, gone when nobody listens for a day.
    `create table listeners (
      id {key} primary key,
      account_id {key} not null,
      key_id {key} not null,
      created_at bigint not null,
      seen_at bigint not null
    )`,
    'create unique index listeners_of_key on listeners (account_id, key_id)',
    'create index listeners_age on listeners (seen_at)',
  ],
  // Retention goes by id there.
  sqlite: ['create index deliveries_age on deliveries (id)'],
  // The queue turns over all day: it is vacuumed as soon as a page or two are dead, or a claim would walk over them.
  postgres: [
    ...['delivery_queue', 'delivery_claims'].map(
      (table) =>
        `alter table ${table} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
           autovacuum_vacuum_cost_delay = 0)`,
    ),
    'alter table delivery_claims set unlogged',
  ],
}
