import type { Migration } from './migration.ts'

/**
 * PostgreSQL looks at the conditions of a unit itself, so that a transaction and its commit travel in one packet. The
 * function is called with the input rows that found nothing; it is strict, and so without any it is not called at all.
 */
export const conditions: Migration = {
  id: 44,
  name: 'conditions',
  statements: [],
  postgres: [
    `create function postern_unmet(positions bigint[]) returns bigint language plpgsql strict as $$
    begin
      raise exception 'Postern: a condition did not hold, and nothing of this transaction is stored'
        using errcode = 'PS001', detail = array_to_string(positions, ',');
    end $$`,
  ],
}
