import type { TableStatements } from './table-statements.ts'

/** What belongs to no account. */
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
