import { operation } from './operation.ts'
import { Unit } from './unit.ts'

/** Reads that row: a point read and a list each go their own way to the file. */
export const probeText = 'select touched_at from probes where id = 1'

const touch = operation({
  name: 'probe.touch',
  input: { at: 'int' },
  sql: `insert into probes (id, touched_at) select 1, at from rows where true
        on conflict (id) do update set touched_at = probes.touched_at + 1`,
})

/**
 * Changes one small row: readiness means that a write reaches the disk, not that a connection is open. It counts, because
 * SQLite writes nothing when a row stays the same.
 */
export function probeUnit(): Unit {
  const unit = new Unit()
  unit.add(touch, { at: 0 })
  return unit
}
