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

/** Behind a disk or a database that hangs nothing may wait for longer: its request has to be answered within 10 s. */
const requestWaitMs = 4_000
const looksPerWait = 8

/**
 * Calls `drop` with the time before which nothing may have begun to wait, eight times per wait while something waits; it
 * returns how many still do. The function returned here is called whenever something begins to wait.
 */
export function watchWaiting(drop: (before: number) => number, waitMaxMs = requestWaitMs): () => void {
  let timer: NodeJS.Timeout | null = null

  function look(): void {
    timer = null
    if (drop(performance.now() - waitMaxMs) > 0) watch()
  }

  function watch(): void {
    if (!timer) timer = setTimeout(look, waitMaxMs / looksPerWait).unref()
  }

  return watch
}
