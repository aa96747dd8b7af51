import { operation } from './operation.ts'

/** Rewrites one small row: readiness means that a write reaches the disk, not that a connection is open. */
export const probeOperation = operation({
  name: 'probe.touch',
  input: { at: 'int' },
  sql: `insert into probes (id, touched_at) select 1, at from rows where true
        on conflict (id) do update set touched_at = excluded.touched_at`,
})
