import type { TableStatements } from './table-statements.ts'

/** Tables that belong to no account. */
export const installation: TableStatements = {
  statements: [
    `create table installation (
      name {key} primary key,
      value text not null
    )`,
    `create table probes (
      id bigint primary key,
      touched_at bigint not null
    )`,
    // The processes of the installation, as each noted itself. clock_offset_ms: from its clock to that of the database.
    // disk_bytes: of the file system of its data folder.
    `create table nodes (
      name {key} primary key,
      version text not null,
      role text not null,
      started_at bigint not null,
      seen_at bigint not null,
      stopped_at bigint,
      clock_offset_ms bigint not null,
      loop_lag_ms bigint not null,
      cpu_percent bigint not null,
      memory_bytes bigint not null,
      disk_bytes bigint not null,
      disk_free_bytes bigint not null
    )`,
    'create index nodes_seen on nodes (seen_at)',
    `create table size_days (
      day bigint primary key,
      bytes bigint not null
    )`,
    // What retention has seen of the clock.
    `create table retention_clock (
      id bigint primary key,
      seen_at bigint not null,
      paused_until bigint not null
    )`,
  ],
  // PostgreSQL checks the conditions of a unit itself, so that a transaction and its commit travel in one packet. The
  // function is called with the input rows that found nothing; it is strict, so without any it isn't called at all.
  postgres: [
    `create function postern_unmet(positions bigint[]) returns bigint language plpgsql strict as $$
    begin
      raise exception 'Postern: a condition did not hold, and nothing of this transaction is stored'
        using errcode = 'PS001', detail = array_to_string(positions, ',');
    end $$`,
  ],
}

/**
 * Jobs wait in lanes: one for customers' files, served by account, and one for everything else, so that 48,000 pictures of
 * one account delay nobody. A claimed job has its lease as `run_at`, so one index says what is due and what is next.
 */
export const jobs: TableStatements = {
  statements: [
    // again_at: when a job has to run again that was enqueued while it ran; otherwise null.
    `create table jobs (
      id {key} primary key,
      lane {key} not null default 'main',
      kind {key} not null,
      subject {key} not null,
      account_id {key},
      payload text not null,
      run_at bigint not null,
      again_at bigint,
      attempts bigint not null,
      claim text,
      lease_until bigint not null,
      last_error text,
      created_at bigint not null,
      unique (kind, subject)
    )`,
    // Each lane has an index that no statement of the other lane can use. A queue is empty most of the time, so
    // PostgreSQL's statistics call every way to its jobs equally short; it took the index by time for the jobs of one
    // account, and read those of all accounts for each claim.
    `create index jobs_main on jobs (lane, run_at) where lane = 'main'`,
    `create index jobs_media on jobs (lane, account_id, run_at) where lane = 'media'`,
  ],
}
